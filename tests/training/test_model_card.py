"""Cards of models, as the Hugging Face Hub reads them."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

from hansa_agents.networks import FOLDER, SUFFIX
from hansa_training.model_card import front_matter
from hansa_training.plan import Plan

#: Further networks of an agent (`NAME.2`) are on the card of the first.
NAMES = sorted(
    file.name.removesuffix(SUFFIX) for file in FOLDER.iterdir() if re.search(rf"s[a-z0-9-]*{re.escape(SUFFIX)}$", file.name)
)
#: What the Hub knows; a card without a licence or with another kind of value is shown with a warning.
FIELDS = {"license", "library_name", "pipeline_tag", "tags", "model-index"}


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
    for result in head["model-index"][0]["results"]:
        others, opponent = result["dataset"]["name"].split()[2:4]
        actions = "sampled" if "sampled" in result["dataset"]["name"] else "likeliest"
        share = f"{result['metrics'][0]['value']:.1%}"
        assert re.search(rf"\| {others} `{re.escape(opponent)}` \| {actions} \| \d+ \| {share} \|", text)


def test_a_head_is_made_of_a_run() -> None:
    final = [{"opponent": "greedy", "actions": "sampled", "share": 0.87654}]
    lines = front_matter(Plan(players=3), final)
    assert lines[-2:] == ["---", ""]
    head = head_of(lines)
    check(head, "3-players")
    assert head["model-index"][0]["results"][0]["metrics"][0]["value"] == 0.877
    assert head["model-index"][0]["results"][0]["dataset"]["name"] == "one among 2 greedy (sampled actions)"
