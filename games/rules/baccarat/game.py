"""Both baccarats: with a commission on banker, and without one.

Any number of seats bet on the same two hands: on player, on banker, on a tie, and on either hand
beginning with a pair; a seat may back both sides. When the betting has ended the coup is dealt and
drawn as `coup.py` says; there are no decisions.

Player pays 1:1. Without commission banker pays 1:1 too, but 1:2 when it wins with six, in two cards
or in three. With commission it pays 1:1 with any total, and the house keeps 5% of the win: 100 pays
95. A tie pays 8:1, and then bets on player and banker come back. A pair, the first two cards of a
side being of one rank, pays 11:1 for any result. Payments are rounded down.

There are no boxes: the maximum payout is for all bets of a seat together. The shoe of eight decks
lasts over rounds; a round that begins when the cut card is out is the last.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.baccarat.coup import Coup, Winner, deal_coup
from games.rules.cards import Card
from games.rules.contract import (
    Action,
    Amount,
    Choice,
    Choices,
    Context,
    Party,
    Seat,
    SeatStack,
    View,
)
from games.rules.errors import Illegal
from games.rules.house.actions import (
    Addition,
    Close,
    Done,
    HouseState,
    TopUp,
    addition_bounds,
    left_after,
    require_free,
    require_limits,
)
from games.rules.house.game import HouseGame
from games.rules.house.till import EVEN, Odds, Till
from games.rules.settlement import Settlement

Spot = Literal["player", "banker", "tie", "player_pair", "banker_pair"]
SPOTS: Final[tuple[Spot, ...]] = ("player", "banker", "tie", "player_pair", "banker_pair")
PAYING_ORDER: Final = {spot: place for place, spot in enumerate(SPOTS)}
SIDES: Final = ("player", "banker")
TIE: Final = Odds(8)
PAIR: Final = Odds(11)
HALF: Final = Odds(1, 2)


class Bet(Action, frozen=True):
    """An amount on one spot, added to what the seat has there."""

    on: Spot
    amount: Amount


class Remove(Action, frozen=True):
    """Takes back what the seat has on a spot, all of it unless it says how much."""

    on: Spot
    amount: Addition = 0


class Wager(Struct, frozen=True, gc=False):
    """A seat's bet on one spot."""

    seat: Seat
    on: Spot
    amount: int


class BaccaratState(HouseState, frozen=True, kw_only=True):
    """A round: the bets, and once they are closed the coup."""

    wagers: tuple[Wager, ...] = ()
    coup: Coup | None = None


class BaccaratView(View, frozen=True, kw_only=True, tag="baccarat"):
    """The table, the same for all viewers: the bets, and once they are closed the coup."""

    phase: str
    done: tuple[Seat, ...]
    wagers: tuple[Wager, ...]
    coup: Coup | None = None


class BaccaratTable(HouseGame[BaccaratState], frozen=True, kw_only=True):
    """The options of both baccarats, and the course of a round."""

    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Remove, Done, Close, TopUp)
    bet_action: ClassVar[type[Action]] = Bet
    remove_action: ClassVar[type[Action]] = Remove
    decks: ClassVar[int] = 8

    # The limits of player and banker are `min` and `max`; unsaid, those of the others are as high.
    max_tie: Amount | None = None
    max_pair: Amount | None = None
    banker_note_literal: bool = False
    # How many cards lie behind the cut card: enough for the round that reaches it and for the last.
    cut_cards: Annotated[int, Meta(ge=11, le=208)] = 14

    def __post_init__(self) -> None:
        super().__post_init__()
        for most in (self.max_tie, self.max_pair):
            if most is not None and self.min > most:
                raise ValueError("the smallest bet is above the largest")

    def banker_odds(self, banker_total: int) -> Odds:
        """The odds of a winning bet on banker."""
        return EVEN

    @property
    def commission_bp(self) -> int:
        """The commission on a win on banker."""
        return 0

    def most_on(self, spot: Spot) -> int:
        if spot in SIDES:
            return self.max
        most = self.max_tie if spot == "tie" else self.max_pair
        return self.max if most is None else most

    def is_last_round(self, cards_left: int) -> bool:
        """Whether a round that begins with this many cards in the shoe is its last."""
        return cards_left <= self.cut_cards

    @property
    def cards_for_a_round(self) -> int:
        """Three cards for each side."""
        return 6

    def side_odds(self, winner: Winner, banker_total: int) -> Odds:
        """The odds of a bet on the side that won, or on the tie."""
        if winner == "banker":
            return self.banker_odds(banker_total)
        return EVEN if winner == "player" else TIE

    def winning_odds(self, coup: Coup, spot: Spot) -> Odds | None:
        """The odds of a bet at this result; None if it does not win."""
        if spot == coup.winner:
            return self.side_odds(coup.winner, coup.banker_total)
        if spot == "player_pair":
            return PAIR if coup.player_pair else None
        if spot == "banker_pair":
            return PAIR if coup.banker_pair else None
        return None

    # The course of a round.

    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], _context: Context
    ) -> BaccaratState:
        return BaccaratState(stakes=stakes, cards=cards)

    def committed(self, state: BaccaratState, seat: Party) -> int:
        committed = 0
        for wager in state.wagers:
            if wager.seat == seat:
                committed += wager.amount
        return committed

    def bet_choices(self, state: BaccaratState, seat: Party, free: int) -> Choices:
        choices = []
        for spot in SPOTS:
            standing = sum(
                wager.amount for wager in state.wagers if (wager.seat, wager.on) == (seat, spot)
            )
            bounds = addition_bounds(standing, self.min, self.most_on(spot), free)
            if bounds:
                choices.append(Choice("bet", least=bounds[0], most=bounds[1], among=(spot,)))
        return tuple(choices)

    def place_bet(self, state: BaccaratState, stake: SeatStack, action: Bet) -> BaccaratState:
        seat, spot, amount, others = stake.seat, action.on, action.amount, state.wagers
        require_free(stake.stack - (self.committed(state, seat) if others else 0), amount)
        for wager in others:
            if wager.seat == seat and wager.on == spot:
                amount += wager.amount
                others = tuple([other for other in others if other is not wager])
                break
        require_limits(amount, self.min, self.most_on(spot))
        return replace(state, wagers=(*others, Wager(seat, spot, amount)))

    def remove_choices(self, state: BaccaratState, seat: Party) -> Choices:
        mine = {wager.on for wager in state.wagers if wager.seat == seat}
        return tuple([Choice("remove", among=(spot,)) for spot in SPOTS if spot in mine])

    def remove_bet(self, state: BaccaratState, seat: Seat, action: Remove) -> BaccaratState:
        for at, wager in enumerate(state.wagers):
            if wager.seat == seat and wager.on == action.on:
                left = left_after(wager.amount, action.amount or wager.amount)
                if left:
                    require_limits(left, self.min, self.most_on(action.on))
                kept = (Wager(seat, action.on, left),) if left else ()
                return replace(state, wagers=(*state.wagers[:at], *kept, *state.wagers[at + 1 :]))
        raise Illegal("no_bet_on_spot", "You have no bet on {spot}.", spot=action.on)

    def has_bets(self, state: BaccaratState) -> bool:
        return state.wagers != ()

    def deal(self, state: BaccaratState) -> BaccaratState:
        return replace(state, phase="over", coup=deal_coup(state.cards, self.banker_note_literal))

    def view(self, state: BaccaratState, seat: int | None) -> BaccaratView:
        return BaccaratView(
            seat=seat,
            stakes=state.stakes,
            to_act=tuple(sorted(self.to_act(state), key=str)),
            phase=state.phase,
            done=state.done,
            wagers=state.wagers,
            coup=state.coup,
        )

    def shown(self, state: BaccaratState, seat: int | None) -> frozenset[int]:
        return frozenset(range(self.dealt(state)))

    def dealt(self, state: BaccaratState) -> int:
        return len(state.coup.player) + len(state.coup.banker) if state.coup else 0

    def settle_round(self, state: BaccaratState) -> Settlement:
        till, coup = Till(state.stakes, self.max_payout), state.coup
        wagers: Sequence[Wager] = state.wagers
        if len(wagers) > 1:
            wagers = sorted(wagers, key=_paying_order)
        if coup:
            for wager in wagers:
                spot = wager.on
                odds = self.winning_odds(coup, spot)
                if odds:
                    commission_bp = self.commission_bp if spot == "banker" else 0
                    till.win(wager.seat, spot, wager.amount, odds, None, commission_bp)
                elif coup.winner != "tie" or spot not in SIDES:
                    till.lose(wager.seat, spot, wager.amount)
        return till.settlement(0 if self.tournament else self.rake_bp)


def _paying_order(wager: Wager) -> tuple[int, int]:
    """By seats, and of one seat by spots."""
    return wager.seat, PAYING_ORDER[wager.on]


class Baccarat(BaccaratTable, frozen=True, kw_only=True):
    """The options of a table without commission."""

    key: ClassVar[str] = "baccarat"
    name: ClassVar[str] = "Baccarat without commission"

    def banker_odds(self, banker_total: int) -> Odds:
        return HALF if banker_total == 6 else EVEN


class BaccaratCommission(BaccaratTable, frozen=True, kw_only=True):
    """The options of a table with commission."""

    key: ClassVar[str] = "baccarat_commission"
    name: ClassVar[str] = "Baccarat with commission"

    @property
    def commission_bp(self) -> int:
        return 500
