"""Bots written by hand: what they are given, and what becomes of their answers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from hansa_agents import Bot
from hansa_agents.arena import play_match
from hansa_env import Game, HansaBatch, Ruleset, make_agent
from hansa_env.engine import kernels
from hansa_env.play import registry
from hansa_env.play.errors import AgentFault
from hansa_env.play.registry import seed_at

RULESET = Ruleset(3)


class Chooser(Bot):
    """Chooses at random, and keeps what it was asked."""

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        super().__init__(ruleset, seed)
        self.seen: list[tuple] = []

    def choose(self, game: Game, random) -> str:
        legal = game.legal()
        self.seen.append((game.seat, game.asked, legal))
        choice = random.choice(legal)
        game.play(choice)  # a copy: nobody minds
        return choice


def test_it_is_asked_what_the_games_ask_and_its_words_are_played() -> None:
    batch, bot = HansaBatch(6, RULESET, seed=3), Chooser(RULESET, 5)
    for _ in range(60):
        games = [Game.from_batch(batch, i) for i in range(6)]
        expected = [(game.seat, game.asked, game.legal()) for game in games]
        before = batch.games.copy()
        actions = bot.act(batch.games, batch.action_mask, batch.seat)
        assert bot.seen[-6:] == expected and (batch.games == before).all()
        assert batch.action_mask[np.arange(6), actions].all()
        batch.step(actions)


def test_its_numbers_belong_to_the_moment_and_not_to_the_batch() -> None:
    batch = HansaBatch(12, RULESET, seed=3)
    chosen = Chooser(RULESET, 5).act(batch.games, batch.action_mask, batch.seat)
    rows = np.array([7, 2])
    assert (Chooser(RULESET, 5).act(batch.games[rows], batch.action_mask[rows], batch.seat[rows]) == chosen[rows]).all()
    assert (Chooser(RULESET, 6).act(batch.games, batch.action_mask, batch.seat) != chosen).any() and len(set(chosen)) > 4


def test_games_that_are_over_are_not_asked_about() -> None:
    batch, bot = HansaBatch(2, RULESET, seed=3, max_turns=1), Chooser(RULESET)
    while not batch.ended.all():
        batch.step(bot.act(batch.games, batch.action_mask, batch.seat))
    asked = len(bot.seen)
    assert (bot.act(batch.games, batch.action_mask, batch.seat) == -1).all() and len(bot.seen) == asked


def test_what_is_no_legal_decision_is_its_own_fault() -> None:
    class Wrong(Bot):
        def choose(self, game: Game, random) -> str:
            return "claim the moon"

    with pytest.raises(AgentFault, match="claim the moon"):
        play_match([Wrong(RULESET), "random", "random"], RULESET, 3)


def test_a_text_that_is_no_decision_is_told_with_its_method_and_with_what_is_legal() -> None:
    class Wrong(Bot):
        def choose(self, game: Game, random) -> str:
            return "place trader hamburg"

    line = Wrong.choose.__code__.co_firstlineno
    said = rf"chose, in the method at test_bot\.py, line {line}, what cannot be played: .* legal: place trader stade/hamburg, "
    with pytest.raises(AgentFault, match=said):
        play_match([Wrong(RULESET)], RULESET, 1, max_turns=2)


@pytest.mark.parametrize("answer", [0, None, ["done"]], ids=repr)
def test_who_answers_no_text_is_told_what_is_one(answer: object) -> None:
    class Wrong(Bot):
        def choose(self, game: Game, random) -> str:
            return answer  # type: ignore[return-value]

    with pytest.raises(AgentFault, match=r"choose\(\) returned .*; expected one of game.legal\(\), for an index game.describe"):
        play_match([Wrong(RULESET)], RULESET, 1, max_turns=2)


def test_who_forgets_the_base_class_is_told_what_to_call() -> None:
    class Forgets(Bot):
        def __init__(self, ruleset: Ruleset, seed: int) -> None:
            self.mine = seed

        def choose(self, game: Game, random) -> str:
            return game.legal()[0]

    with pytest.raises(AgentFault, match=r"Forgets.__init__ does not call super\(\).__init__\(ruleset, seed\)"):
        play_match([Forgets(RULESET, 1)], RULESET, 1, max_turns=2)


class Peeks(Chooser):
    """Deals the games of a match whose seed is its own, or near it, and notes which of them it is asked in."""

    found: ClassVar[set[int]] = set()

    def choose(self, game: Game, random) -> str:
        seeds = np.empty((3, 8), np.uint64)
        for place, row in enumerate(seeds):
            kernels.batch_seeds(np.uint64((self.seed - place) % 2**64), 0, row)
        dealt = HansaBatch(seeds.size, RULESET, seeds=seeds.ravel().tolist()).games["noise"].tolist()
        Peeks.found |= {int(game.state["noise"])} & set(dealt)
        return super().choose(game, random)


@pytest.mark.parametrize(("bot", "finds"), [(f"{__name__}:Peeks", False), ("peeks", True)])
def test_a_bot_of_a_module_cannot_work_out_the_deals_from_its_seed(
    bot: str, finds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one that was given the seed itself finds every one of them."""
    monkeypatch.setattr(registry, "_factories", {"peeks": Peeks})
    monkeypatch.setattr(Peeks, "found", set())

    def games() -> list[tuple]:
        match = play_match(["random", bot, "greedy"], RULESET, 6, seed=2**62 + 12345, max_turns=1)
        return [(one.seed, one.scores.tolist(), one.decisions) for one in match.results]

    played = games()
    assert Peeks.found == ({int(Game(RULESET, seed).state["noise"]) for seed, *_ in played} if finds else set())
    assert games() == played, "the same seed gives the same games"


def test_agents_that_are_known_by_name_keep_their_seeds() -> None:
    bot = f"{__name__}:Chooser"
    random, alone, mixture = (make_agent(spec, RULESET, 7) for spec in ("random", bot, f"mixture:random+{bot}"))
    assert random.seed == 7 and alone.seed == make_agent(bot, RULESET, 7).seed not in (7, make_agent(bot, RULESET, 8).seed)
    assert [one.seed for one in mixture.members] == [seed_at(7, 0), make_agent(bot, RULESET, seed_at(7, 1)).seed]
    assert 0 <= alone.seed < 2**63
