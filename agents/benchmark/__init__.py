"""The benchmark: a fixed suite of games that every agent can play, its score-card, and the file by which others check it.

`suite` says what is played, `frozen` that the agents it is played against are what they were, `play` plays it with the arena,
`cells` keeps what came of it, `card` makes figures of that and `show` shows them; `row_file` writes and reads what is
published, `verify` checks it. `crossplay` lets agents meet in pairs.
"""
