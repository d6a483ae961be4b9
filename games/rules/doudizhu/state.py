"""The state of a hand of Dou Dizhu, and how its cards are dealt."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from games.rules.cards import Card
from games.rules.contract import Context, Party, Seat, SeatStack, State
from games.rules.doudizhu.combinations import Reading
from games.rules.doudizhu.ranks import in_order
from games.rules.errors import Unreadable

SEATS: Final = 3
DEALT: Final = 51
MIDDLE_END: Final = 54
HAND_MAX: Final = 20

Phase = Literal["call", "play", "over"]


class DoudizhuContext(Context, frozen=True, kw_only=True):
    """The button, by default the last seat; the card that names the first caller, by default 0.

    `redeals` is the number of hands in a row before this one without a call.
    """

    button: Seat | None = None
    wild: Annotated[int, Meta(ge=0, lt=DEALT)] | None = None
    redeals: Annotated[int, Meta(ge=0)] = 0


class Bid(Struct, frozen=True):
    """The call of a seat; 0 is no call."""

    seat: Seat
    points: int


class Turn(Struct, frozen=True, omit_defaults=True):
    """The play of a seat in its turn: cards and what they stand as, or a pass."""

    seat: Seat
    cards: tuple[Card, ...] = ()
    reading: Reading | None = None


class DoudizhuState(State, frozen=True, kw_only=True):
    """A hand; hands stand at the places of their seats among the ascending stakes."""

    phase: Phase
    button: Seat
    wild: int | None
    redeals: int
    first_caller: Seat
    turn: Seat
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[Bid, ...] = ()
    landlord: Seat | None = None
    call: int = 0
    turns: tuple[Turn, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(one.seat for one in self.stakes)

    @property
    def middle(self) -> tuple[Card, ...]:
        return self.cards[DEALT:MIDDLE_END]

    @property
    def highest_call(self) -> int:
        return max((bid.points for bid in self.bids), default=0)

    def place(self, seat: Party) -> int:
        for place, one in enumerate(self.stakes):
            if one.seat == seat:
                return place
        raise AssertionError("asked for the place of a seat that is not in the hand")

    def after(self, seat: int) -> int:
        """The next seat clockwise."""
        return self.stakes[(self.place(seat) + 1) % SEATS].seat


def to_beat(turns: Sequence[Turn]) -> Turn | None:
    """The play to beat; None when two have passed on it, or none was made."""
    return next((turn for turn in reversed(turns[1 - SEATS :]) if turn.cards), None)


def deal(
    stakes: tuple[SeatStack, ...], cards: Sequence[Card], context: DoudizhuContext
) -> DoudizhuState:
    """Seventeen cards each, one at a time from the left of the button, and three in the middle."""
    seats = [one.seat for one in stakes]
    button = context.button or seats[-1]
    if button not in seats:
        raise Unreadable("context_seat", "the button is not a seat of this hand").at(
            "$.context.button"
        )
    left = seats.index(button) + 1
    order = (*seats[left:], *seats[:left])
    dealt = {seat: in_order(cards[at:DEALT:SEATS]) for at, seat in enumerate(order)}
    first_caller = order[(context.wild or 0) % SEATS]
    return DoudizhuState(
        stakes=stakes,
        cards=tuple(cards),
        phase="call",
        button=button,
        wild=context.wild,
        redeals=context.redeals,
        first_caller=first_caller,
        turn=first_caller,
        hands=tuple(dealt[seat] for seat in seats),
    )
