"""The state of a hand of Dou Dizhu, its actions, how cards are dealt, and what a seat sees."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import Action, Context, Party, Seat, SeatStack, State, View
from games.rules.doudizhu.combinations import PLAY_SIZE_MAX, Reading
from games.rules.doudizhu.ranks import in_order
from games.rules.errors import Unreadable

CALL_MAX = 3


class Call(Action, frozen=True):
    """A bid; no points are no call."""

    points: Annotated[int, Meta(ge=0, le=CALL_MAX)]


class Play(Action, frozen=True):
    """Cards that lead, or that beat the last play."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=PLAY_SIZE_MAX)]


class Pass(Action, frozen=True):
    """Do not beat the last play."""


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
        return tuple(stake.seat for stake in self.stakes)

    @property
    def middle(self) -> tuple[Card, ...]:
        return self.cards[DEALT:MIDDLE_END]

    @property
    def highest_call(self) -> int:
        return max((bid.points for bid in self.bids), default=0)

    def place(self, seat: Party) -> int:
        for place, stake in enumerate(self.stakes):
            if stake.seat == seat:
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
    seats = [stake.seat for stake in stakes]
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


class OpenedHand(Struct, frozen=True):
    """The cards that a seat still held when the hand ended."""

    seat: Seat
    cards: tuple[Card, ...]


class DoudizhuView(View, frozen=True, kw_only=True, tag="doudizhu"):
    """The table as one seat sees it: its own cards, how many the others hold, all that was played.

    The middle cards are open once there is a landlord, and the rest of the hands once a player
    has won. A hand without a call stays closed.
    """

    phase: Phase
    button: Seat
    wild: int | None
    redeals: int
    first_caller: Seat
    bids: tuple[Bid, ...]
    landlord: Seat | None
    call: int
    cards_left: dict[Seat, int]
    turns: tuple[Turn, ...]
    to_beat: Turn | None
    middle: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    opened: tuple[OpenedHand, ...] = ()


def seat_view(state: DoudizhuState, seat: int | None, waiting: tuple[Seat, ...]) -> DoudizhuView:
    hands = dict(zip(state.seats, state.hands, strict=True))
    table = DoudizhuView(
        seat=seat,
        stakes=state.stakes,
        to_act=waiting,
        phase=state.phase,
        button=state.button,
        wild=state.wild,
        redeals=state.redeals,
        first_caller=state.first_caller,
        bids=state.bids,
        landlord=state.landlord,
        call=state.call,
        cards_left={owner: len(hand) for owner, hand in hands.items()},
        turns=state.turns,
        to_beat=to_beat(state.turns),
        hand=hands.get(seat, ()) if seat is not None else (),
    )
    if state.landlord is None:
        return table
    if state.phase != "over":
        return replace(table, middle=state.middle)
    opened = tuple(OpenedHand(owner, hand) for owner, hand in hands.items() if hand)
    return replace(table, middle=state.middle, opened=opened)


def shown_cards(state: DoudizhuState, seat: int | None) -> set[Card]:
    """Every card that the view of a seat or a spectator holds."""
    cards = {card for turn in state.turns for card in turn.cards}
    if state.landlord is not None:
        cards.update(state.middle)
    if state.phase == "over" and state.landlord is not None:
        return cards.union(*state.hands)
    return cards.union(state.hands[state.place(seat)]) if seat in state.seats else cards
