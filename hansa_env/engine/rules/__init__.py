"""The rules, compiled: a function for each, named after it, with its id in the docstring (`rulebook/rules.md`).

What a question offers is written by a function `offer_...(game, tables)`, what follows from an answer by a function
`play_...(game, tables, kind, thing)`; `hansa_env.engine.questions` puts the two side by side.
"""
