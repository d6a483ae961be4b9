"""The view of a seat or a spectator in a round of Russian poker.

The owner of an open box sees its cards from the deal on, the five it was dealt and what it holds.
No other seat does before the settlement, and no seat sees a blind box. When all have decided,
the dealer's cards are turned. At the settlement every box that is still in is open, and so are the
first five cards of a box with a bonus bet; a folded hand without one stays with its owner.
"""

from collections.abc import Sequence

from msgspec import Struct

from games.rules.cards import Card
from games.rules.contract import Party, Seat, View
from games.rules.house.sides import Segment, SideView, prizes_shown
from games.rules.russian_poker.boxes import Answer, Drawn, RussianBox, RussianState
from games.rules.russian_poker.hands import read_hand


class BoxView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A box, the same for all viewers: its owner, its bets, and their total."""

    box: int
    seat: Seat
    blind: bool = False
    ante: int
    bonus: int = 0
    bet: int = 0
    folded: bool = False
    drawn: Drawn = ""
    exchanged: int = 0
    insurance: int = 0
    answer: Answer = ""
    committed: int
    # Which of the three prizes it has picked, and once the round is over all three as they lay.
    pick: int = 0
    prizes: tuple[int, ...] = ()


class HandView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The cards of a box that lie open to the reader, and what they hold.

    The five it was dealt are shown to its owner, and to all for its bonus bet; a folded hand that
    is turned for that alone shows nothing else.
    """

    box: int
    dealt: tuple[Card, ...] = ()
    cards: tuple[Card, ...] = ()
    main: str | None = None
    second: str | None = None


class RussianView(View, frozen=True, kw_only=True, tag="russian_poker"):
    """The table as its reader may see it."""

    phase: str
    done: tuple[Seat, ...]
    boxes: tuple[BoxView, ...]
    hands: tuple[HandView, ...]
    # Those of the dealer's first five that are turned, and what was drawn for the highest.
    dealer: tuple[Card, ...]
    dealer_draws: tuple[Card, ...]
    dealer_qualifies: bool | None
    sides: SideView | None


def view_round(
    state: RussianState,
    seat: int | None,
    to_act: tuple[Party, ...],
    sides: SideView | None,
    prizes: Sequence[Segment],
) -> RussianView:
    hands = [_hand_view(state, box, seat) for box in state.boxes if box.cards]
    return RussianView(
        seat=seat,
        stakes=state.stakes,
        to_act=to_act,
        phase=state.phase,
        done=state.done,
        boxes=tuple([_box_view(box, _prizes(state, box, prizes)) for box in state.boxes]),
        hands=tuple([hand for hand in hands if hand]),
        dealer=_turned(state),
        dealer_draws=state.dealer_draws,
        dealer_qualifies=state.dealer_qualifies if state.dealer_turned else None,
        sides=sides,
    )


def shown_cards(state: RussianState, seat: int | None) -> set[Card]:
    """The cards that a seat, or a spectator, may see now."""
    hands = [_hand_view(state, box, seat) for box in state.boxes if box.cards]
    seen = {card for hand in hands if hand for card in (*hand.dealt, *hand.cards)}
    return seen | {*_turned(state), *state.dealer_draws}


def _turned(state: RussianState) -> tuple[Card, ...]:
    """The open ones of the dealer's first five cards."""
    return state.dealer if state.dealer_turned else state.dealer[:1]


def _prizes(state: RussianState, box: RussianBox, prizes: Sequence[Segment]) -> tuple[int, ...]:
    """The three prizes that a box has picked from, as they lie there when they are turned."""
    number = state.draws.lucky_game
    if not box.pick or number is None or state.phase not in ("pool", "over"):
        return ()
    return prizes_shown(prizes, number, box.pick)


def _box_view(box: RussianBox, prizes: tuple[int, ...]) -> BoxView:
    return BoxView(
        box=box.box,
        seat=box.seat,
        blind=box.blind,
        ante=box.ante,
        bonus=box.bonus,
        bet=box.bet,
        folded=box.folded,
        drawn=box.drawn,
        exchanged=box.exchanged if box.drawn == "exchange" else 0,
        insurance=box.insurance,
        answer=box.answer,
        committed=box.committed,
        pick=box.pick,
        prizes=prizes,
    )


def _hand_view(state: RussianState, box: RussianBox, seat: int | None) -> HandView | None:
    """The hand in a box, as far as the reader may see it."""
    settled = state.phase in ("pick", "pool", "over")
    own = box.seat == seat and (settled or not box.blind)
    dealt = box.dealt if own or (settled and box.bonus) else ()
    if not own and not (settled and box.is_in):
        return HandView(box=box.box, dealt=dealt) if dealt else None
    hand = read_hand(box.cards)
    return HandView(
        box=box.box,
        dealt=dealt,
        cards=box.cards,
        main=hand.main.name if hand.main else None,
        second=hand.second.name if hand.second else None,
    )
