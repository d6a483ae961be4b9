"""The view of a seat or a spectator in a thirteen-card hand."""

import msgspec

from games.rules.cards import Card
from games.rules.contract import Seat, View
from games.rules.poker import CATEGORY_NAMES
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import Shown
from games.rules.thirteen.state import Arrange, Direction, Phase, ThirteenState


class ShownHand(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that a seat showed at the end; a declared natural shows its cards unarranged."""

    seat: Seat
    arranged: Arrange
    hand: tuple[Card, ...]
    foul: bool
    natural: Natural | None
    categories: tuple[str, ...]


class ThirteenView(View, frozen=True, kw_only=True, tag="thirteen"):
    """The table as one seat sees it: its own cards while the hand runs, all cards at the end."""

    phase: Phase
    button: Seat
    banker: Seat | None
    bets: dict[Seat, int]
    exchanges: int
    exchanges_left: int
    direction: Direction | None
    hand: tuple[Card, ...] = ()
    received: tuple[Card, ...] = ()
    gift: tuple[Card, ...] = ()
    arranged: Arrange | None = None
    shown: tuple[ShownHand, ...] = ()


def seat_view(
    state: ThirteenState, seat: int | None, waiting: tuple[Seat, ...], shown: tuple[Shown, ...]
) -> ThirteenView:
    """Return a seat's or spectator's view; `shown` is empty until the hand is over."""
    table = ThirteenView(
        seat=seat,
        stakes=state.stakes,
        to_act=waiting,
        phase=state.phase,
        button=state.button,
        banker=state.banker,
        bets={owner: bet for owner, bet in zip(state.seats, state.bets, strict=True) if bet},
        exchanges=state.exchanges,
        exchanges_left=state.exchanges_left,
        direction=state.direction,
        shown=tuple(shown_hand(state, hand) for hand in shown),
    )
    if seat not in state.seats or state.phase == "bet":
        return table
    place = state.place(seat)
    return msgspec.structs.replace(
        table,
        hand=state.hands[place],
        received=state.received[place],
        gift=state.gifts[place] if state.gifts else (),
        arranged=state.arranged[place],
    )


def shown_hand(state: ThirteenState, shown: Shown) -> ShownHand:
    place = state.place(shown.seat)
    arranged = state.arranged[place]
    assert arranged is not None
    return ShownHand(
        seat=shown.seat,
        arranged=arranged,
        hand=state.hands[place],
        foul=shown.foul,
        natural=shown.natural,
        categories=tuple(CATEGORY_NAMES[row.category] for row in shown.rows),
    )
