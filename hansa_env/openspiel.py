"""Hansa Teutonica for OpenSpiel; importing this makes the game known.

    import pyspiel, hansa_env.openspiel
    game = pyspiel.load_game("python_hansa_teutonica(players=3,edition=bigbox,board=east)")

Parameters are those of `Ruleset` and `max_turns`, `reward`, `deals` (`HansaTeutonicaGame` says how chance is handled).
`game_string(ruleset)` names any ruleset. Needs `pip install open_spiel`.
"""

from hansa_env.extras import what_is_missing

try:
    from hansa_env.api.openspiel import HansaTeutonicaGame, HansaTeutonicaState, game_string, register
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"hansa_env.openspiel: {what_is_missing(error)}", name=error.name) from None

register()

__all__ = ["HansaTeutonicaGame", "HansaTeutonicaState", "game_string"]
