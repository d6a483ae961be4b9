"""The course of a round of casino hold'em: options, decisions and settlement."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import ACE, Card
from games.rules.contract import Action, Choice, Choices, Party, Seat, SeatStack, View
from games.rules.house.actions import Box, Close, Done, Pool, Remove, TopUp
from games.rules.house.antes import (
    BET_ANTES,
    Ante,
    AnteBox,
    AnteGame,
    AnteState,
    Fold,
    box_at,
    box_to_decide,
    deal_rounds,
    require_box_to_decide,
    with_box,
)
from games.rules.house.game import draw
from games.rules.house.sides import Combination, Holding, Segment, Segments, SideContext, SideView
from games.rules.house.till import EVEN, Odds, Till
from games.rules.poker import (
    CATEGORY_SHIFT,
    CODE,
    MAIN_RANK_SHIFT,
    Category,
    best_of_seven,
    category,
    main_rank,
    ranking,
)
from games.rules.settlement import Settlement

# The win of an ante with a hand; below a flush it is even money.
ANTE_ODDS: Final[dict[Category, Odds]] = {
    Category.FLUSH: Odds(2),
    Category.FULL_HOUSE: Odds(3),
    Category.FOUR: Odds(10),
    Category.STRAIGHT_FLUSH: Odds(20),
    Category.ROYAL_FLUSH: Odds(100),
}
PAIR_OF_ACES: Final = "pair_of_aces"
BONUS_ODDS: Final[dict[str, Odds]] = {
    PAIR_OF_ACES: Odds(4),
    "two_pair": Odds(4),
    "three": Odds(8),
    "straight": Odds(10),
    "flush": Odds(20),
    "full_house": Odds(40),
    "four": Odds(100),
}
# The dealer plays from here on: above every pair of threes, and below every pair of fours.
QUALIFYING_VALUE: Final = Category.PAIR << CATEGORY_SHIFT | 4 << MAIN_RANK_SHIFT


def ante_odds(value: int) -> Odds:
    return ANTE_ODDS.get(category(value), EVEN)


def qualifies(value: int) -> bool:
    """Whether the dealer plays with a hand of this value."""
    return value >= QUALIFYING_VALUE


def bonus_combination(
    value: int, shares_bp: dict[str, int] | None, least: Odds | None = None
) -> Combination | None:
    """Return the line of the bonus table for two cards and the flop.

    `shares_bp` are the shares of the jackpot. A share pays no less than `least`.
    """
    kind = category(value)
    name = kind.name.lower()
    if kind in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        if shares_bp is None:
            return Combination(name, BONUS_ODDS["four"])
        return Combination(name, None, shares_bp[name], least)
    if kind == Category.PAIR and main_rank(value) == ACE:
        name = PAIR_OF_ACES
    return Combination(name, BONUS_ODDS[name]) if name in BONUS_ODDS else None


# A view is built from the open cards and has no field for others: blind boxes, the dealer's
# cards, and turn and river come in when the round is over, and the cards of another's open box
# only if it did not fold, or folded with a bonus bet.

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


class Call(Action, frozen=True):
    """Stay in with a box for twice its ante."""

    box: Box


FLOP_CARDS: Final = 3
LATER_CARDS: Final = 2

# A wheel that leaves the house a little of the bonus bet when the pools have got their shares.
WHEEL: Final = (Segment(50, 1), Segment(30, 2), Segment(15, 3), Segment(4, 5), Segment(1, 10))

# The printed table says "at least"; a table may give more of its jackpot, never less.
StraightFlushShare = Annotated[int, Meta(ge=1_500, le=10_000)]
RoyalShare = Annotated[int, Meta(ge=5_000, le=10_000)]


class CasinoHoldem(AnteGame[HoldemState], frozen=True, kw_only=True):
    """The options of a table."""

    key: ClassVar[str] = "casino_holdem"
    name: ClassVar[str] = "Casino hold'em"
    actions: ClassVar[tuple[type[Action], ...]] = (
        Ante,
        Remove,
        Call,
        Fold,
        Done,
        Close,
        TopUp,
        Pool,
    )
    box_numbers: ClassVar[range] = range(1, 8)

    wheel_segments: Segments = WHEEL
    straight_flush_share_bp: StraightFlushShare = 1_500
    royal_share_bp: RoyalShare = 5_000

    @property
    def shares_bp(self) -> dict[str, int] | None:
        """The bonus bet's share of the jackpot; None without a jackpot."""
        if not self.has_jackpot:
            return None
        return {"straight_flush": self.straight_flush_share_bp, "royal_flush": self.royal_share_bp}

    @property
    def share_least(self) -> Odds | None:
        """The least that a share of the jackpot pays: the highest line of fixed odds."""
        return BONUS_ODDS["four"] if self.edition >= 2 else None

    # The course of a round.

    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], context: SideContext
    ) -> HoldemState:
        return HoldemState(stakes=stakes, cards=cards, draws=self.played_draws(context))

    def deal(self, state: HoldemState) -> HoldemState:
        dealt = deal_rounds(state, HOLE_CARDS)
        flop = draw(state.cards, board_starts(dealt), FLOP_CARDS)
        return replace(dealt, phase="decide", board=flop)

    def deciding(self, state: HoldemState) -> frozenset[Party]:
        box = box_to_decide(state) if state.phase == "decide" else None
        return frozenset() if box is None else frozenset((box.seat,))

    def decision_choices(self, state: HoldemState, seat: Party) -> Choices:
        box = box_to_decide(state)
        assert box is not None
        fold = Choice("fold", box=box.box)
        cost = BET_ANTES * box.ante
        if cost > self.free_stack(state, seat):
            return (fold,)
        return (Choice("call", box=box.box, cost=cost), fold)

    def decide(self, state: HoldemState, seat: Party, action: Action) -> HoldemState:
        # Comparing the exact type is far quicker than isinstance.
        if type(action) is Call:
            box = require_box_to_decide(state, action.box)
            self.require_free(state, seat, BET_ANTES * box.ante)
            after = with_box(state, replace(box, bet=BET_ANTES * box.ante))
        elif type(action) is Fold:
            box = require_box_to_decide(state, action.box)
            after = with_box(state, replace(box, folded=True))
        else:
            return super().decide(state, seat, action)
        return after if box_to_decide(after) else _finish(after)

    def decision_fallback(self, state: HoldemState, seat: Party) -> Action:
        box = box_to_decide(state)
        assert box is not None
        return Fold(box.box)

    def view(self, state: HoldemState, seat: int | None) -> HoldemView:
        return view_of(state, seat, self.to_act(state), self.side_view(state))

    def shown(self, state: HoldemState, seat: int | None) -> frozenset[int]:
        """The places, in dealing order, of the cards that a seat, or a spectator, may see now."""
        return shown_places(state, seat)

    def dealt(self, state: HoldemState) -> int:
        """Return how many cards have left the shoe in this round."""
        return board_starts(state) + len(state.board) if state.board else 0

    # Settlement.

    def bonus_holding(self, state: HoldemState, box: int) -> Holding:
        held = box_at(state, box)
        assert held is not None
        codes = [CODE[card] for card in (*held.cards, *state.board[:FLOP_CARDS])]
        combination = bonus_combination(ranking().five(*codes), self.shares_bp, self.share_least)
        return Holding(combination, held.cards)

    def settle_round(self, state: HoldemState) -> Settlement:
        till = Till(state.stakes, self.max_payout)
        dealer = best_of_seven((*state.dealer, *state.board)) if shows_dealer(state) else 0
        for box in state.boxes:
            if box.folded:
                till.lose(box.seat, "ante", box.ante, box.box)
            else:
                value = best_of_seven((*box.cards, *state.board))
                _settle_box(till, box, value, dealer)
        self.settle_bonus(state, till)
        return till.settlement(0 if self.tournament else self.rake_bp)


def _finish(state: HoldemState) -> HoldemState:
    """The round is over; turn and river come where a box has not folded."""
    if not [box for box in state.boxes if not box.folded]:
        return replace(state, phase="over")
    later = draw(state.cards, board_starts(state) + FLOP_CARDS, LATER_CARDS)
    return replace(state, phase="over", board=(*state.board, *later))


def _settle_box(till: Till, box: AnteBox, value: int, dealer: int) -> None:
    if not qualifies(dealer):
        till.win(box.seat, "ante", box.ante, ante_odds(value), box.box)
    elif value > dealer:
        till.win(box.seat, "ante", box.ante, ante_odds(value), box.box)
        till.win(box.seat, "call", box.bet, EVEN, box.box)
    elif value < dealer:
        till.lose(box.seat, "ante", box.ante, box.box)
        till.lose(box.seat, "call", box.bet, box.box)
