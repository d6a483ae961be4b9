"""The course of a round of casino hold'em: options, decisions and settlement."""

from typing import Annotated, ClassVar, Final

from msgspec import Meta
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.casino_holdem.game import (
    BONUS_ODDS,
    HOLE_CARDS,
    HoldemState,
    HoldemView,
    ante_odds,
    board_starts,
    bonus_combination,
    qualifies,
    shown_places,
    shows_dealer,
    view_of,
)
from games.rules.contract import Action, Choice, Choices, Party, SeatStack
from games.rules.house.actions import Box, Close, Done, Pool, Remove, TopUp
from games.rules.house.antes import (
    BET_ANTES,
    Ante,
    AnteBox,
    AnteGame,
    Fold,
    box_at,
    box_to_decide,
    deal_rounds,
    require_box_to_decide,
    with_box,
)
from games.rules.house.game import draw
from games.rules.house.sides import Holding, Segment, Segments, SideContext
from games.rules.house.till import EVEN, Odds, Till
from games.rules.poker import CODE, best_of_seven, ranking
from games.rules.settlement import Settlement


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
