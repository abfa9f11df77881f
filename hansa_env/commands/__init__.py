"""The command `hansa`; commands of other packages come in by entry points of the group `hansa_env.commands`."""
