"""Agents that look ahead, compiled: over the rest of a turn, to the end of the game, in a tree."""
