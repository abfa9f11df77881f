"""Others' environments, measured by a script that any interpreter runs by path."""
