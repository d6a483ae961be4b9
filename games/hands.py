"""A hand as the database has it, replayed: the one way to know how it stands.

The live table, the clock, the history page and the audit all come here. The cards are dealt from
the shoe again, the moves are applied again, and what comes out is the state.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from games import shoes
from games.models import Hand, Move
from games.rules.cards import Card
from games.rules.catalogue import game_type
from games.rules.contract import (
    HOUSE,
    Action,
    AnyGame,
    Context,
    Party,
    Stake,
    State,
    action_type,
    replay,
)
from games.rules.errors import Unreadable
from games.rules.reading import wrong_shape

# How moves and turns in the database name the house.
HOUSE_SEAT = 0


def game_from(key: str, options: dict[str, Any]) -> AnyGame:
    """The rules with a table's options; `Unreadable` where the options are none of theirs."""
    try:
        return msgspec.convert(options, game_type(key))
    except msgspec.ValidationError as reason:
        raise Unreadable("options", "The options do not fit: {reason}", reason=reason) from None


def game_of(hand: Hand) -> AnyGame:
    return game_from(hand.game, hand.options)


def stakes_of(hand: Hand) -> tuple[Stake, ...]:
    return msgspec.convert(hand.stakes, tuple[Stake, ...])


def context_of(hand: Hand, game: AnyGame) -> Context:
    return msgspec.convert(hand.context, game.context_type)


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """The cards of the hand in dealing order, and those behind them in the shoe."""
    return shoes.cards(hand.shoe)[hand.first_card :]


def party_of(seat: int) -> Party:
    return seat or HOUSE


def seat_number(party: Party) -> int:
    return HOUSE_SEAT if isinstance(party, str) else party


@cache
def _action_union(kind: type[AnyGame]) -> Any:
    return action_type(kind)


def read_action(game: AnyGame, told: Any) -> Action:
    """An action from its JSON form; `Unreadable` where it is none of this game's."""
    try:
        action: Action = msgspec.convert(told, _action_union(type(game)))
    except msgspec.ValidationError as error:
        found = wrong_shape(error)
        raise Unreadable(
            "action", "That is no action here: {reason}", reason=found.values["reason"]
        ).at(found.path) from None
    return action


def moves_of(game: AnyGame, rows: Iterable[Move]) -> list[tuple[Party, Action]]:
    return [(party_of(row.seat), read_action(game, row.action)) for row in rows]


def opening(hand: Hand, game: AnyGame) -> tuple[Sequence[Stake], Sequence[Card], Context]:
    """What a hand is opened with."""
    return stakes_of(hand), cards_of(hand), context_of(hand, game)


def state_of(hand: Hand, game: AnyGame, rows: Iterable[Move]) -> State:
    """How the hand stands after these moves."""
    state: State = replay(game, *opening(hand, game), moves_of(game, rows))
    return state
