"""The API's description: its operations in the form of OpenAPI, and components made of types.

So a client generated from the description knows every field of every game, and no field is
described in another way than it is sent.
"""

import re
from typing import Final, get_type_hints

import msgspec

from games.api import table_payloads as payloads
from games.api.tables import OPERATIONS
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import Choice
from games.rules.sent_choices import DESCRIBING
from games.web.operations import JSON, Operation
from games.web.payloads import NoFields, reference
from games.web.schema import KEY, Schema, components, in_words

# The two parts of a table's response, whose fields are described as those of one.
PARTS: Final = (payloads.PublicTable, payloads.OwnTable)
TYPES: Final = (
    payloads.LobbyResponse,
    payloads.SeatView,
    payloads.ShoeStatus,
    payloads.Receipt,
)


def with_types(result: Schema, **_generator: object) -> Schema:
    """Add operations and components to the description that the framework makes of the rest."""
    paths = result["paths"]
    for operation in OPERATIONS:
        address, described = described_operation(operation)
        paths[address] = {operation.method.lower(): described}
    result["paths"] = dict(sorted(paths.items()))
    result["components"]["schemas"] |= of_games() | of_tables()
    return result


def of_tables() -> Schema:
    """A table, a lobby, and what they consist of, in the reader's language."""
    bodies = dict.fromkeys(
        operation.body for operation in OPERATIONS if operation.body not in (None, NoFields)
    )
    _described, parts = components((*PARTS, *TYPES, *bodies))
    public, own = (parts.pop(part.__name__) for part in PARTS)
    parts["TableView"] = {
        "title": "TableView",
        "description": "A table as you see it: never more than a page would show you.",
        "type": "object",
        "properties": public["properties"] | own["properties"],
        "required": [*public["required"], *own["required"]],
    }
    translated: Schema = in_words(parts)
    return translated


def of_games() -> Schema:
    """The actions and views of every game."""
    games = [game_type(key) for key in GAMES]
    actions = dict.fromkeys(kind for game in games for kind in game.actions)
    views = dict.fromkeys(get_type_hints(game.view)["return"] for game in games)
    described, parts = components([*actions, *views, Choice])
    # Names that several games use come with long module paths; shorten them.
    text = msgspec.json.encode([described, parts]).replace(b"games.rules.", b"")
    described, schemas = msgspec.json.decode(text)
    by_name: Schema = schemas
    by_name["Action"] = {"anyOf": described[: len(actions)]}
    by_name["SentChoice"] = {
        "description": "A choice as it was offered, perhaps with fields of the action added.",
        "allOf": [reference("Choice")],
        "properties": {
            "do": {"enum": sorted({str(kind.__struct_config__.tag) for kind in actions})}
        },
        "anyOf": [{"required": [name]} for name in sorted(DESCRIBING)],
    }
    by_name["View"] = {"anyOf": described[len(actions) : -1]}
    return by_name


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
