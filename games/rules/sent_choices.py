"""Choices that are sent back as actions.

A `Choice` describes a kind of action: its cost, the bounds of its amount, and the values of a field
in `among`. An action has no such fields, and refuses fields that it does not have. A program can
send a choice back anyway, whole or with fields of the action added: what it leaves open then
takes the smallest value, that is the least amount and the first of `among`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from games.rules.contract import AnyGame, Choice
from games.rules.reading import wrong_shape

CHOICE_FIELDS: Final = frozenset(Choice.__struct_fields__)
# The fields that no action has: by them a choice is known.
DESCRIBING: Final = frozenset(("cost", "least", "most", "among"))
CARDS: Final = ("cards", "front", "middle", "back")
# How fields are read from the first of `among`.
FIRST: Final[dict[str, Callable[[str], object]]] = {
    "points": int,
    "place": int,
    "yes": "yes".__eq__,
    "on": str,
    "direction": str,
}


class SentBack(NamedTuple):
    """The JSON form of an action, and the choice that it was read from, if it came as one."""

    action: object
    choice: Choice | None = None


def read_back(game: AnyGame, sent: object) -> SentBack:
    """Return the action that is meant; `Unreadable` for a choice in which a field is no such."""
    if not isinstance(sent, Mapping) or DESCRIBING.isdisjoint(sent):
        return SentBack(sent)
    described = {name: value for name, value in sent.items() if name in CHOICE_FIELDS}
    try:
        choice = msgspec.convert(described, Choice)
    except msgspec.ValidationError as error:
        raise wrong_shape(error) from None
    kinds = {str(kind.__struct_config__.tag): kind for kind in game.actions}
    kind = kinds.get(choice.do)
    if kind is None:
        return SentBack(sent)
    names = kind.__struct_fields__
    said = {
        name: value
        for name, value in sent.items()
        if name in names or name == "do" or name not in CHOICE_FIELDS
    }
    return SentBack({**dict(_smallest(choice, names, said)), **said}, choice)


def _smallest(
    choice: Choice, names: tuple[str, ...], said: Mapping[str, Any]
) -> Iterator[tuple[str, object]]:
    """The fields that a choice leaves open, with their smallest values."""
    if "amount" in names and choice.least is not None:
        yield from _bet(choice.among, choice.least)
    if "rounds" in names:
        yield "rounds", choice.least
    if not choice.among:
        return
    yield from ((name, read(choice.among[0])) for name, read in FIRST.items() if name in names)
    if "cards" in names:
        yield "cards", list(choice.among[: choice.least])
    if "declare" in names and not any(said.get(row) for row in CARDS):
        # Rows that are sent along are played; without them only a natural can be declared.
        yield "declare", choice.among[0]


def _bet(kinds: tuple[str, ...], least: int) -> Iterator[tuple[str, object]]:
    """The least bet of a kind: a bonus adds nothing to the box itself."""
    if "bonus" in kinds:
        yield from (("amount", 0), ("bonus", least))
    else:
        yield "amount", least
    if "blind" in kinds:
        yield "blind", True
