"""The worked scenarios of the rule text, each a test named by its number, for any implementation."""
