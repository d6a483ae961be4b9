"""Replay: the one way to get the state of a stored hand.

The live table, the clock, the history page and the audit all use it. The cards are dealt from the
shoe again, the moves are applied again, and the result is the state.

The rows alone are not enough. While a hand is live, its draws are derived from the shoe on demand,
and `hand_rows.py` encrypts the hidden parts: read contexts and moves through these functions and
never from the columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from games.models import Hand, Move, Shoe
from games.rules.cards import Card
from games.rules.catalogue import game_type, of_today
from games.rules.contract import (
    HOUSE,
    Action,
    AnyGame,
    Context,
    Party,
    SeatStack,
    State,
    action_type,
    replay,
)
from games.rules.errors import Unreadable
from games.rules.reading import wrong_shape
from games.rules.record import CARD_NAMES
from games.rules.shoe import Draw
from games.rules.verifying import drawn_context
from games.shoes import custody
from games.tables.hand_rows import (
    MoveRow,
    action_of,
    hidden_beside,
    names_cards,
    padded,
    write_action,
)
from wallets.storage.sealed_columns import SealBroken, sealed_column
from wallets.values.errors import Refused

# How moves and turns in the database name the house.
HOUSE_SEAT = 0
# Fields of a context that are encrypted from the deal on, and remain so unless the hand shows them.
ENCRYPTED_FIELDS: Final = ("mystery_left",)
CONTEXT: Final = sealed_column(Hand, "sealed_context")


def game_from(key: str, options: dict[str, object]) -> AnyGame:
    """The rules with a table's options; raises `Unreadable` if the options do not fit the game."""
    return _read(key, of_today(key, options))


def _read(key: str, options: dict[str, object]) -> AnyGame:
    try:
        return msgspec.convert(options, game_type(key))
    except msgspec.ValidationError as reason:
        raise Unreadable("options", "The options do not fit: {reason}", reason=reason) from None


def game_of(hand: Hand) -> AnyGame:
    """The rules of a hand, in the edition under which it was played."""
    return _read(hand.game, hand.options)


def stakes_of(hand: Hand) -> tuple[SeatStack, ...]:
    return msgspec.convert(hand.stakes, tuple[SeatStack, ...])


def context_of(hand: Hand, game: AnyGame) -> Context:
    return msgspec.convert(whole_context(hand, game), game.context_type)


def whole_context(hand: Hand, game: AnyGame) -> dict[str, object]:
    """The whole context of a hand as JSON; no reader may see all of it."""
    sealed = msgspec.json.decode(CONTEXT.open(hand)) if hand.sealed_context else {}
    # The row of a hand that has ended has its draws; the audit compares them with the shoe.
    is_live = hand.status == Hand.Status.LIVE
    made = drawn(hand.shoe, hand.round_number, game).fields if is_live else {}
    return {**made, **hand.context, **sealed}


def as_stored(value: object) -> Any:
    """A value in the form in which a column of JSON is read."""
    return msgspec.json.decode(msgspec.json.encode(value))


def sealed_fields(decided: dict[str, object], table_id: int, number: int) -> dict[str, object]:
    """The columns for what is decided before a hand of this table and number opens."""
    hidden = {name: decided[name] for name in ENCRYPTED_FIELDS if name in decided}
    return {
        "context": {name: value for name, value in decided.items() if name not in hidden},
        "sealed_context": CONTEXT.seal(padded(hidden), table_id, number) if hidden else "",
    }


def lay_open_context(hand: Hand, game: AnyGame, *, fell: bool = False) -> tuple[str, ...]:
    """Write the draws of a hand that ends openly, and return the columns to store.

    The shortfall of the mystery pool would reveal its trigger: it is written only if the prize
    fell.
    """
    made = drawn(hand.shoe, hand.round_number, game)
    hand.context = as_stored({**made.fields, **hand.context})
    hand.draws = as_stored(made.draws)
    if not (fell and hand.sealed_context):
        return "context", "draws"
    hand.context |= msgspec.json.decode(CONTEXT.open(hand))
    hand.sealed_context = ""
    return "context", "draws", "sealed_context"


def lay_open_void(hand: Hand) -> tuple[str, ...]:
    """Write the draws of a voided hand openly, because no hand will use them.

    Moves remain as encrypted as they are. A hand can be voided even if it can no longer be
    replayed.
    """
    try:
        return lay_open_context(hand, game_of(hand))
    except (Refused, SealBroken):
        return ()


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """The cards of the hand in dealing order, and those behind them in the shoe."""
    return custody.cards(hand.shoe)[hand.first_card :]


def party_of(seat: int) -> Party:
    return seat or HOUSE


def seat_number(party: Party) -> int:
    return HOUSE_SEAT if isinstance(party, str) else party


def read_action(game: AnyGame, sent: object) -> Action:
    return read_actions(game, [sent])[0]


def read_actions(game: AnyGame, sent: Iterable[object]) -> list[Action]:
    """Actions from their JSON form; raises `Unreadable` if this game has no such action."""
    kind: Any = action_type(type(game))
    try:
        return [msgspec.convert(action, kind) for action in sent]
    except msgspec.ValidationError as error:
        unreadable = wrong_shape(error)
        raise Unreadable(
            "action", "This is not a valid action: {reason}", reason=unreadable.values["reason"]
        ).at(unreadable.path) from None


def moves_of(game: AnyGame, rows: Iterable[MoveRow]) -> list[tuple[Party, Action]]:
    """Every move with its whole action, as the rules need them."""
    rows = list(rows)
    actions = read_actions(game, map(action_of, rows))
    return [(party_of(row.seat), action) for row, action in zip(rows, actions, strict=True)]


def write_move(row: MoveRow, action: Action, game: AnyGame, after: State, *, held: bool) -> None:
    """Put an action into its row, and encrypt what a spectator may not see of it.

    Only the table's players may see a held hand before it is settled.
    """
    data = as_stored(action)
    hidden = frozenset[str]()
    if names_cards(data):
        hidden = CARD_NAMES if held else _hidden(game, after)
    write_action(row, data, hidden, over=not held and not game.to_act(after))


def lay_open_moves(rows: Iterable[Move], game: AnyGame, last: State) -> list[Move]:
    """Write openly the public parts of a finished hand, and return the changed rows."""
    sealed = [row for row in rows if row.sealed_action]
    hidden = _hidden(game, last) if sealed else frozenset()
    for row in sealed:
        write_action(row, action_of(row), hidden, over=True)
    return sealed


def _hidden(game: AnyGame, state: State) -> frozenset[str]:
    """The names of the cards that a spectator does not see."""
    return hidden_beside(state.cards, game.shown(state, None))


def opening(hand: Hand, game: AnyGame) -> tuple[Sequence[SeatStack], Sequence[Card], Context]:
    """Return the stacks, cards and context with which a hand is opened."""
    return stakes_of(hand), cards_of(hand), context_of(hand, game)


def state_of(hand: Hand, game: AnyGame, rows: Iterable[MoveRow]) -> State:
    """Return the state of a hand after these moves."""
    state: State = replay(game, *opening(hand, game), moves_of(game, rows))
    return state


def continued(game: AnyGame, state: State, rows: Iterable[MoveRow]) -> State:
    """Return the state of a hand after these further moves."""
    for party, action in moves_of(game, rows):
        state = game.apply(state, party, action)
    return state


# While a hand runs, its draws are stored nowhere: only the encrypted secret of the shoe gives
# them. So a reader of the database cannot bet on them. The end of the hand writes them to its
# row.


class Drawn(NamedTuple):
    """The drawn fields of a context, and the draws that give them."""

    fields: Mapping[str, object]
    draws: tuple[Draw, ...]

    def __repr__(self) -> str:
        return "Drawn(...)"


def drawn(shoe: Shoe, round_number: int, game: AnyGame) -> Drawn:
    """Return the draws of a round of a mixed shoe, under the options of its table."""
    draws: list[Draw] = []

    def draw(label: str, n: int) -> int:
        draws.append(custody.draw(shoe, round_number, label, n))
        return draws[-1].value

    return Drawn(drawn_context(game, draw), tuple(draws))
