"""Cards of models, as the Hugging Face Hub reads them."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

from hansa_agents import make_agent, networks
from hansa_agents.networks import FOLDER, SUFFIX, Shipped, network_for
from hansa_env import Ruleset
from hansa_env.ruleset_options import words_of
from hansa_training.measure import FINAL_SEED
from hansa_training.model_card import front_matter
from hansa_training.plan import Plan
from hansa_training.ship import card

#: Further networks of an agent (`NAME.2`) are on the card of the first.
NAMES = sorted(
    file.name.removesuffix(SUFFIX) for file in FOLDER.iterdir() if re.search(rf"s[a-z0-9-]*{re.escape(SUFFIX)}$", file.name)
)
#: What the Hub knows; a card without a licence or with another kind of value is shown with a warning.
FIELDS = {"license", "library_name", "pipeline_tag", "tags", "model-index"}
#: What results are called: one network among several of an opponent, and the other way.
ALONE = r"one among (?P<others>\d) (?P<opponent>\S+) \((?P<actions>likeliest|sampled) actions\)"
HELD = r"one (?P<opponent>\S+) among \d copies of it"


def head_of(lines: list[str]) -> dict:
    """What stands between the dashes; every value is JSON, which is YAML too."""
    assert lines[0] == "---"
    end = lines.index("---", 1)
    found = {}
    for line in lines[1:end]:
        name, _, value = line.partition(": ")
        found[name] = json.loads(value)
    return found


def check(head: dict, name: str) -> None:
    assert set(head) == FIELDS and head["license"] == "mit" and head["pipeline_tag"] == "reinforcement-learning"
    assert all(isinstance(tag, str) for tag in head["tags"]) and "hansa-teutonica" in head["tags"]
    (model,) = head["model-index"]
    assert model["name"] == f"hansa-{name}" and model["results"]
    for result in model["results"]:
        assert {"type", "name"} <= set(result["task"]) and {"type", "name"} <= set(result["dataset"])
        (metric,) = result["metrics"]
        assert metric["type"] == "win_share" and 0 <= metric["value"] <= 1


@pytest.mark.parametrize("name", NAMES)
def test_every_model_that_comes_with_the_project_has_a_card_whose_head_fits_its_table(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    head = head_of(text.splitlines())
    check(head, name)
    results = head["model-index"][0]["results"]
    for result in results:
        told = re.fullmatch(ALONE, result["dataset"]["name"]) or re.fullmatch(HELD, result["dataset"]["name"])
        given = told.groupdict()
        line = rf"{given['others']} `{re.escape(given['opponent'])}` \| {given['actions']}" if "actions" in given else (
            rf"`{re.escape(given['opponent'])}`"
        )  # fmt: skip
        assert re.search(rf"^\| {line} \| \d+ \| {result['metrics'][0]['value']:.1%} \|", text, re.MULTILINE)
    assert len(results) == len(re.findall(r"^\| .*% \|", text, re.MULTILINE)), "every line of both tables"


def shipped(name: str) -> Shipped:
    return networks._read(FOLDER / f"{name}{SUFFIX}")


@pytest.mark.parametrize("name", NAMES)
def test_a_card_names_its_network_and_how_to_measure_it_again(name: str) -> None:
    text, network = (FOLDER / f"{name}.md").read_text("utf-8"), shipped(name)
    assert f"`{network.model_hash}`" in text
    yardstick = re.match("0.2|narrow", name)
    spec, seed = f"ppo:{yardstick[0]}" if yardstick else "ppo", 77 if name.startswith("0.2") else FINAL_SEED
    games = re.search(r"^\| \d `greedy` \| likeliest \| (\d+) ", text, re.MULTILINE)[1]
    rest = f"{words_of(network.ruleset)} --games {games} --seed {seed}`"
    assert f"`hansa arena --hero {spec} --field greedy {rest}" in text
    if "among copies of it |" in text:
        assert re.search(f"--hero greedy --field {spec}(`| {re.escape(rest)})", text)
    capitals = re.search(r"^\|.*`ppo:[A-Z]", text, re.MULTILINE)
    assert bool(capitals) == ("Names in capitals are networks that do not come with the project." in text)


@pytest.mark.parametrize("name", NAMES)
def test_a_card_says_which_version_of_a_file_its_network_began_with(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text("utf-8").partition("\nMade by ")[2]
    assert text.count("`") % 2 == 0 and not re.search(r"hansa (train|blend|exploit|harden) ", re.sub("`[^`]*`", "", text))
    began = re.search(r"--start (ppo|AGENT|agents/networks)\b|hansa (harden ppo|blend AGENT)", text)
    assert bool(began) == bool(re.search(r" as of commits? [0-9a-f]{8}\b", text))


def test_the_hash_of_a_network_is_that_of_the_agent_that_plays_it() -> None:
    for ruleset in (Ruleset(2), Ruleset(2, missions=True)):
        assert network_for(ruleset).model_hash == make_agent("ppo", ruleset).model_hash
    assert shipped("2-players").model_hash == network_for(Ruleset(2)).model_hash != network_for(Ruleset(2), "0.2").model_hash


def test_a_card_is_made_with_both_directions_and_the_commands_for_them() -> None:
    line = {"opponent": "greedy", "games": 600, "share": 0.5, "low": 0.4, "high": 0.6}
    plan = Plan(players=4, board="east", max_turns=60)
    result = {"plan": plan.model_dump(), "curve": [{"decisions": 7}], "among it": [line]}
    result["final"] = [line | {"actions": "likeliest", "mean_score": 9}]
    text = card(result, [b""], ["abc"], "a minute")
    rest = "--players 4 --board east --max-turns 60 --games 600 --seed 2000003`"
    assert f"`hansa arena --hero ppo --field greedy {rest}" in text and f"`hansa arena --hero greedy --field ppo {rest}" in text
    assert "`abc`" in text and "in capitals" not in text
    first, second = head_of(text.splitlines())["model-index"][0]["results"]
    assert first["dataset"]["name"] == "one among 3 greedy (likeliest actions)"
    assert second["dataset"]["name"] == "one greedy among 3 copies of it"
    assert second["metrics"][0]["name"] == "win share of greedy"
    result |= {"among it": [], "final": [line | {"opponent": "ppo:AGENT", "actions": "likeliest", "mean_score": 9}]}
    text = card(result, [b"", b""], ["abc", "def"], "a minute")
    assert "--field ppo:AGENT " in text and "Names in capitals are " in text and "that in the second" not in text
    assert "`abc` of `ppo:1`, `def` of `ppo:2`" in text


def test_a_head_is_made_of_a_run() -> None:
    final = [{"opponent": "greedy", "actions": "sampled", "share": 0.87654}]
    lines = front_matter(Plan(players=3), final)
    assert lines[-2:] == ["---", ""]
    head = head_of(lines)
    check(head, "3-players")
    assert head["model-index"][0]["results"][0]["metrics"][0]["value"] == 0.87654
    assert head["model-index"][0]["results"][0]["dataset"]["name"] == "one among 2 greedy (sampled actions)"
