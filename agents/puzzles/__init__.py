"""Puzzles: positions whose best decisions are proven, or agreed on by deep searches, and how many of them agents find.

`hansa puzzles AGENT` asks; `python -m hansa_agents.puzzles.make` made the file.
"""
