"""A round of casino hold'em, and what each seat may see of it.

A view is built from the open cards and has no field for others: blind boxes, the dealer's
cards, and turn and river come in when the round is over, and the cards of another's open box only
if it did not fold, or folded with a bonus bet.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from games.rules.cards import Card
from games.rules.casino_holdem.game import qualifies
from games.rules.contract import Party, Seat, View
from games.rules.house.antes import AnteBox, AnteState
from games.rules.house.sides import SideView
from games.rules.poker import best_of_seven, category

HOLE_CARDS: Final = 2
BOARD_CARDS: Final = 5


class HoldemState(AnteState, frozen=True, kw_only=True):
    """A round; the board is the flop while boxes decide, and all five cards afterwards."""

    board: tuple[Card, ...] = ()


class SeenBox(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A box as a reader sees it: its bets, and its cards and final hand where they lie open."""

    seat: Seat
    box: int
    blind: bool
    ante: int
    bonus: int
    bet: int
    folded: bool
    cards: tuple[Card, ...] = ()
    hand: str | None = None


class HoldemView(View, frozen=True, kw_only=True, tag="casino_holdem"):
    """The table as one reader sees it; `dealer` and the hands come when the round is over."""

    phase: str
    done: tuple[Seat, ...]
    boxes: tuple[SeenBox, ...]
    board: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    dealer_hand: str | None = None
    dealer_qualifies: bool | None = None
    sides: SideView | None = None


def view_of(
    state: HoldemState, seat: int | None, to_act: Iterable[Party], sides: SideView | None
) -> HoldemView:
    """The view of a seat, or of a spectator."""
    turned = shows_dealer(state)
    dealer = best_of_seven((*state.dealer, *state.board)) if turned else None
    return HoldemView(
        seat=seat,
        stakes=state.stakes,
        to_act=tuple(sorted(to_act, key=str)),
        phase=state.phase,
        done=state.done,
        boxes=tuple([_seen_box(state, box, seat) for box in state.boxes]),
        board=state.board,
        dealer=state.dealer if turned else (),
        dealer_hand=None if dealer is None else category(dealer).name.lower(),
        dealer_qualifies=None if dealer is None else qualifies(dealer),
        sides=sides,
    )


def shown_places(state: HoldemState, seat: int | None) -> frozenset[int]:
    """The places, in dealing order, of the cards that a seat, or a spectator, may see."""
    start = board_starts(state)
    shown = set(range(start, start + len(state.board)))
    open_hands = [at for at, box in enumerate(state.boxes) if shows_box(state, box, seat)]
    if shows_dealer(state):
        open_hands.append(len(state.boxes))
    if state.board:
        places = len(state.boxes) + 1
        shown.update([at + dealt * places for at in open_hands for dealt in range(HOLE_CARDS)])
    return frozenset(shown)


def board_starts(state: HoldemState) -> int:
    """Return how many cards are dealt before the board: to every box and to the dealer."""
    return HOLE_CARDS * (len(state.boxes) + 1)


def shows_dealer(state: HoldemState) -> bool:
    """Whether the dealer's cards are turned: once turn and river lie on the board."""
    return len(state.board) == BOARD_CARDS


def shows_box(state: HoldemState, box: AnteBox, seat: int | None) -> bool:
    """Whether a reader may see the cards of a box."""
    if state.phase in ("pool", "over"):
        return not box.folded or box.bonus > 0 or box.seat == seat
    return not box.blind and box.seat == seat


def _seen_box(state: HoldemState, box: AnteBox, seat: int | None) -> SeenBox:
    cards = box.cards if shows_box(state, box, seat) else ()
    hand = None
    if cards and not box.folded and shows_dealer(state):
        hand = category(best_of_seven((*cards, *state.board))).name.lower()
    return SeenBox(
        seat=box.seat,
        box=box.box,
        blind=box.blind,
        ante=box.ante,
        bonus=box.bonus,
        bet=box.bet,
        folded=box.folded,
        cards=cards,
        hand=hand,
    )
