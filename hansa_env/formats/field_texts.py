"""The texts under the fields of a model, as descriptions in its JSON Schema.

Pydantic would take them from the sources as each model is made, which costs every process up to half a second,
though only who publishes the schemas needs them.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema


def field_texts(model: type[BaseModel]) -> dict[str, str]:
    """The text under each field that has one, those of the models that it is made from among them."""
    texts: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if one is BaseModel or not issubclass(one, BaseModel):
            continue
        try:
            source = inspect.getsource(one)
        except (OSError, TypeError):  # made by a function
            continue
        (definition,) = ast.parse(textwrap.dedent(source)).body
        assert isinstance(definition, ast.ClassDef)
        for field, text in pairwise(definition.body):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(words))),
                ):
                    texts[name] = inspect.cleandoc(words)
    return texts


class WithFieldTexts(GenerateJsonSchema):
    """JSON Schemas in which fields are described by the texts under them."""

    def model_schema(self, schema: Any) -> dict[str, Any]:
        """Of a model, and of each that it has in it."""
        found = super().model_schema(schema)
        model = schema["cls"]
        for name, text in field_texts(model).items():
            found["properties"][model.model_fields[name].alias or name]["description"] = text
        return found
