"""The state of a thirteen-card hand, its actions, and how cards are dealt."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from games.rules.cards import Card
from games.rules.contract import Action, Amount, Context, Party, Seat, SeatStack, State
from games.rules.errors import Unreadable
from games.rules.thirteen.naturals import Natural

Direction = Literal["clockwise", "anticlockwise", "opposite"]


class Bet(Action, frozen=True):
    """A punter's stake per unit, placed before the deal."""

    amount: Amount


class Exchange(Action, frozen=True):
    """The banker's order: how often everyone passes three cards on, and which way."""

    rounds: Annotated[int, Meta(ge=0, le=2)]
    direction: Direction = "clockwise"


class Give(Action, frozen=True):
    """The three cards a seat passes on in an exchange."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=3, max_length=3)]


class Arrange(Action, frozen=True):
    """A seat's final rows; with a natural declared they may be left empty."""

    front: Annotated[tuple[Card, ...], Meta(max_length=3)] = ()
    middle: Annotated[tuple[Card, ...], Meta(max_length=5)] = ()
    back: Annotated[tuple[Card, ...], Meta(max_length=5)] = ()
    declare: Natural | None = None

    @property
    def rows(self) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        return self.front, self.middle, self.back


HAND_SIZE = 13
Phase = Literal["bet", "exchange", "give", "arrange", "over"]


class ThirteenContext(Context, frozen=True, kw_only=True):
    """The seat with the button and the banker, if there is one; the last seat by default."""

    button: Seat | None = None
    banker: Seat | None = None


class ThirteenState(State, frozen=True, kw_only=True):
    """A hand; a seat's values are at the seat's place among the ascending stakes."""

    phase: Phase
    button: int
    banker: int | None
    hands: tuple[tuple[Card, ...], ...]
    bets: tuple[int, ...]
    arranged: tuple[Arrange | None, ...]
    exchanges: int = 0
    exchanges_left: int = 0
    direction: Direction | None = None
    gifts: tuple[tuple[Card, ...], ...] = ()
    received: tuple[tuple[Card, ...], ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(stake.seat for stake in self.stakes)

    def place(self, seat: Party) -> int:
        for place, stake in enumerate(self.stakes):
            if stake.seat == seat:
                return place
        raise AssertionError("asked for the place of a seat that is not in the hand")


def order_from_left(seats: Sequence[int], dealer: int) -> tuple[int, ...]:
    """The seats in the order of dealing: from the left of the dealer, who is last."""
    start = seats.index(dealer) + 1
    return (*seats[start:], *seats[:start])


def deal(
    stakes: tuple[SeatStack, ...],
    cards: Sequence[Card],
    context: ThirteenContext,
    *,
    has_banker: bool,
) -> ThirteenState:
    """Thirteen cards each, one at a time; where there is a banker, hidden until bets are placed."""
    seats = [stake.seat for stake in stakes]
    for name, seat in (("button", context.button), ("banker", context.banker)):
        if seat is not None and seat not in seats:
            raise Unreadable(
                "context_seat", "The {name} is not a seat of this hand.", name=name
            ).at(f"$.context.{name}")
    if context.banker is not None and not has_banker:
        raise Unreadable("no_banker", "There is no banker at this table.").at("$.context.banker")
    button = context.button or context.banker or seats[-1]
    banker = context.banker or button if has_banker else None
    order = order_from_left(seats, banker or button)
    dealt = {
        seat: tuple(cards[at : HAND_SIZE * len(seats) : len(seats)])
        for at, seat in enumerate(order)
    }
    return ThirteenState(
        stakes=stakes,
        cards=tuple(cards),
        phase="bet" if has_banker else "arrange",
        button=button,
        banker=banker,
        hands=tuple(dealt[seat] for seat in seats),
        bets=(0,) * len(seats),
        arranged=(None,) * len(seats),
        received=((),) * len(seats),
    )
