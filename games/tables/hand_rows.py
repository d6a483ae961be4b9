"""The rows of a hand: the columns read of them, and the public and the hidden part of a move."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from games.models import Hand, Move
from games.rules.cards import Card
from games.rules.record import CARD_NAMES
from wallets.storage.sealed_columns import sealed_column


class MoveRow(Protocol):
    """A move, as `games.models.Move` stores it."""

    hand_id: int
    number: int
    seat: int
    turn: int
    by: str
    at: datetime
    action: dict[str, object]
    sealed_action: str


class ResultRow(Protocol):
    """A seat in a hand, as `games.models.HandSeat` stores it."""

    number: int
    player_id: int
    seat_id: int


class HandRows(Protocol):
    """A hand that is over, with its rows."""

    @property
    def hand(self) -> Hand: ...

    @property
    def moves(self) -> Sequence[MoveRow]: ...

    @property
    def seats(self) -> Sequence[ResultRow]: ...


# A move is stored in two parts. Its `action` is what a spectator could see when it was made; if a
# part is hidden, a separate column has the whole action, encrypted. When the hand has ended, the
# parts that it shows are written openly; the rest remains encrypted for good.

ACTION: Final = sealed_column(Move, "sealed_action")
# The form of an arrangement that others see while the hand is live.
LAID_DOWN: Final = {
    "do": "arrange",
    "front": [None] * 3,
    "middle": [None] * 5,
    "back": [None] * 5,
}
# Padding: the encrypted length is a multiple of this and does not tell how long the action is.
FILLED_TO: Final = 256


def hidden_beside(cards: Sequence[Card], shown: Iterable[int]) -> frozenset[str]:
    """The names of all cards but those at the places that are shown."""
    return CARD_NAMES - {cards[place].text for place in shown}


def names_cards(action: object) -> bool:
    """Whether an action names any card, or how a seat arranges its own."""
    if isinstance(action, dict):
        return action.get("do") == "arrange" or any(map(names_cards, action.values()))
    if isinstance(action, list | tuple):
        return any(map(names_cards, action))
    return isinstance(action, str) and action in CARD_NAMES


def without_hidden(
    action: dict[str, object], hidden: frozenset[str], *, over: bool
) -> dict[str, Any]:
    """Return the part of an action that others know while these cards are hidden from them.

    How a seat has arranged its cards, or that it declares a natural, is shown when the hand is
    over.
    """
    if not over and action["do"] == "arrange":
        return LAID_DOWN
    shown: dict[str, object] = _without(action, hidden)
    return shown


def _without(value: object, hidden: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {name: _without(part, hidden) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without(part, hidden) for part in value]
    return None if isinstance(value, str) and value in hidden else value


def write_action(
    row: MoveRow, action: dict[str, object], hidden: frozenset[str], *, over: bool
) -> None:
    """Put an action into a row: what others may know openly, and the whole encrypted."""
    row.action = without_hidden(action, hidden, over=over)
    if row.action == action:
        row.sealed_action = ""
    elif not row.sealed_action:
        row.sealed_action = ACTION.seal(padded(action), row.hand_id, row.number)


def action_of(row: MoveRow) -> dict[str, object]:
    """The whole action of a move, for the rules and for readers who may see all of it."""
    if not row.sealed_action:
        return row.action
    text = ACTION.unseal(row.sealed_action, row.hand_id, row.number)
    action: dict[str, object] = msgspec.json.decode(text)
    return action


def padded(value: object) -> bytes:
    """A value as JSON, padded with spaces."""
    text = msgspec.json.encode(value)
    return text.ljust(-(-len(text) // FILLED_TO) * FILLED_TO)
