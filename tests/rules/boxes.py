"""A table with every side feature, made for tests: bets on up to seven boxes, two cards to each.

An ace in front wins the main bet. On the bonus bet a pair pays 5:1, two kings a fifth of the
jackpot and two aces three fifths.
"""

from typing import ClassVar

from msgspec import field
from msgspec.structs import replace

from games.rules.cards import ACE, Card
from games.rules.contract import Action, Amount, Choice, Choices, Party, SeatStack, View
from games.rules.house.actions import Close, Done, Pool, addition_bounds, require_limits
from games.rules.house.bonus import BonusGame, BonusState
from games.rules.house.game import draw
from games.rules.house.sides import (
    BONUS_CARD_FIELDS,
    COMMON_FIELDS,
    LUCKY_FIELDS,
    BonusBet,
    Combination,
    Holding,
    Segment,
    SideContext,
    SideView,
)
from games.rules.house.till import Odds, Till
from games.rules.settlement import Settlement


class Bet(Action, frozen=True):
    box: int
    amount: Amount
    bonus: int = 0


class BoxBet(Bet, frozen=True, kw_only=True):
    seat: int


class BoxState(BonusState, frozen=True, kw_only=True):
    bets: tuple[BoxBet, ...] = ()
    hands: dict[int, tuple[Card, ...]] = field(default_factory=dict)


class BoxView(View, frozen=True, kw_only=True):
    sides: SideView | None


class Boxes(BonusGame[BoxState], frozen=True, kw_only=True):
    key: ClassVar[str] = "boxes"
    name: ClassVar[str] = "Boxes"
    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Done, Close, Pool)
    bet_action: ClassVar[type[Action]] = Bet
    features: ClassVar[tuple[str, ...]] = (*BONUS_CARD_FIELDS, *LUCKY_FIELDS, *COMMON_FIELDS)

    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], context: SideContext
    ) -> BoxState:
        return BoxState(stakes=stakes, cards=cards, draws=self.played_draws(context))

    def committed(self, state: BoxState, seat: Party) -> int:
        return sum(bet.amount + bet.bonus for bet in state.bets if bet.seat == seat)

    def bet_choices(self, state: BoxState, seat: Party, free: int) -> Choices:
        bounds = addition_bounds(0, self.min, self.max, free)
        if bounds is None or len(state.bets) == 7:
            return ()
        return (Choice("bet", box=len(state.bets) + 1, least=bounds[0], most=bounds[1]),)

    def place_bet(self, state: BoxState, stake: SeatStack, action: Bet) -> BoxState:
        self.require_free(state, stake.seat, action.amount + action.bonus)
        require_limits(action.amount, self.min, self.max)
        self.require_bonus(action.bonus)
        bet = BoxBet(seat=stake.seat, box=action.box, amount=action.amount, bonus=action.bonus)
        has_bonus = state.has_bonus or bet.bonus > 0
        return replace(state, bets=(*state.bets, bet), has_bonus=has_bonus)

    def has_bets(self, state: BoxState) -> bool:
        return bool(state.bets)

    def deal(self, state: BoxState) -> BoxState:
        boxes = sorted({bet.box for bet in state.bets})
        hands = {box: draw(state.cards, 2 * at, 2) for at, box in enumerate(boxes)}
        return replace(state, phase="over", hands=hands)

    def bonus_bets(self, state: BoxState) -> list[BonusBet]:
        bets = sorted(state.bets, key=lambda bet: bet.box)
        return [BonusBet(bet.seat, bet.box, bet.bonus) for bet in bets if bet.bonus]

    def bonus_holding(self, state: BoxState, box: int) -> Holding:
        first, second = state.hands[box]
        combination = None
        if first.rank == second.rank:
            share_bp = {ACE: 6_000, ACE - 1: 2_000}.get(first.rank, 0)
            if share_bp and self.has_jackpot:
                combination = Combination("high_pair", share_bp=share_bp)
            else:
                combination = Combination("pair", Odds(5))
        return Holding(combination, state.hands[box])

    def settle_round(self, state: BoxState) -> Settlement:
        till = Till(state.stakes, self.max_payout)
        for bet in sorted(state.bets, key=lambda bet: bet.box):
            if state.hands[bet.box][0].rank == ACE:
                till.win(bet.seat, "bet", bet.amount, Odds(3, 2), bet.box)
            else:
                till.lose(bet.seat, "bet", bet.amount, bet.box)
        self.settle_bonus(state, till)
        return till.settlement(self.rake_bp)

    def shown(self, state: BoxState, seat: int | None) -> frozenset[int]:
        return frozenset(range(self.dealt(state)))

    def dealt(self, state: BoxState) -> int:
        return 2 * len(state.hands)

    def view(self, state: BoxState, seat: int | None) -> View:
        return BoxView(seat=seat, stakes=state.stakes, to_act=(), sides=self.side_view(state))


GAME = Boxes(
    bonus_min=10,
    wheel_segments=(Segment(1, 7), Segment(2, 0), Segment(1, 20)),
    lucky_prizes=(Segment(5, 3), Segment(1, 4)),
)
STAKES = [SeatStack(1, 10_000), SeatStack(2, 10_000), SeatStack(3, 10_000)]
