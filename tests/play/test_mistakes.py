"""Mistakes are judged by action, from what was known, and said with whose judgement it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import play_game
from hansa_env import Game, Ruleset
from hansa_env.commands.analyse import _show_mistakes
from hansa_env.commands.cli import app
from hansa_env.formats.moves import Move
from hansa_env.play.agents import Agent
from hansa_env.play.estimates import Estimate, estimate_games
from hansa_env.play.judge import check_judge, judge_game, values_decisions
from hansa_env.play.mistakes import Judged, accuracy, actions, judged_actions, worst
from hansa_env.play.registry import make_agent, said_of
from hansa_env.play.rivals import TORCH_AGENTS_VALUE_DECISIONS
from hansa_env.play.whole_action import WholeAction, better_in_words, thought_out
from tests.table.test_take_back import SEED, up_to_a_marker

MOVES = [
    Move(0, 0, 0, "act", "displace"), Move(0, 0, 0, "victim", "1t"), Move(0, 0, 1, "relocate", "put trader a/b"),
    Move(0, 0, 0, "act", "income 0"), Move(1, 1, 1, "act", "place trader a/b"), Move(1, 1, 1, "act", "done"),
]  # fmt: skip


def thought(value: float, *likeliest: tuple[str, float | None]) -> dict:
    return {"likeliest": [[text, 0.5, worth] for text, worth in likeliest], "value": value}


def test_decisions_are_grouped_by_action() -> None:
    assert actions(MOVES) == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]


def test_a_seat_that_decides_in_two_turns_running_took_two_actions() -> None:
    moves = [Move(0, 0, 1, "relocate", "put trader a/b"), Move(1, 1, 1, "marker", "lay swap a/b")]
    assert actions(moves) == [(0, 1), (1, 2)]
    assert actions([moves[0], moves[0]]) == [(0, 2)]


def test_no_action_loses_more_than_the_win_or_keeps_less_than_nothing() -> None:
    lost = [thought(0.9, (move.text, 0.2), ("other", 0.9)) for move in MOVES[:2]]
    (found,) = judged_actions(MOVES[:2], dict(enumerate(lost)))
    assert (found.share, found.loss) == (0.9, 1.0), "twice 0.7"
    assert accuracy([found._replace(share=0.3, loss=0.6), found._replace(loss=0.0)]) == 0.5


def test_of_decisions_that_are_worth_the_same_the_one_that_was_taken_is_the_best() -> None:
    for others in ([("done", 0.4), ("income 0", 0.4)], [("income 0", 0.4), ("done", 0.4)]):
        (found,) = judged_actions(MOVES[3:4], {0: thought(0.4, *others)})
        assert (found.best, found.loss) == ("income 0", 0.0)


def test_an_action_loses_what_its_decisions_lose() -> None:
    estimates = {
        0: thought(0.5, ("displace", 0.45), ("income 0", 0.5)),
        1: thought(0.45, ("1t", 0.3), ("1m", 0.45)),
        2: thought(0.4, ("put trader a/b", 0.4), ("put trader b/c", 0.3)),
        3: thought(0.3, ("income 0", 0.3), ("done", 0.1)),
    }
    found = judged_actions(MOVES, estimates)
    assert found == [
        Judged(0, 2, 0, 1, "1m", "1t", 0.5, 0.2), Judged(2, 3, 1, 2, "put trader a/b", "put trader a/b", 0.4, 0.0),
        Judged(3, 4, 0, 3, "income 0", "income 0", 0.3, 0.0),
    ]  # fmt: skip
    assert worst(found) == [found[0]] and worst(found, least=0.3) == []
    assert accuracy(found[:1]) == pytest.approx(0.6) and accuracy(found[1:]) == 1 and accuracy([]) is None


def test_what_was_hardly_looked_at_is_no_better_than_what_was_weighed() -> None:
    """The likeliest decision has 0.6 of the visits, so those with 0.15 count; a single lucky visit does not."""
    visited = {"likeliest": [["displace", 0.6, 0.4], ["income 0", 0.15, 0.5], ["done", 0.01, 0.9]], "value": 0.4}
    found = judged_actions(MOVES[:1], {0: visited})
    assert (found[0].best, found[0].loss) == ("income 0", pytest.approx(0.1))
    assert judged_actions([MOVES[0]._replace(text="done")], {0: visited})[0].loss == 0, "what was played is judged as it is"


def test_who_values_no_decision_judges_none() -> None:
    moves = MOVES[4:]
    first = thought(0.5, ("place trader a/b", None), ("done", None))
    assert judged_actions(moves, {0: first, 1: thought(0.2, ("done", None), ("income 0", None))}) == []
    assert judged_actions(moves, {0: first, 1: thought(0.2, ("done", None))}) == []
    mixed = judged_actions(moves, {0: first, 1: thought(0.2, ("done", 0.2), ("income 0", 0.1))})
    assert [one.first for one in mixed] == [1]


def test_where_there_was_no_choice_nothing_is_lost() -> None:
    asked = thought(0.5, ("displace", 0.3), ("income 0", 0.5))
    found = judged_actions(MOVES[:2], {0: asked, 1: thought(0.3, ("1t", None))})
    assert [(one.at, one.loss) for one in found] == [(0, 0.2)]


def test_where_the_judge_looked_at_nothing_but_what_was_played_nothing_is_lost() -> None:
    """There was a choice, so the action counts, as it does with a judge that looked at more."""
    sure, unsure = thought(0.5, ("income 0", 0.45)), thought(0.5, ("income 0", 0.45), ("done", 0.4))
    by_sure, by_unsure = (judged_actions(MOVES[3:4], {0: one}) for one in (sure, unsure))
    assert by_sure == by_unsure == [Judged(0, 1, 0, 0, "income 0", "income 0", 0.45, 0.0)]


class Knows(Agent):
    """Thinks that placing is worth 0.6, all else 0.4, each a little more by its seed; counts what it is asked."""

    sees = "games"

    def __init__(self, ruleset: Ruleset, seed: int = 0) -> None:
        self.ruleset, self.seed, self.asked = ruleset, seed, 0

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        self.asked += len(inputs)
        after = np.full(masks.shape, np.nan, np.float32)
        for row, record in enumerate(inputs):
            game = Game.from_state(self.ruleset, record)
            for action in game.legal_actions():
                after[row, action] = (0.6 if game.describe(action).startswith("place") else 0.4) + 0.02 * (self.seed % 5)
        shares = masks / masks.sum(1, keepdims=True)
        return Estimate(shares.astype(np.float32), np.full(len(masks), 0.6, np.float32), after)


def a_game() -> Game:
    game = Game(Ruleset(3), seed=5)
    for text in ("place trader stade/hamburg", "done", "income 0", "place trader stade/hamburg"):
        game.play(text)
    return game


def test_a_game_is_judged_for_its_record_by_the_mean_of_judges() -> None:
    game = a_game()
    judges = [Knows(game.ruleset, seed) for seed in (0, 1)]
    parts: list[tuple[int, int]] = []
    judge_game(game, judges, "knows", [0, 1], lambda done, of: parts.append((done, of)))
    assert [judge.asked for judge in judges] == [4, 4] and parts == [(1, 4), (4, 4)]
    judged = judged_actions(game.moves(), game.estimates)
    assert [(one.first, one.seat, one.loss) for one in judged] == [(0, 0, 0.0), (1, 0, 0.2), (2, 1, 0.2), (3, 1, 0.0)]
    record = Game.from_record(json.loads(json.dumps(game.record())))
    assert record.estimated_by == ["knows", "knows", None], "whose the estimates are stands with them"
    taken = [text for text, _, value in record.estimates[1]["likeliest"] if value is not None]
    assert "done" in taken, "what was decided is among them, however unlikely it is"


class Narrow(Knows):
    """Looks at nothing but placing, unless it may do nothing else."""

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        whole = super().estimate(inputs, masks, seats)
        after = whole.decision_values
        assert after is not None
        looked = (after > 0.5) | ~(after > 0.5).any(1, keepdims=True) & masks
        return whole._replace(
            shares=(looked / looked.sum(1, keepdims=True)).astype(np.float32), decision_values=np.where(looked, after, np.nan)
        )


def test_a_mistake_that_the_judge_did_not_look_at_is_found() -> None:
    """The turn ends with it, so that the next question is another seat's."""
    game = a_game()
    assert list(game.decisions[1]) == [0, "done"] and game.decisions[2][0] == 1
    judges = [Narrow(game.ruleset, seed) for seed in (0, 1)]
    judge_game(game, judges, "narrow", [0, 1])
    judged = judged_actions(game.moves(), game.estimates)
    assert [(one.first, one.loss) for one in judged] == [(0, 0.0), (1, 0.2), (2, 0.2), (3, 0.0)]
    assert worst(judged)[0].played == "done" and worst(judged)[0].best.startswith("place")
    assert [judge.asked for judge in judges] == [6, 6], "asked again about the two that they had not looked at"
    json.dumps(game.record())


class Forgets(Knows):
    """Likes best to move pieces, and fails when it is asked which."""

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        whole = super().estimate(inputs, masks, seats)
        assert whole.decision_values is not None
        for row, record in enumerate(inputs):
            game = Game.from_state(self.ruleset, record)
            if game.asked != "act":
                raise RuntimeError("what did I want to move?")
            if "move" in game.legal():
                whole.decision_values[row, game.parse("move")] = 0.9
        return whole


class Tires(Knows):
    """Is asked about one position, and then somebody presses Ctrl-C."""

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        if self.asked:
            raise KeyboardInterrupt
        return super().estimate(inputs, masks, seats)


class Fetches(Knows):
    """Likes best to lift what it has on Stade–Hamburg, and to put it back there."""

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        shares = np.zeros(masks.shape, np.float32)
        for row, record in enumerate(inputs):
            game = Game.from_state(self.ruleset, record)
            liked = [
                text for text in game.legal() if text.startswith(("lift", "put")) and "stade/hamburg" in text
            ] or game.legal()
            shares[row, game.parse(liked[0])] = 1
        return Estimate(shares)


def test_a_better_action_is_told_whole() -> None:
    """As it was played up to the better decision, and on to its end as the judge likes; never into the next action."""
    game = a_game()
    game.play("done")
    while game.seat:
        game.play("done")
    game.play("place trader bremen/osnabruck")
    first = len(game.decisions)
    whole = thought_out(Fetches(game.ruleset), game.copy(), "move")
    assert whole[:2] == [("act", "move"), ("lift", "lift trader stade/hamburg")]
    assert all(asked != "act" for asked, _ in whole[1:]) and len(whole) > 2
    words = better_in_words(game.ruleset, game.moves(), first, first, whole)
    assert words.startswith("move: lift a trader from Stade–Hamburg, then ") and "put a trader on Stade–Hamburg" in words
    assert better_in_words(game.ruleset, game.moves(), first - 1, first, whole).startswith("place a trader on Bremen–Osnabrück")
    assert len(thought_out(Fetches(game.ruleset), game.copy(), "income 0")) == 1, "the next question begins another action"


def test_a_better_action_ends_where_a_marker_is_seen() -> None:
    """What is laid is known only then, so nobody can have planned for it: here the same seat has a second one to lay."""
    game = play_game(["greedy"], Ruleset(3), seed=0)
    moves = game.moves()
    two = ((n, a, b) for n, (a, b) in enumerate(zip(moves, moves[1:])) if a.asked == b.asked == "marker" and a.seat == b.seat)
    number, laid, then = next(two)
    whole = WholeAction(game.rewound(number))
    assert not whole.is_done
    whole.go_on(laid.text)
    assert (whole.game.seat, whole.game.asked, then.text in whole.game.legal()) == (laid.seat, "marker", True)
    assert whole.is_done and thought_out(Fetches(game.ruleset), game.rewound(number), laid.text) == whole.steps


def test_an_action_is_planned_without_trying_all_that_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a marker was seen is read off the two positions; no game is played for each order of the hidden ones."""
    texts, _ = up_to_a_marker()
    game = Game(Ruleset(3), seed=SEED)
    for text in texts[:-1]:
        game.play(text)
    whole, played, play = WholeAction(game), list[str](), Game.play

    def noted(self: Game, text: str) -> None:
        played.append(text)
        play(self, text)

    monkeypatch.setattr(Game, "play", noted)
    whole.go_on(texts[-1])
    assert played == [texts[-1]]


def test_an_agent_without_values_cannot_judge() -> None:
    class Silent(Knows):
        def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
            return super().estimate(inputs, masks, seats)._replace(decision_values=None)

    game = a_game()
    expected = "silent does not say what the win is worth after each decision; expected one that does, such as tree"
    with pytest.raises(ValueError, match=expected):
        judge_game(game, [Silent(game.ruleset)], "silent", [0])


def test_who_judges_nothing_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansa_env.commands.analyse.make_agent", None)
    for spec in ("ppo", "ppo:runs/mine", "lookahead:most=40"):
        refused = CliRunner().invoke(app, ["analyse", "nowhere.json", "--by", spec])
        said = f"error: {spec} does not say what the win is worth after each decision; expected one that does, such as tree"
        assert refused.exit_code == 2 and " ".join(refused.output.split()) == said


def test_what_agents_say_of_themselves_is_so() -> None:
    game = a_game()
    silent = "greedy", "population", "random", "scripted:blocker", "lookahead:most=8", "ppo"
    for name in (*silent, "rollout:screen_sims=1,final_sims=1", "tree:sims=4", "search:sims=4"):
        found = estimate_games(make_agent(name, game.ruleset), game.ruleset, game.games)
        assert found is not None and values_decisions(name) is (found.decision_values is not None) is (name not in silent)


def test_what_is_known_of_agents_without_torch_is_what_their_classes_say() -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")
    assert {name: said_of(name, "values_decisions") for name in TORCH_AGENTS_VALUE_DECISIONS} == TORCH_AGENTS_VALUE_DECISIONS
    assert values_decisions("hansa_training.agent:PPOAgent") is False


def test_an_agent_of_ones_own_is_refused_only_where_its_class_says_that_it_judges_nothing(monkeypatch) -> None:
    check_judge("tests.play.test_mistakes:Knows")
    check_judge("tests.play.test_mistakes:Missing")  # whoever makes it tells what is wrong
    monkeypatch.setattr(Knows, "values_decisions", False)
    with pytest.raises(ValueError, match="Knows does not say what the win is worth"):
        check_judge("tests.play.test_mistakes:Knows")


def test_the_command_tells_whole_actions(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    game = Game(Ruleset(3), seed=1)
    for text in (
        "place trader bremen/minden",
        "place trader stade/hamburg",
        "displace",
        "route stade/hamburg",
        "trader",
        "trader",
    ):
        game.play(text)
    one = Judged(2, 6, 1, 3, "route bremen/minden", "route stade/hamburg", 0.5, 0.2)
    _show_mistakes(game, Path("game.json"), [one], 5, make_agent("greedy", game.ruleset), "greedy")
    told = " ".join(capsys.readouterr().out.split())
    for route in ("Stade–Hamburg", "Bremen–Minden"):
        assert f"displace on {route} the trader of seat 0 with a trader, then pay a trader" in told
    game.agents = ["greedy", "greedy", "ppo"]
    _show_mistakes(game, Path("game.json"), [one], 5, make_agent("greedy", game.ruleset), "greedy")
    assert " greedy (1) " in capsys.readouterr().out, "of two of one name, which"


def test_the_judgement_is_written_before_whole_actions_are_asked_for(tmp_path: Path) -> None:
    file, out, spec = tmp_path / "game.json", tmp_path / "judged.json", "tests.play.test_mistakes:Forgets"
    file.write_text(json.dumps(a_game().record()))
    failed = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--seat", "0", "--out", str(out)])
    assert failed.exit_code == 2 and "what did I want to move?" in failed.output
    assert json.loads(out.read_text())["estimated_by"] == [spec, None, None]


def test_ctrl_c_shows_and_writes_what_was_judged_by_then(tmp_path: Path) -> None:
    file, out = tmp_path / "game.json", tmp_path / "judged.json"
    file.write_text(json.dumps(a_game().record()))
    words = ["analyse", str(file), "--by", "tests.play.test_mistakes:Tires", "--out", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 130 and "accuracy" in done.stdout
    judged = sum(one is not None for one in json.loads(out.read_text())["estimates"])
    of = len(a_game().decisions)
    assert 0 < judged < of
    assert done.stderr.splitlines()[-1] == f"stopped; {judged} of {of} decisions were judged; the same command begins anew"
    whole = out.write_text("a fuller one")
    again = CliRunner().invoke(app, words)
    assert again.exit_code == 130 and len(out.read_text()) == whole and "judged-2.json has the record" in again.stdout
    assert json.loads((tmp_path / "judged-2.json").read_text())["estimates"]


def test_the_command_tells_who_lost_what_and_writes_whose_estimates_they_are(tmp_path: Path) -> None:
    file, out = tmp_path / "game.json", tmp_path / "judged.json"
    file.write_text(json.dumps(a_game().record()))
    spec = "tests.play.test_mistakes:Knows"
    done = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--reshuffles", "2", "--seat", "0", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "20 %" in done.output and "end the turn" in done.output and "place a" in done.output
    assert json.loads(out.read_text())["estimated_by"] == [spec, None, None]
    assert f"hansa play --resume {file} --until" in " ".join(done.output.split()), "nothing says who else played"
    file.write_text(json.dumps(a_game().record() | {"agents": ["greedy", "random", "ppo"]}))
    done = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--seat", "0"])
    assert f"hansa play person random ppo --resume {file} --until" in " ".join(done.output.split())
    people = (["person", "person:Anna", "ppo"], ""), (["greedy", "person:Anna", "ppo"], "person person:Anna ppo ")
    for agents, again in people:
        file.write_text(json.dumps(a_game().record() | {"agents": agents}))
        done = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--seat", "0"])
        assert f"hansa play {again}--resume {file} --until" in " ".join(done.output.split())
    wrong = CliRunner().invoke(app, ["analyse", str(file), "--by", spec, "--seat", "3"])
    assert wrong.exit_code == 2 and "expected 0 to 2" in wrong.output
