"""Datasets that agents make by playing."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hansa_agents.arena import Keep, play_game, play_match
from hansa_agents.datasets.collect import CARD, COLLECTIONS, SETTINGS, CollectError, _schedule, collect, shares_by_agent
from hansa_agents.records import Records
from hansa_agents.scripted.breed import beginnings
from hansa_agents.scripted.population import written_styles
from hansa_env import Ruleset
from hansa_env.commands.cli import app
from hansa_env.play.dataset import Dataset, dataset_of
from hansa_env.play.dataset_file import NAMES
from hansa_env.play.errors import AgentFault

PAIR = Ruleset(2)
SHORT = {"games": 2, "max_turns": 3}


def test_parts_are_the_same_games_again_and_a_later_call_goes_on(tmp_path: Path) -> None:
    first = collect(["greedy", "random"], PAIR, 60, tmp_path / "first", seed=4, **SHORT)
    assert sum(part.decisions for part in first) >= 60 > sum(part.decisions for part in first[:-1])
    begun = collect(["greedy", "random"], PAIR, 1, tmp_path / "again", seed=4, **SHORT)
    made = []
    again = collect(
        ["greedy", "random"], PAIR, 60, tmp_path / "again", seed=4, **SHORT, on_part=lambda part, _: made.append(part)
    )
    assert len(begun) == 1 < len(first) == len(again) == len(made)
    for one, other in zip(first, again):
        assert one.path.name == other.path.name
        assert all(np.array_equal(getattr(Dataset.load(one.path), name), getattr(Dataset.load(other.path), name),
                                  equal_nan=name == "values") for name in NAMES)  # fmt: skip
    parts = [Dataset.load(part.path) for part in first]
    assert not np.array_equal(parts[0].observations[:20], parts[1].observations[:20]), "each part has games of its own"


def test_of_many_agents_others_play_each_deal(tmp_path: Path) -> None:
    """Else a part of `mixed` would be two deals, hundreds of times each."""
    for players, tables in ((2, 28), (3, 56), (4, 70), (5, 56)):
        schedule = _schedule(COLLECTIONS["mixed"].specs, Ruleset(players), 200, 7)
        assert schedule.games // players == schedule.deals >= 40
        laps = [[schedule.seats(deal * players + turn) for turn in range(players)] for deal in range(tables)]
        assert all(len({frozenset(seats) for seats in one}) == 1 for one in laps), "one table a deal"
        held = np.array(laps).reshape(-1, players)
        assert len({frozenset(one[0]) for one in laps}) == tables
        assert {int((held[:, seat] == place).sum()) for seat in range(players) for place in range(8)} == {len(held) // 8}
    (part,) = collect(["greedy", "random", "scripted:link"], PAIR, 1, tmp_path, games=5, max_turns=2, estimates=False)
    data = Dataset.load(part.path)
    assert part.deals == 3 and data.deals[0::2].tolist() == data.deals[1::2].tolist()
    assert {frozenset(seats) for seats in data.players.tolist()} == {frozenset(pair) for pair in ((0, 1), (0, 2), (1, 2))}


def test_another_collection_is_not_mixed_in(tmp_path: Path) -> None:
    collect(["random"], PAIR, 1, tmp_path, **SHORT)
    with pytest.raises(CollectError, match=r"collection\.json: seed was 0, now 1; name another folder \(--out\)"):
        collect(["random"], PAIR, 1, tmp_path, seed=1, **SHORT)


def test_one_process_at_a_time_plays_for_a_folder(tmp_path: Path) -> None:
    """Another one may see what is there."""
    folder, others = tmp_path / "new", []

    def meanwhile(*_: object) -> None:
        others.append(collect(["random"], PAIR, 1, folder, **SHORT))
        with pytest.raises(CollectError, match="new is in use by another `hansa collect`; wait for it, or name another one"):
            collect(["random"], PAIR, 10_000, folder, **SHORT)

    first = collect(["random"], PAIR, 1, folder, **SHORT, on_part=meanwhile)
    assert len(first) == len(others) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["collection.json", "part-000.npz"]
    collect(["random"], PAIR, first[0].decisions + 1, folder, **SHORT)


def test_two_models_by_one_name_are_not_mixed(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    file.write_bytes(written_styles(beginnings()))
    begun = [collect([f"population:{file}"], PAIR, 1, tmp_path / "out", **SHORT) for _ in range(2)]
    assert [len(parts) for parts in begun] == [1, 1], "the same model goes on"
    file.write_bytes(written_styles(beginnings() + 0.5))
    with pytest.raises(CollectError, match=r"collection\.json: models was .* now .*; name another folder \(--out\)"):
        collect([f"population:{file}"], PAIR, 1000, tmp_path / "out", **SHORT)


@pytest.mark.parametrize(
    ("specs", "ruleset", "seed", "more", "said"),
    [
        (["random", "greedy"], PAIR, 0, {"games": 4}, "it has 4 games, and a part 12"),
        (["random", "greedy"], PAIR, 1, {}, "its games were dealt otherwise"),
        (["random", "greedy"], PAIR, 0, {"estimates": False}, "it does not say what agents thought"),
        (["random", "scripted:link"], PAIR, 0, {}, "it is of random, scripted:link"),
        (["greedy", "random"], PAIR, 0, {}, "others sit there"),
        (["random", "greedy"], Ruleset(2, "second"), 0, {}, "it is of 2 players, second edition"),
    ],
)
def test_a_part_of_another_collection_is_refused(specs, ruleset, seed, more, said: str, tmp_path: Path) -> None:
    asked = {"games": 12, "max_turns": 2}
    own = collect(["random", "greedy"], PAIR, 1, tmp_path / "own", **asked)
    other = collect(specs, ruleset, 1, tmp_path / "other", seed, **(asked | more))
    own[0].path.write_bytes(other[0].path.read_bytes())
    with pytest.raises(CollectError) as refused:
        collect(["random", "greedy"], PAIR, 1, tmp_path / "own", **asked)
    assert f"part-000.npz: is no part of this collection: {said}" in str(refused.value)


@pytest.mark.parametrize("specs", [["greddy"], ["random", "greddy"], ["tests.agents.faulty:Raises"]])
def test_what_cannot_be_collected_leaves_the_folder_free(specs: list[str], tmp_path: Path) -> None:
    with pytest.raises((ValueError, AgentFault)):
        collect(specs, PAIR, 1, tmp_path / "new", **SHORT)
    assert not (tmp_path / "new").exists()
    assert len(collect(["random"], PAIR, 1, tmp_path / "new", **SHORT)) == 1


def test_policies_are_those_of_the_agents(tmp_path: Path) -> None:
    (part,) = collect(["greedy", "random"], PAIR, 1, tmp_path / "with", **SHORT)
    data = Dataset.load(part.path)
    names = np.array(data.agents)[data.players[data.games, data.seats]]
    own = names == "greedy"
    assert own.any() and (data.policies[own, data.actions[own]] == 1).all() and np.isnan(data.values).all()
    legal = data.action_masks[~own]
    assert data.policies[~own] == pytest.approx(legal / legal.sum(1)[:, None], abs=1e-3)
    (part,) = collect(["greedy", "random"], PAIR, 1, tmp_path / "without", estimates=False, **SHORT)
    assert len(Dataset.load(part.path).values) == 0
    shares = shares_by_agent(iter([data]))
    assert {name: seats for name, (seats, _) in shares.items()} == {"greedy": 2, "random": 2}
    assert sum(seats * share for seats, share in shares.values()) == pytest.approx(len(data.ended))


def test_who_is_asked_is_who_played(tmp_path: Path) -> None:
    """A mixture draws by its seed which member plays a seat; each of these puts everything on what it would take."""
    mixture = "mixture:greedy+scripted:link"
    parts = collect([f"mine={mixture}", mixture], PAIR, 300, tmp_path, seed=4, games=4, max_turns=3)
    assert sum(part.decisions for part in parts) >= 300
    for part in parts:
        data = Dataset.load(part.path)
        assert (data.policies[np.arange(len(data.actions)), data.actions] == 1).all()


def test_records_are_asked_about_with_the_seeds_of_their_match(tmp_path: Path) -> None:
    mixture = "mixture:greedy+scripted:link"
    play_match(["random", mixture], PAIR, 6, seed=5, max_turns=3, keep=Keep(records=Records(tmp_path / "games")))
    asked = {}
    for seed in ("5", "6"):
        words = ["--ask", "random", "--ask", mixture, "--seed", seed, "--out", str(tmp_path / f"some-{seed}.npz")]
        run = CliRunner().invoke(app, ["dataset", str(tmp_path / "games"), *words])
        assert run.exit_code == 0, run.output
        data = Dataset.load(tmp_path / f"some-{seed}.npz")
        own = np.array(data.agents)[data.players[data.games, data.seats]] == mixture
        asked[seed] = data.policies[own, data.actions[own]]
    assert (asked["5"] == 1).all() and not (asked["6"] == 1).all()


def test_the_command_writes_parts_and_a_card(tmp_path: Path) -> None:
    words = ["collect", "random", "greedy", "--players", "2", "--decisions", "30", "--games", "2", "--max-turns", "3"]
    run = CliRunner().invoke(app, [*words, "--out", str(tmp_path)])
    assert run.exit_code == 0, run.output
    text, settings = (tmp_path / CARD).read_text("utf-8"), json.loads((tmp_path / SETTINGS).read_text("utf-8"))
    assert "license" not in text and "| `greedy` |" in text, "whose the agents are is not known"
    assert "Games of `random`, `greedy`." in text and settings["specs"] == ["random", "greedy"]
    parts = [Dataset.load(path) for path in tmp_path.glob("*.npz")]
    decisions, deals = (sum(found) for found in zip(*((len(data.actions), len(np.unique(data.deals))) for data in parts)))
    assert f"on {deals} deal" in text and deals < sum(len(data.ended) for data in parts)
    assert f"{decisions:,} decisions" in text and f"{decisions:,} decisions" in run.output
    run = CliRunner().invoke(app, [*words, "--seed", "9", "--out", str(tmp_path)])
    assert run.exit_code == 2 and "name another folder" in run.output


def test_a_collection_that_is_spelt_otherwise_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["collect", "mixd", "--out", str(tmp_path)])
    assert done.exit_code == 2 and done.stderr == "error: unknown collection 'mixd'; did you mean mixed?\n"


def test_without_minari_nothing_is_played_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "minari", None)
    run = CliRunner().invoke(app, ["collect", "random", "--minari", "hansa/mine-v0", "--out", str(tmp_path / "new")])
    assert run.exit_code == 2 and "minari" in run.output and not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["mine", "hansa/mine", "../mine-v0", "hansa/there-v0"])
def test_a_name_that_minari_refuses_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    pytest.importorskip("minari", reason="needs the extra `minari`")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    (tmp_path / "minari" / "hansa" / "there-v0").mkdir(parents=True)
    words = ["collect", "random", "--decisions", "1", "--games", "1", "--max-turns", "1"]
    run = CliRunner().invoke(app, [*words, "--minari", name, "--out", str(tmp_path / "new")])
    assert run.exit_code == 2 and f"Minari {'has a' if 'there' in name else 'can call no'} dataset" in run.output
    assert not (tmp_path / "new").exists()
    run = CliRunner().invoke(app, ["dataset", str(tmp_path), "--minari", name, "--out", str(tmp_path / "new.npz")])
    assert run.exit_code == 2 and "Minari" in run.output


def test_a_collection_of_the_project_has_its_licence(tmp_path: Path) -> None:
    words = ["collect", "mixed", "--decisions", "1", "--games", "1", "--max-turns", "1", "--no-estimates"]
    assert CliRunner().invoke(app, [*words, "--out", str(tmp_path)]).exit_code == 0
    assert (tmp_path / CARD).read_text("utf-8").startswith("---\nlicense: mit\n")


def test_the_card_names_the_command_that_makes_these_parts(tmp_path: Path) -> None:
    words = ["collect", "greedy", "--decisions", "10", "--games", "2", "--players", "2", "--max-turns", "2", "--no-estimates"]
    assert CliRunner().invoke(app, [*words, "--out", str(tmp_path / "one")]).exit_code == 0
    text = (tmp_path / "one" / CARD).read_text("utf-8")
    assert "in 1 part;" in text and "thought" not in text
    (command,) = [line.split() for line in text.splitlines() if line.startswith("    hansa collect")]
    assert CliRunner().invoke(app, [*command[1:], "--out", str(tmp_path / "other")]).exit_code == 0
    one, other = ((tmp_path / name / "part-000.npz").read_bytes() for name in ("one", "other"))
    assert one == other


def test_a_smaller_call_describes_all_that_is_there(tmp_path: Path) -> None:
    """Its card is of every part, with the command that makes them all."""
    words = ["collect", "greedy", "--games", "2", "--players", "2", "--max-turns", "2", "--out", str(tmp_path)]
    parts = collect(["greedy"], PAIR, 60, tmp_path, games=2, max_turns=2)
    assert len(parts) > 1
    assert len(collect(["greedy"], PAIR, 1, tmp_path, games=2, max_turns=2)) == len(parts)
    assert CliRunner().invoke(app, [*words, "--decisions", "1"]).exit_code == 0
    text, total = (tmp_path / CARD).read_text("utf-8"), sum(part.decisions for part in parts)
    assert f"in {len(parts)} parts;" in text and f"--decisions {total} " in text
    again = CliRunner().invoke(app, [*words, "--decisions", "60"])
    assert again.exit_code == 0 and " s\n" not in again.stderr
    assert [f"{part.path.name} is there already: {part.decisions} decisions" in again.stderr for part in parts] == [True] * len(
        parts
    )
    assert (tmp_path / CARD).read_text("utf-8") == text.replace(f"--decisions {total} ", "--decisions 60 ")


def test_minari_gets_the_episodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari", reason="needs the extra `minari`")
    from hansa_env.api.minari import parts_to_minari, to_minari

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    parts = collect(["greedy", "random"], PAIR, 60, tmp_path / "data", seed=4, **SHORT)
    found = None
    for part in parts:
        found = to_minari(Dataset.load(part.path), "hansa/test-v0", into=found, algorithm_name="greedy, random")
    episodes = [one for part in parts for one in Dataset.load(part.path).episodes()]
    again = minari.load_dataset("hansa/test-v0")
    assert again.total_episodes == len(episodes) and again.total_steps == sum(len(one.rows) for one in episodes)
    for one, other in zip(episodes, again.iterate_episodes()):
        np.testing.assert_array_equal(other.observations["observation"], one.observations)
        np.testing.assert_array_equal(other.observations["action_mask"][:-1], one.data.action_masks[one.rows])
        np.testing.assert_array_equal(other.actions, one.data.actions[one.rows])
        assert other.rewards.tolist() == one.data.rewards[one.rows].tolist()
        assert other.terminations.tolist() == [False] * (len(one.rows) - 1) + [True] and not other.truncations.any()
        assert set(other.infos["seat"].tolist()) == {one.seat}
    env = again.recover_environment()
    with pytest.raises(ValueError, match=r"is of 2 players, second edition, .* but hansa/test-v0 is of 2 players, fourth"):
        to_minari(replace(Dataset.load(parts[0].path), ruleset=Ruleset(2, edition="second")), "hansa/test-v0", into=again)
    assert again.total_episodes == len(episodes)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen) and env.unwrapped.core.ruleset == PAIR
    (tmp_path / "broken.npz").write_bytes(b"no")
    with pytest.raises((ValueError, OSError)):
        parts_to_minari([parts[0].path, tmp_path / "broken.npz"], "hansa/half-v0")
    assert "hansa/half-v0" not in minari.list_local_datasets(), "one that is half done would be in the way of the whole one"


def test_minari_is_told_that_a_game_was_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari", reason="needs the extra `minari`")
    from hansa_env.api.minari import to_minari

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    game = play_game(["greedy"], PAIR, 1, max_turns=2)
    to_minari(dataset_of([game.record(), game.rewound(9).record()]), "hansa/open-v0")
    episodes = list(minari.load_dataset("hansa/open-v0").iterate_episodes())
    assert [bool(one.terminations[-1]) for one in episodes] == [True, True, False, False]
    assert [bool(one.truncations[-1]) for one in episodes] == [False, False, True, True]
    assert not any(one.rewards.any() or one.truncations[:-1].any() for one in episodes[2:])
