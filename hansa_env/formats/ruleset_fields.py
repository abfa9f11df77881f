"""The options of a ruleset as fields of checked data: of a training plan, of a request to the table, of results."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from hansa_env.formats.fields import MarkerKind
from hansa_env.ruleset import Ruleset
from hansa_env.ruleset_options import OPTIONS, Option

MOST_MARKERS = 16  # in the pile


def ruleset_model(name: str, base: type[BaseModel] = BaseModel, **defaults: Any) -> Any:
    """A pydantic model with a field for every option of a ruleset; `ruleset_in` makes it one.

    Args:
        name: of the model.
        base: with its settings.
        defaults: where they are not those of `Ruleset`.
    """
    found: dict[str, Any] = {}
    for option in OPTIONS.values():
        default = defaults.get(option.name, option.default)
        found[option.name] = (type_of(option), Field(default, description=option.description))
    return create_model(name, __base__=base, **found)


def ruleset_in(model: BaseModel) -> Ruleset:
    """The ruleset that the fields of such a model say. Raises RulesetError."""
    return Ruleset(**{name: getattr(model, name) for name in OPTIONS})


def type_of(option: Option) -> Any:
    """The type of an option's value, a list of names as one text."""
    if int in option.types:
        return Annotated[int, Field(ge=min(option.choices), le=max(option.choices))]
    if bool in option.types:
        return bool | Literal[option.choices] if option.choices else bool
    if option.expected:
        return Annotated[str | None, option.expected]
    return Literal[option.choices] if option.default is not None else Literal[option.choices] | None


def type_where_it_is_on(option: Option) -> Any:
    """The type of a module in data that leaves out, or has null for, what is off."""
    if bool in option.types:
        return Literal[(True, *option.choices)] | None
    return Literal[option.choices] | Annotated[list[MarkerKind], Field(max_length=MOST_MARKERS)] | None
