"""The compiled rules: one game record, the tables of a ruleset, and kernels over arrays of games."""
