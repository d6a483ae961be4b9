"""Operations in the form of OpenAPI."""

import re
from typing import Final

from games.web.operations import JSON, Operation
from games.web.payloads import NoFields, reference
from games.web.schema import KEY, Schema, components, in_words

PREFIX: Final = "/api/v1/"
# A part of a route that is a number.
NUMBER: Final = re.compile(r"<int:(\w+)>")
SIGNED_IN: Final[tuple[Schema, ...]] = ({"token": []}, {"cookieAuth": []})


def described_operation(operation: Operation) -> tuple[str, Schema]:
    """The address of an operation, and its description in the reader's language."""
    described: Schema = {
        "operationId": operation.name,
        "description": operation.description,
        "parameters": _parameters(operation),
        "tags": [operation.route.partition("/")[0]],
        "security": [*SIGNED_IN, *([{}] if operation.for_all else [])],
        "responses": {str(status): _response(is_) for status, is_ in operation.responses.items()},
    }
    if operation.body not in (None, NoFields):
        described["requestBody"] = _content(operation.body.__name__) | {"required": True}
    return PREFIX + NUMBER.sub(r"{\1}", operation.route), described


def _parameters(operation: Operation) -> list[Schema]:
    parameters = []
    if operation.has_key:
        parameters.append(_parameter("header", KEY.name, {"type": "string"}, str(KEY.description)))
    (_described,), parts = components([operation.query])
    for name, schema in in_words(parts)[operation.query.__name__]["properties"].items():
        words = schema.pop("description", "")
        schema.pop("default", None)
        parameters.append(_parameter("query", name, schema, words, required=False))
    numbers = NUMBER.findall(operation.route)
    return [*parameters, *(_parameter("path", name, {"type": "integer"}) for name in numbers)]


def _parameter(
    place: str, name: str, schema: Schema, words: str = "", *, required: bool = True
) -> Schema:
    described = {"in": place, "name": name, "schema": schema, "required": required}
    return described | ({"description": words} if words else {})


def _response(what: str) -> Schema:
    """A component by its name, or in words why there is no body."""
    return {"description": what} if " " in what else {"description": "", **_content(what)}


def _content(component: str) -> Schema:
    return {"content": {JSON: {"schema": reference(component)}}}
