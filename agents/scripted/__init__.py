"""The scripted player, compiled: what it thinks things are worth, and how it answers each question."""
