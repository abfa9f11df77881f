"""Records as arrays."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import Keep, play_game, play_match
from hansa_agents.records import Records
from hansa_env import Agent, AgentError, Game, Ruleset, make_agent
from hansa_env.commands.cli import app
from hansa_env.engine.view.observation import observation_fields
from hansa_env.formats.errors import RecordError
from hansa_env.play import dataset
from hansa_env.play.dataset import Dataset, dataset_of
from hansa_env.play.dataset_file import NAMES
from hansa_env.play.estimates import Estimate
from tests.compare import eager

PAIR = Ruleset(2)


@pytest.fixture(scope="module")
def records() -> list[dict]:
    """Three games of two, the last one cut off early."""
    games = [play_game(["greedy"], PAIR, seed) for seed in (1, 2)]
    games.append(games[0].rewound(11))
    return [game.record() for game in games]


def test_every_decision_is_a_row_as_the_deciding_seat_saw_it(records) -> None:
    found = dataset_of(records)
    assert len(found.actions) == sum(len(record["decisions"]) for record in records)
    row = 0
    for number, record in enumerate(records):
        game = Game(PAIR, setup=record["setup"])
        for seat, text in record["decisions"]:
            assert (found.games[row], found.seats[row]) == (number, seat)
            assert game.describe(int(found.actions[row])) == text
            assert (found.observations[row] == game.observation()).all()
            assert (found.action_masks[row] == game.action_mask()).all()
            game.play(text)
            row += 1
        assert found.scores[number].tolist() == game.scores()
        assert np.flatnonzero(found.ranks[number] == 0).tolist() == game.winners()
    assert found.ended.tolist() == [True, True, False]


def test_records_without_a_seed_are_of_one_deal_where_all_that_was_dealt_is_the_same() -> None:
    """Also what nobody has seen: the markers that lie open are the same in every sixth game."""
    first = Game(PAIR, seed=5)
    dealt = [first.copy(reshuffle=number) for number in range(4)]
    assert len({str(game.setup["pile"]) for game in dealt}) == 4
    again = dealt[2].copy()
    again.play(again.legal()[0])
    deals = dataset_of([game.record() for game in (*dealt, again, first)]).deals.tolist()
    assert len(set(deals[:4])) == 4 and deals[4] == deals[2] and deals[5] == 5


@pytest.mark.parametrize("names", [[], ["one"], ["one", "two", "three", "four"]], ids=len)
def test_no_record_is_left_out_for_want_of_a_name(records, names: list[str]) -> None:
    with pytest.raises(ValueError, match=f"{len(names)} names were given for 3 records; expected one for each"):
        dataset_of(records, names)


@pytest.mark.parametrize(("given", "said"), [(3, "'int' is no agent"), (Agent, "Agent is a class; expected an agent of it")])
def test_what_is_asked_is_an_agent(records, given: object, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        dataset_of(records, agents={"greedy": given})


def test_games_on_another_board_become_arrays_too(tmp_path: Path) -> None:
    ruleset = Ruleset(3, board="east")
    games = [play_game(["greedy"], ruleset, seed) for seed in (1, 2)]
    found = dataset_of([json.loads(json.dumps(game.record())) for game in games])
    assert found.scores.tolist() == [game.scores() for game in games]
    assert found.scores.shape == (2, 3, 9) and found.ended.all()
    assert len(found.actions) == sum(len(game.decisions) for game in games)
    found.save(tmp_path / "east.npz")
    again = Dataset.load(tmp_path / "east.npz")
    assert again.ruleset == ruleset and (again.action_masks == found.action_masks).all()


def test_a_game_that_a_limit_cut_off_ends_as_its_environment_tells(tmp_path: Path) -> None:
    """Several of different limits, beside one that a rule ended and one that its record leaves open."""
    ruleset = Ruleset(3, missions=True)
    games = [play_game(["greedy"], ruleset, seed, max_turns=turns) for seed, turns in ((5, 3), (5, 2), (6, 3), (5, 100))]
    games.append(games[-1].rewound(40))
    dataset_of([game.record() for game in games]).save(tmp_path / "some.npz")
    found = Dataset.load(tmp_path / "some.npz")
    assert [game.reason for game in games[:3]] == [None] * 3 and found.ended.tolist() == [True] * 4 + [False]
    for number, game in enumerate(games):
        assert (found.last[number] == [game.observation(seat) for seat in range(3)]).all()
        assert found.scores[number].tolist() == game.scores()
        rows = found.games == number
        assert found.terminations[rows].sum() == 3 * game.over and found.truncations[rows].sum() == 3 * (not game.over)
        rewards = [float(found.rewards[rows & (found.seats == seat)].sum()) for seat in range(3)]
        winners = game.winners() if game.over else []
        assert rewards == pytest.approx([(3 / len(winners) * (seat in winners) - 1) / 2 if winners else 0 for seat in range(3)])


def test_an_open_game_has_no_outcome(records) -> None:
    found = dataset_of(records[2:])
    assert not found.returns.any() and not found.rewards.any() and not found.terminations.any()
    lines = list(found.in_words())
    assert [line["truncation"] for line in lines] == found.truncations.tolist() and found.truncations.sum() == 2
    assert not any(line["termination"] or line["return"] for line in lines)


def test_returns_are_what_the_batch_rewards(records) -> None:
    found = dataset_of(records[:2])
    for number, record in enumerate(records[:2]):
        winners = record["result"]["winners"]
        for seat in range(2):
            wanted = 0.0 if len(winners) == 2 else 1.0 if seat in winners else -1.0
            assert set(found.returns[(found.games == number) & (found.seats == seat)]) == {wanted}


def test_a_file_gives_the_same_arrays_again(records, tmp_path: Path) -> None:
    found = dataset_of(records)
    found.save(tmp_path / "some.npz")
    again = Dataset.load(tmp_path / "some.npz")
    assert again.ruleset == PAIR
    assert again.agents == found.agents == ("greedy",)
    for name in NAMES:
        first, second = getattr(found, name), getattr(again, name)
        assert first.dtype == second.dtype and (first == second).all(), name


def test_games_of_one_deal_say_so(records) -> None:
    """By the seed, or where a record has none by what was set up."""
    again, nameless = (play_game(["random"], PAIR, record["seed"], max_turns=1).record() for record in records[:2])
    found = dataset_of([*records[:2], again]).deals
    assert found.dtype == np.uint64 and found.tolist() == [records[0]["seed"], records[1]["seed"], records[0]["seed"]]
    one, same, other = dataset_of([nameless | {"seed": None}, records[1] | {"seed": None}, records[0] | {"seed": None}]).deals
    assert one == same != other


def test_each_seat_lives_an_episode_of_each_game(records) -> None:
    found = dataset_of(records)
    episodes = list(found.episodes())
    assert [(one.game, one.seat) for one in episodes] == [(game, seat) for game in range(3) for seat in range(2)]
    assert sorted(np.concatenate([one.rows for one in episodes]).tolist()) == list(range(len(found.actions)))
    for one in episodes:
        assert (np.diff(one.rows) > 0).all() and set(found.seats[one.rows]) == {one.seat} and one.agent == "greedy"
        game = Game.from_record(records[one.game])
        before = [False] * (len(one.rows) - 1)
        assert found.terminations[one.rows].tolist() == [*before, game.over]
        assert found.truncations[one.rows].tolist() == [*before, not game.over]
        assert found.rewards[one.rows].tolist() == [*before, found.returns[one.rows[0]]]
        assert one.observations.shape == (len(one.rows) + 1, found.observations.shape[1])
        assert (one.observations[-1] == game.observation(one.seat)).all()


@pytest.mark.parametrize(
    ("ruleset", "seed", "asked"),
    [
        (PAIR, 1, "neutral"),
        (Ruleset(3, favours=True), 2, "spend"),
        (Ruleset(3, pile="promos"), 1, "token"),
        (Ruleset(3, "bigbox", board="east", pile="promos"), 4, "trade-in"),
        (Ruleset(3, board="britannia-2-3", favours="any-board"), 7, "tithe"),
    ],
    ids=str,
)
def test_the_texts_of_a_row_are_those_of_the_game(ruleset: Ruleset, seed: int, asked: str) -> None:
    """Also where a ruleset's games ask only some of the questions, whose places are then not their numbers."""
    game, rng, wanted = Game(ruleset, seed), random.Random(seed), []
    while not game.over:
        wanted.append((game.asked, game.legal()))
        game.play(eager(game, game.position(), rng))
    found = dataset_of([game.record()])
    assert [(found.question(row), sorted(found.legal_texts(row))) for row in range(len(wanted))] == wanted
    assert [found.text(row) for row in range(len(wanted))] == [text for _, text in game.decisions]
    assert asked in {question for question, _ in wanted}


class Thinker(Agent):
    """Takes the first legal action; thinks of all of them, and expects what its observation sums to."""

    sees = "observations"
    name = "thinker"

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        shares = masks / masks.sum(1, keepdims=True)
        return Estimate(shares.astype(np.float32), (inputs.sum(1, dtype=np.int64) % 100 / 100).astype(np.float32))


def test_agents_say_what_they_thought_of_their_own_decisions(tmp_path: Path) -> None:
    games = [play_game([Thinker(), "random"], PAIR, seed, max_turns=2) for seed in (1, 2)]
    found = dataset_of([game.record() for game in games], agents={"thinker": Thinker()})
    own = found.seats == 0
    assert found.policies[own] == pytest.approx(found.action_masks[own] / found.action_masks[own].sum(1)[:, None], abs=1e-3)
    assert found.values[own] == pytest.approx(found.observations[own].sum(1, dtype=np.int64) % 100 / 100, abs=1e-3)
    assert found.policies[own].sum(1) == pytest.approx(1, abs=0.01) and not found.policies[~own].any()
    assert not np.isnan(found.values[own]).any() and np.isnan(found.values[~own]).all()
    assert not found.policies[~found.action_masks].any()
    found.save(tmp_path / "some.npz")
    assert (Dataset.load(tmp_path / "some.npz").policies == found.policies).all()


class LimitReader(Agent):
    """Takes the first legal action; expects less of the win the fewer turns its game may last."""

    name = "reader"

    def act(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(1)

    def estimate(self, inputs: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> Estimate:
        return Estimate(masks / masks.sum(1, keepdims=True), inputs["turn_limit"].astype(np.float32) / 100)


def test_agents_are_asked_of_games_with_their_turn_limits() -> None:
    games = [play_game([LimitReader()], PAIR, seed, max_turns=turns) for seed, turns in ((1, 2), (2, 5), (3, 3))]
    records = [games[0].record(), games[1].rewound(9).record(), {**games[2].record(), "max_turns": None}]
    found = dataset_of(records, agents={"reader": LimitReader()})
    asked = [set(found.values[found.games == game].tolist()) for game in range(3)]
    assert [one.pop() for one in asked] == pytest.approx([0.04, 0.1, 0], abs=1e-3) and not any(asked)
    assert found.ended.tolist() == [True, False, True]


def test_policies_of_an_agent_that_looks_ahead_are_those_it_played_by() -> None:
    specs = ["rollout:screen_sims=1,final_sims=1", "random"]
    match = play_match(specs, PAIR, 2, seed=1, max_turns=3, keep=Keep(actions=True))
    rows = dataset_of([one.record(PAIR, 3) for one in match.results], agents={name: name for name in specs[:1]}, seed=1)
    thought = rows.policies.any(1)
    assert thought.sum() > 10 and (rows.policies.argmax(1) == rows.actions)[thought].all()


def test_what_the_command_refuses_is_refused(records, tmp_path: Path) -> None:
    thought = json.loads(json.dumps(records[0])) | {"seed": None, "estimates": None, "max_turns": None}
    for twice in (records[0], json.dumps(records[0]), thought):
        with pytest.raises(RecordError, match="record 2: is the same game as record 0; name every game once"):
            dataset_of([*records[:2], twice])
    with pytest.raises(ValueError, match="agents: no record names 'gredy'; expected 'greedy'"):
        dataset_of(records, agents={"gredy": "greedy"})
    for alone, kind in ((records[0], "dict"), (json.dumps(records[0]), "str")):
        with pytest.raises(ValueError, match=rf"records is a {kind}; expected a list of records, \[record\] for one alone"):
            dataset_of(alone)  # type: ignore[arg-type]
    found = dataset_of(iter(records))  # type: ignore[arg-type]
    found.save(tmp_path / "some.npz")
    before = (tmp_path / "some.npz").read_bytes()
    with pytest.raises(FileExistsError, match=r"some\.npz exists; name another file"):
        dataset_of(records[:1]).save(tmp_path / "some.npz")
    with pytest.raises(ValueError, match=r"path is .*some; expected a name that ends in \.npz"):
        found.save(tmp_path / "some")
    assert [path.name for path in tmp_path.iterdir()] == ["some.npz"] and (tmp_path / "some.npz").read_bytes() == before


def test_with_the_highest_seed_the_agents_count_on_from_0(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    monkeypatch.setattr(dataset, "make_agent", lambda spec, ruleset, seed: seeds.append(seed))
    dataset.asked_agents({"a": "random", "b": "random"}, "ab", PAIR, 2**64 - 1)
    assert seeds == [2**64 - 1, 0]


def test_like_games_of_two_seeds_are_two_games() -> None:
    """On a small board several seeds deal the same."""
    record = Game(PAIR, seed=1).record()
    assert dataset_of([record, record | {"seed": 2}]).deals.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("policies", lambda array: array / 2, "policies of decision 0 are no shares"),
        ("values", lambda array: array * 0 + 2, "values has 2.0 at decision 0"),
        ("values", lambda array: array[:-1], r"values are of \d+ decisions; expected none, or all"),
        ("policies", lambda array: array[:0], "policies is of float16 and shape"),
    ],
)
def test_estimates_that_cannot_be_are_refused(tmp_path: Path, name: str, change, said: str) -> None:
    path = tmp_path / "some.npz"
    record = play_game(["greedy"], PAIR, 1, max_turns=2).record()
    dataset_of([record], agents={"greedy": make_agent("greedy", PAIR)}).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays["values"] = np.full(len(arrays["actions"]), 0.5, np.float16)
    np.savez_compressed(path, **arrays | {name: change(arrays[name])})
    with pytest.raises(RecordError, match=rf"some\.npz: .*{said}"):
        Dataset.load(path)


def test_a_folder_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is a folder; expected a file, as `hansa dataset` writes it"):
        Dataset.load(tmp_path)


def test_what_is_broken_is_refused_with_its_name(records, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there are no records"):
        dataset_of([])
    broken = json.loads(json.dumps(records[0]))
    broken["decisions"][4][1] = "place trader nowhere"
    with pytest.raises(RecordError, match=r"b: decision 4 of \d+ is illegal: .*nowhere"):
        dataset_of([records[1], broken], ["a", "b"])
    swapped = json.loads(json.dumps(records[0]))
    swapped["decisions"][0][0] = 1
    with pytest.raises(RecordError, match=r"record 0: decision 0 of \d+ is by seat 1, but seat 0 is asked 'act'"):
        dataset_of([swapped])
    early = json.loads(json.dumps(records[0]))
    early["decisions"][0][1] = "claim stade/hamburg"
    with pytest.raises(RecordError, match=r"record 0: decision 0 of \d+ is illegal"):
        dataset_of([early])
    other = json.loads(json.dumps(records[0]))
    other["result"]["winners"] = [1 - other["result"]["winners"][0]]
    with pytest.raises(RecordError, match="record 0: result: winners are"):
        dataset_of([other])
    three = play_game(["random"], Ruleset(3), 1).record()
    with pytest.raises(RecordError, match=r"b: of 3 players, .* but a is of 2 players"):
        dataset_of([records[0], three], ["a", "b"])
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(RecordError, match=r"no\.npz: is no dataset"):
        Dataset.load(tmp_path / "no.npz")


def test_the_command_reads_what_the_arena_wrote(tmp_path: Path) -> None:
    play_match(["random", "greedy"], PAIR, 6, keep=Keep(records=Records(tmp_path / "games")))
    run = CliRunner().invoke(app, ["dataset", str(tmp_path / "games"), "--out", str(tmp_path / "some.npz"), "--games", "4"])
    assert run.exit_code == 0, run.output
    parts = [Dataset.load(tmp_path / f"some-{number}.npz") for number in range(2)]
    assert [len(part.scores) for part in parts] == [4, 2]
    assert f"{sum(len(part.actions) for part in parts):,} decisions of 6 games" in run.output
    run = CliRunner().invoke(app, ["dataset", str(tmp_path)])
    assert run.exit_code == 2 and "there are no records" in run.output


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def write(path: Path, data: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in data.items():
            file.writestr(name, content)


class Code:
    """Writes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


def test_a_file_with_a_pickle_runs_nothing(records, tmp_path: Path) -> None:
    path, mark, made = tmp_path / "some.npz", tmp_path / "ran", io.BytesIO()
    dataset_of(records).save(path)
    np.save(made, np.array([Code(mark)], object))
    for name in members(path):
        write(path, members(path) | {name: made.getvalue()})
        with pytest.raises(RecordError, match="is no dataset"):
            Dataset.load(path)
    assert not mark.exists()
    np.load(io.BytesIO(made.getvalue()), allow_pickle=True)
    assert mark.exists(), "it is a pickle, so that the test above says something"


def test_arrays_are_not_made_before_their_size_is_known(records, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    found = dataset_of(records)
    found.save(path)
    whole = members(path)
    for name, kind in (("observations", "|i1"), ("action_masks", "|u1"), ("actions", "<i2"), ("ended", "|b1")):
        axes = getattr(found, name).ndim
        header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {(10**13,) * axes}, }}".encode()
        huge = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        write(path, whole | {f"{name}.npy": huge})
        with pytest.raises(RecordError, match=f"is no dataset .*{name} is not as long as its header says"):
            Dataset.load(path)
    write(path, whole)
    size = found.observations.nbytes
    with pytest.raises(RecordError, match=rf"take [\d,]+ bytes, and at most {size:,} are read.*Dataset.load\(path, largest="):
        Dataset.load(path, largest=size)


def with_field(name: str, *values: int) -> Callable[[np.ndarray], np.ndarray]:
    """A change of observations of `PAIR`: a field of all of them."""
    field = next(one for one in observation_fields(PAIR) if one.name == name)

    def change(observations: np.ndarray) -> np.ndarray:
        changed = observations.copy()
        changed[:, field.start : field.start + field.size] = values
        return changed

    return change


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("seats", lambda array: array + 100, "seats has 10[01] at decision 0; expected 0 to 1"),
        ("seats", lambda array: array[:-1], "seats is of int8 and shape"),
        ("actions", lambda array: array * 0 - 1, "actions has -1 at decision 0"),
        ("actions", lambda array: array.astype(np.int32), "actions is of int32"),
        ("action_masks", lambda array: array * 0, "which the mask forbids"),
        ("action_masks", lambda array: array | np.uint8([*19 * [0], 1]), "action_masks goes on behind the last action"),
        ("games", lambda array: array[::-1], "games are 0 to 2; expected 0 to 2, game by game"),
        ("games", lambda array: array + 1, "games are 1 to 3; expected 0 to 2"),
        ("observations", lambda array: array[:, :-1], "observations is of int8 and shape"),
        ("observations", lambda array: array * 0 - 1, "observations of decision 0 has entries beyond"),
        ("observations", with_field("question", *20 * [0], 1), "observations are not of one question each"),
        ("observations", with_field("decider", 0, 0), "observations are not of the seats that decide"),
        ("observations", with_field("turn", 0, 0), "observations are not of the seats that decide"),
        ("scores", lambda array: array + 1, "a total is not the sum of the rest"),
        ("ranks", lambda array: array + 1, "ranks are no places"),
        ("ranks", lambda array: array[:, ::-1], "ranks are not those of the totals"),
        ("players", lambda array: array + 1, "players has 1 to 1; expected -1 to 0"),
        ("last", lambda array: array * 0 - 1, "last has entries beyond"),
        ("last", lambda array: array[:-1], "last is of int8 and shape"),
        ("last", lambda array: array[::-1], "last is not of the end of games that ended"),
        ("ended", lambda array: ~array, "last is not of the end of games that ended"),
        ("ended", lambda array: (array.view(np.uint8) + 7).view(np.bool_), "ended has values beside true and false"),
    ],
)
def test_a_value_that_cannot_be_is_refused(records, tmp_path: Path, name: str, change, said: str) -> None:
    path = tmp_path / "some.npz"
    dataset_of(records).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez_compressed(path, **arrays | {name: np.ascontiguousarray(change(arrays[name]))})
    with pytest.raises(RecordError, match=rf"some\.npz: .*{said}"):
        Dataset.load(path)
