"""How people are named among the specs of agents: "person", or "person:NAME". Records keep them so."""

from __future__ import annotations

from hansa_env.play.registry import split_spec

#: The spec of a seat that a person holds; "person:NAME" gives the name too.
PERSON = "person"


def is_person(spec: str) -> bool:
    """Whether a spec is a person's."""
    return split_spec(spec)[0] == PERSON


def person_name(spec: str) -> str:
    """The name that a person's spec gives, "" without one; another spec is its own name."""
    return split_spec(spec)[1] or "" if is_person(spec) else spec


def person_spec(name: str) -> str:
    """The spec of a person of that name, which may be empty."""
    return f"{PERSON}:{name}" if name else PERSON
