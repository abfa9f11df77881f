"""An agent that fails forfeits that game under its name, and the match goes on."""

from __future__ import annotations

import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
import pytest

from hansa_agents.agent_processes import ACT, OwnProcess
from hansa_agents.arena import Compute, Faults, Keep, MatchError, play_match
from hansa_agents.match_job import Job
from hansa_agents.records import Records
from hansa_agents.workers import Here
from hansa_env import Agent, Ruleset, register
from hansa_env.play.errors import AgentError, AgentFault
from tests.agents.models import Modelled
from tests.shares import one_in

RULESET = Ruleset(3)
FAULTS = {
    "Raises": "raised KeyError: 'lost\\nmy way'",
    "Exits": "raised SystemExit: 3",
    "Nobody": "answered -1, outside",
    "Illegal": "outside 0..",
    "Fractions": "answered float64 of shape (1,)",
    "Ragged": "a list that is no array",
    "Unsaid": "raised Untold: which cannot be told",
    "Lawless": "raised Outlaw: out of bounds",
    "Closes": "raised GeneratorExit:",
    "Veils": "answered a Veiled that is no array (raised GeneratorExit: behind the veil",
    "Nameless": "raised ValueError: lost",
}
#: That of an interrupt too, which does not interrupt the match where agents have a process of their own.
REASONS = FAULTS | {"Interrupts": "raised KeyboardInterrupt:"}
#: A match of which a faulty agent goes wrong in one of two games, after a few decisions: those that end their process are begun
#: again in another, which takes seconds each time.
GOES_WRONG_ONCE = {"ruleset": Ruleset(2), "games": 2, "seed": 2, "max_turns": 5}
#: What can be told of only where agents have a process of their own.
ENDINGS = {"Leaves": "ended its process (exit code 0)", "Dies": "ended its process (exit code 7)"}


@pytest.fixture
def only_the_first_is_limited(monkeypatch):
    """On a busy machine everybody is late now and then: other agents may be, and this one while it is made."""
    asked = OwnProcess._asked

    def unhurried(seating, purpose, place, seconds, *question):
        return asked(seating, purpose, place, seconds if purpose == ACT and place == 0 else None, *question)

    monkeypatch.setattr(OwnProcess, "_asked", unhurried)


@pytest.mark.parametrize("names", [list(REASONS)[:6], list(REASONS)[6:]], ids=" ".join)
def test_a_game_is_forfeited_under_the_name_of_who_failed(names):
    """Six of them at a time, every three at a table in every order: a process of their own is started once a match."""
    match = play_match(
        [f"{name}=tests.agents.faulty:{name}" for name in names], RULESET, 60, max_turns=8, faults=Faults("forfeit")
    )
    assert match.games == 60 and {result.forfeit.agent for result in match.forfeited} == set(names)
    for result in match.forfeited:
        assert result.reason == "forfeit" and not result.truncated
        name = result.forfeit.agent
        assert name == result.agents[result.forfeit.seat]
        assert REASONS[name] in result.forfeit.reason and "\n" not in result.forfeit.reason
        assert result.ranks.tolist() == [2 if agent == name else 0 for agent in result.agents]
    forfeits = Counter(result.forfeit.agent for result in match.forfeited)
    assert {row.agent: row.forfeits for row in match.rows} == forfeits
    shares = sum(row.share * row.seats for row in match.rows)
    assert shares == pytest.approx(60)


@pytest.mark.parametrize(("name", "reason"), one_in(3, ENDINGS.items()))
def test_an_agent_that_ends_its_process_forfeits_and_the_match_goes_on(name, reason):
    match = play_match([f"bad=tests.agents.faulty:{name}", "random"], faults=Faults("forfeit"), **GOES_WRONG_ONCE)
    assert match.games == 2 and len(match.forfeited) == 1
    assert {result.forfeit.reason for result in match.forfeited} == {reason}


def test_an_agent_that_goes_on_as_two_is_one():
    match = play_match(["tests.agents.faulty:Forks", "random"], faults=Faults("forfeit"), **GOES_WRONG_ONCE)
    told = sorted(result.number for result in match.results)
    assert told == [0, 1] and not match.forfeited


@pytest.mark.usefixtures("only_the_first_is_limited")
def test_an_agent_that_lets_nothing_stop_it_is_stopped(monkeypatch):
    monkeypatch.setattr("hansa_agents.agent_processes.GRACE", 0.2)
    specs = ["bad=tests.agents.faulty:Deaf", "random"]
    match = play_match(specs, faults=Faults("forfeit", timeout=0.2), **GOES_WRONG_ONCE)
    assert match.games == 2 and {result.forfeit.reason for result in match.forfeited} == {"took longer than 0.2 s a decision"}


def test_agents_that_are_given_made_are_sent_by_value_and_those_that_cannot_be_are_named():
    class Mine(Agent):
        def act(self, inputs, masks, seats):
            return masks.argmax(1)

    assert play_match([Mine(), "random"], Ruleset(2), 2, max_turns=4, faults=Faults("forfeit")).games == 2
    agent = Mine()
    agent.lock = Lock()
    with pytest.raises(MatchError, match=r"an agent cannot be sent .*lock.*; give it by spec"):
        play_match([agent, "random"], Ruleset(2), 2, faults=Faults("forfeit"))


def test_an_agent_that_is_registered_here_plays_there():
    class Registered(Agent):
        def act(self, inputs, masks, seats):
            return masks.argmax(1)

    register("registered-here", Registered)
    match = play_match(["registered-here", "random"], Ruleset(2), 2, max_turns=4, faults=Faults("forfeit"))
    assert not match.forfeited and "registered-here" in match.agents


def test_an_estimate_that_fails_is_left_out_of_the_record(tmp_path):
    specs = ["tests.agents.faulty:Guesses", "random"]
    play_match(
        specs, Ruleset(2), 1, max_turns=2, faults=Faults("forfeit"), keep=Keep(records=Records(tmp_path, estimates=True))
    )
    record = json.loads((tmp_path / "game-00000.json").read_text())
    asked = {record["agents"][seat].split(":")[-1]: one for (seat, _), one in zip(record["decisions"], record["estimates"])}
    assert asked["Guesses"] is None and asked["random"] is not None


@pytest.mark.parametrize(("name", "reason"), FAULTS.items())
def test_a_fault_is_raised_where_that_is_asked_for(name, reason):
    with pytest.raises(AgentFault) as caught:
        play_match([f"tests.agents.faulty:{name}", "random", "random"], RULESET, 30, max_turns=8)
    assert name in caught.value.name and reason.replace("(1,)", "(") in str(caught.value)


def test_only_the_games_in_which_an_agent_failed_are_forfeited():
    """The same games are forfeited whether they are played side by side or one by one."""
    played = [
        play_match(["tests.agents.faulty:Raises", "random"], RULESET, games, max_turns=8, faults=Faults("forfeit"))
        for games in (6, 36)
    ]
    few, many = ({r.number: (r.forfeit, r.decisions) for r in match.results if r.number < 6} for match in played)
    assert few == many
    assert 0 < len(played[1].forfeited) < 36


def test_every_seat_of_the_agent_at_fault_loses():
    match = play_match(["tests.agents.faulty:Nobody", "random"], RULESET, 60, max_turns=8, faults=Faults("forfeit"))
    two = [result for result in match.forfeited if result.agents.count("random") == 1]
    assert two
    for result in two:
        assert [agent for agent, rank in zip(result.agents, result.ranks) if rank == 0] == ["random"]
        assert sorted(result.ranks.tolist()) == [0, 1, 1]


@pytest.mark.parametrize("on_fault", one_in(2, ["forfeit", "raise"]))
@pytest.mark.parametrize("attribute", ["model_hash", "sees", "sees_hidden", "act"])
def test_an_agent_that_cannot_say_what_it_is_is_named_with_what_it_was_asked(attribute, on_fault):
    spec = f"tests.agents.faulty:Says:{attribute}"
    with pytest.raises(AgentError) as told:
        play_match([spec, "random"], Ruleset(2), 2, max_turns=2, faults=Faults(on_fault))
    assert str(told.value).startswith(f"agent {spec!r}: its attribute {attribute} raised Outlaw: not said (faulty.py, line ")


@pytest.mark.parametrize("model", ["", "x" * 65, "two\nlines"])
def test_a_hash_that_no_results_file_could_have_is_refused_before_the_games(model: str, tmp_path) -> None:
    results = tmp_path / "games.jsonl"
    with pytest.raises(AgentError, match=r"has model_hash '.*'; expected text of 1 to 64 letters, digits and signs"):
        play_match([Modelled(model), "random"], Ruleset(2), 2, max_turns=2, keep=Keep(results))
    assert not results.exists()


def test_an_agent_that_cannot_say_again_what_it_is_is_named(monkeypatch):
    monkeypatch.setattr("tests.agents.faulty.Changes.asked", 0)
    with pytest.raises(AgentError, match=r"faulty:Changes': its attribute model_hash raised ValueError: once only"):
        play_match(["tests.agents.faulty:Changes", "random"], Ruleset(2), 2, max_turns=2)


@pytest.mark.parametrize("name", one_in(2, ["Changes", "Once"]))
def test_an_agent_that_cannot_be_made_again_forfeits_its_games_and_not_the_match(name, tmp_path):
    spec = f"tests.agents.faulty:{name}" + f":{tmp_path / 'ended'}" * (name == "Once")
    match = play_match([f"it={spec}", "random"], Ruleset(2), 20, max_turns=8, faults=Faults("forfeit"))
    reasons = [result.forfeit.reason for result in match.forfeited]
    assert len(match.results) == 20 and {result.forfeit.agent for result in match.forfeited} == {"it"}
    assert any("could not be made again" in reason and "raised ValueError: once only" in reason for reason in reasons)


@pytest.mark.slow
@pytest.mark.usefixtures("only_the_first_is_limited")
def test_nobody_waits_twice_for_an_agent_that_never_begins(monkeypatch):
    """The processes that play know what the one that began the match found out."""
    monkeypatch.setattr("hansa_agents.agent_processes.FIRST_ANSWER", 5.0)
    seatings = []
    real = Job.seating
    monkeypatch.setattr(Job, "seating", lambda job: seatings.append(real(job)) or seatings[-1])
    begun = []
    monkeypatch.setattr(
        "hansa_agents.match_workers.Processes", lambda job, count: begun.append(job) or Here(job, job.seating())
    )
    specs = ["tests.agents.faulty:Sleeper", "random"]
    match = play_match(specs, Ruleset(2), 2, faults=Faults("forfeit", timeout=0.1), compute=Compute(processes=2))
    assert len(match.forfeited) == 2 and begun[0].never_began == {0}
    assert [seating.never_began for seating in seatings] == [{0}, {0}]


@pytest.mark.usefixtures("only_the_first_is_limited")
def test_who_is_waited_for_is_said_once(monkeypatch, caplog):
    monkeypatch.setattr("hansa_agents.agent_processes.NOTICE", 0.2)
    monkeypatch.setattr("hansa_agents.agent_processes.FIRST_ANSWER", 5.0)
    play_match(["bad=tests.agents.faulty:Sleeper", "random"], Ruleset(2), 2, faults=Faults("forfeit", timeout=0.1))
    (said,) = [record.getMessage() for record in caplog.records if "'bad'" in record.getMessage()]
    assert said.startswith("waiting for agent 'bad', which has not answered for 0.2 s") and "ended after 6 s" in said


def test_an_agent_alone_at_the_table_shares_its_own_forfeit():
    match = play_match(["tests.agents.faulty:Nobody"], RULESET, 10, max_turns=8, faults=Faults("forfeit"))
    assert all(np.array_equal(result.ranks, [0, 0, 0]) for result in match.forfeited) and match.forfeited


def test_an_unknown_policy_is_refused():
    with pytest.raises(MatchError, match="on_fault is 'ignore'; expected one of raise, forfeit"):
        play_match(["random"], RULESET, 3, faults=Faults("ignore"))


@pytest.mark.usefixtures("only_the_first_is_limited")
def test_an_agent_that_takes_too_long_forfeits_and_the_match_goes_on():
    specs = ["tests.agents.faulty:Stuck", "random", "random"]
    match = play_match(specs, RULESET, 30, max_turns=8, faults=Faults("forfeit", timeout=0.2))
    assert match.games == 30 and match.forfeited
    for result in match.forfeited:
        assert result.forfeit.agent == "tests.agents.faulty:Stuck"
        assert result.forfeit.reason == "took longer than 0.2 s a decision"


@pytest.mark.usefixtures("only_the_first_is_limited")
@pytest.mark.parametrize("on_fault", one_in(2, ["forfeit", "raise"]))
def test_an_agent_that_never_begins_does_not_hold_the_match_up(monkeypatch, on_fault):
    monkeypatch.setattr("hansa_agents.agent_processes.FIRST_ANSWER", 5.0)
    specs = ["tests.agents.faulty:Sleeper", "random"]
    if on_fault == "raise":
        with pytest.raises(AgentFault, match=r"Sleeper.* took longer than 5 s to begin"):
            play_match(specs, Ruleset(2), 2, faults=Faults(timeout=0.1))
    else:
        match = play_match(specs, Ruleset(2), 2, faults=Faults("forfeit", timeout=0.1))
        assert [game.forfeit.agent for game in match.forfeited] == specs[:1] * 2


def test_a_limit_can_be_that_of_some_alone():
    """Slow takes 0.05 s for a decision, and may."""
    specs = ["slow=tests.agents.faulty:Slow", "other=tests.agents.faulty:Slow"]
    match = play_match(specs, Ruleset(2), 2, max_turns=1, faults=Faults("forfeit", timeout=0.01, limited={"other"}))
    assert match.games == 2 and {game.forfeit.agent for game in match.forfeited} == {"other"}
    both = play_match(specs, Ruleset(2), 2, max_turns=1, faults=Faults("forfeit", timeout=0.01))
    assert {game.forfeit.agent for game in both.forfeited} == {"slow", "other"}


def test_who_is_limited_is_asked_about_one_game_at_a_time():
    """Else a slow decision would be forgiven where quick ones are asked for beside it."""
    specs = ["one=tests.agents.faulty:OneByOne", "other=random"]
    assert play_match(specs, Ruleset(2), 8, max_turns=1, faults=Faults(timeout=600, limited={"one"})).games == 8
    with pytest.raises(AgentFault, match="raised ValueError: several games"):
        play_match(specs, Ruleset(2), 8, max_turns=1, faults=Faults(timeout=600, limited={"other"}))


@pytest.mark.slow
def test_a_limit_holds_in_other_processes_whatever_an_agent_sees():
    """One that sees what is hidden is called otherwise, once it has been made."""
    specs = ["slow=tests.agents.faulty:SlowOracle", "other=tests.agents.faulty:Slow"]
    faults = Faults("forfeit", timeout=0.01, limited={"slow"})
    match = play_match(specs, Ruleset(2), 2, max_turns=1, faults=faults, compute=Compute(processes=2))
    assert {game.forfeit.agent for game in match.forfeited} == {"slow (oracle)"}


@pytest.mark.parametrize(("limits", "said"), [
    ({"timeout": 1.0, "limited": {"slwo"}}, "limited names 'slwo', which does not play"),
    ({"limited": {"random"}}, "limited is given without timeout"),
])  # fmt: skip
def test_who_is_limited_plays_and_has_a_limit(limits, said):
    with pytest.raises(MatchError, match=said):
        play_match(["random"], RULESET, 3, faults=Faults(**limits))


def test_another_thread_is_found_out_when_it_returns():
    with ThreadPoolExecutor(1) as pool:
        limited = pool.submit(
            lambda: play_match(["tests.agents.faulty:Slow"], RULESET, 1, max_turns=8, faults=Faults(timeout=0.01))
        )
    with pytest.raises(AgentFault, match=r"took longer than 0\.01 s a decision"):
        limited.result()


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan")])
def test_a_limit_that_is_none_is_refused(timeout):
    with pytest.raises(MatchError, match="expected seconds above 0; without it there is no limit"):
        play_match(["random"], RULESET, 3, faults=Faults(timeout=timeout))


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "hansa_agents.ray_cluster", raising=False)
    with pytest.raises(MatchError, match=r"ray.*pip install 'hansa-env\[ray\]'"):
        play_match(["random"], RULESET, 3, compute=Compute(ray="local"))
