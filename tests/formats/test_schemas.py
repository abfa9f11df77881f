"""The published JSON Schemas are those of the models, and judge the same samples alike."""

from __future__ import annotations

import json
import random

import jsonschema
import pytest
from pydantic import ValidationError

from hansa_env.formats.schema import POSITIONS, RECORDS, json_schemas, published_schema
from tests.formats import mutate
from tests.formats.samples import sample
from tests.formats.test_records import text

FORMATS = POSITIONS | RECORDS
ODD = (2.0, "\ud800", 10**5000)


def of_format(name: str) -> dict:
    """Data that is of a format."""
    if name in RECORDS:
        record = json.loads(text())
        return record | {"decisions": record["decisions"][:5]}
    return sample("four", "relocate")


@pytest.mark.parametrize("name", FORMATS)
def test_the_published_schema_is_up_to_date(name: str) -> None:
    """If not: python -m hansa_env.formats.publish."""
    assert published_schema(name) == json_schemas()[f"{name.replace('/', '-')}.json"]
    jsonschema.Draft202012Validator.check_schema(published_schema(name))


@pytest.mark.parametrize("name", FORMATS)
def test_schema_and_models_judge_alike(name: str) -> None:
    """But for what a JSON Schema cannot tell or its validator not print: 2.0 as a whole number, a text that no UTF-8 can
    say, a number of 5,001 digits."""
    validator = jsonschema.Draft202012Validator(published_schema(name))
    data = of_format(name)
    assert validator.is_valid(data)
    choose = random.Random(name)
    judged = {True: 0, False: 0}
    for path, value in mutate.mutations(data):
        if any(mutate.same(value, odd) for odd in ODD) or choose.random() < 0.95:
            continue
        assert validator.is_valid(data) == is_valid(name, data), (path, value)
        judged[is_valid(name, data)] += 1
    assert judged[True] > 5 and judged[False] > 80


@pytest.mark.parametrize("name", FORMATS)
def test_missing_and_unknown_fields_are_judged_alike(name: str) -> None:
    validator = jsonschema.Draft202012Validator(published_schema(name))
    for field in of_format(name):
        data = of_format(name)
        del data[field]
        assert validator.is_valid(data) == is_valid(name, data) == (field in ("legal", "seed", "max_turns", "agents")), field
        data[field + "s"] = 1
        assert not validator.is_valid(data) and not is_valid(name, data)


def is_valid(name: str, data: dict) -> bool:
    try:
        FORMATS[name].model_validate(data)
    except ValidationError:
        return False
    return True
