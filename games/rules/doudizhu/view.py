"""The view of a seat or a spectator in a hand of Dou Dizhu."""

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import Seat, View
from games.rules.doudizhu.state import Bid, DoudizhuState, Phase, Turn, to_beat


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
