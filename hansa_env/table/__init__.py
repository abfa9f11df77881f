"""`hansa table`: a local web application to play, watch and analyse games.

`command` starts it and `serving` listens; `server` puts the application together out of `pages` (requests), `sockets` (what a
browser hears and says while a game runs) and `guard` (who may ask at all), `connections` says how long a request may take to
come; `games` keeps the games that are open, `live_game` is one of them, `game_history` what was decided, `listeners` who hears
of it and `seated_agents` those who answer by themselves; `store` is the file they are kept in, `agent_pool` and `agent_process`
ask agents away from the server's loop, `view` says what a page shows of a position, `analysis` what agents think of it,
`opinions` what they have said before, `knowledge` what they are given for that. The page itself is in `page/`.
"""
