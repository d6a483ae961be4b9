"""The text form of actions: the name, then each field in its order, parted by spaces.

Cards stand one behind the other, a truth is `yes` or `no`, what is empty or absent is `-`, as in
`arrange 2c3c4c 5c6c7c8c9c TcJcQcKcAc -`. Each action reads back as it was written.
"""

from functools import cache

import msgspec

from games.rules.cards import Card, cards_text, parse_cards
from games.rules.contract import Action, AnyGame
from games.rules.errors import Unreadable
from games.rules.reading import wrong_shape

NOTHING = "-"


def action_text(action: Action) -> str:
    """An action in one line."""
    name = type(action).__struct_config__.tag
    values = [_field_text(getattr(action, field)) for field in action.__struct_fields__]
    return " ".join([str(name), *values])


def read_action(game: type[AnyGame], text: str) -> Action:
    """The action that a line of text says, or `Unreadable`."""
    name, *words = text.split() or [""]
    kind = next((kind for kind in game.actions if kind.__struct_config__.tag == name), None)
    if kind is None:
        raise Unreadable("no_such_action", "There is no action {name} here.", name=name[:40])
    fields = msgspec.structs.fields(kind)
    if len(words) != len(fields):
        raise Unreadable(
            "action_fields",
            "{name} takes {count} words: {fields}.",
            name=name,
            count=len(fields),
            fields=", ".join(field.name for field in fields),
        )
    values = {
        field.name: _field_value(field.type, word)
        for field, word in zip(fields, words, strict=True)
    }
    try:
        return msgspec.convert({"do": name, **values}, kind)
    except msgspec.ValidationError as error:
        raise wrong_shape(error) from None
    except UnicodeError:
        raise Unreadable("wrong_shape", "The action is not text.") from None


def _field_text(value: object) -> str:
    if value is None or value == ():
        return NOTHING
    if isinstance(value, tuple):
        return cards_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _field_value(kind: object, word: str) -> object:
    if _holds_cards(kind):
        return () if word == NOTHING else [card.text for card in parse_cards(word)]
    if word == NOTHING:
        return None
    if word.isascii() and word.isdecimal():
        return int(word)
    return {"yes": True, "no": False}.get(word, word)


@cache
def _holds_cards(kind: object) -> bool:
    """Whether a field's type is a row of cards."""
    info = msgspec.inspect.type_info(kind)
    return (
        isinstance(info, msgspec.inspect.VarTupleType)
        and isinstance(info.item_type, msgspec.inspect.EnumType)
        and info.item_type.cls is Card
    )
