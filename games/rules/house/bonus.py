"""The course of a round at a table with a bonus bet: side features, and pools that are hit.

It adds to the course of `game.py` that, when the boxes have played, the round waits for the house
to name the amount of every pool that was hit: the progressive jackpot, then the mystery prize. A
game says which bonus bets lie, and what a box holds of its bonus table.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, ClassVar, Final, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from games.rules.cards import DECK
from games.rules.contract import (
    HOUSE,
    Action,
    Amount,
    BasisPoints,
    Choice,
    Choices,
    Context,
    Party,
    require_turn,
)
from games.rules.errors import Illegal
from games.rules.house.actions import HouseState, Pool, require_limits
from games.rules.house.game import HouseGame
from games.rules.house.sides import (
    COMMON_FIELDS,
    NOTHING_DRAWN,
    BonusBet,
    Holding,
    Holdings,
    Segment,
    Segments,
    Shares,
    SideContext,
    SideView,
    check_weights,
    fill_pools,
    jackpot_hits,
    mystery_hit,
    named_prizes,
    pay_jackpot,
    pay_mystery,
    played_draws,
    side_view,
    weight_of,
)
from games.rules.house.till import Till
from games.rules.settlement import PoolName

DECK_SIZE: Final = len(DECK)
# By the second edition further boxes wait for players who have none; a jackpot's share pays no less
# than the line below it, and suited sevens at least a fifth and a tenth of the pool; at Russian
# poker all that a box bets and wins is within the largest payment, its bonus card counts among the
# first `bonus_card_count` cards, and its player picks the prize of the lucky game.
Edition = Annotated[int, Meta(ge=1, le=2)]
THE_HOUSE: Final[frozenset[Party]] = frozenset((HOUSE,))
WHEEL = (
    Segment(40, 1),
    Segment(30, 2),
    Segment(15, 5),
    Segment(10, 10),
    Segment(4, 20),
    Segment(1, 50),
)
PRIZES = (Segment(60, 2), Segment(30, 5), Segment(10, 10))


class BonusState(HouseState, frozen=True, kw_only=True):
    """A round with side features; the phase `pool` waits for the house to name `pools`."""

    draws: SideContext
    # Most rounds have no bonus bet, and are not searched for one.
    has_bonus: bool = False
    pools: tuple[Pool, ...] = ()


B = TypeVar("B", bound=BonusState)


class BonusGame(HouseGame[B], frozen=True, kw_only=True):
    """The options of a table with a bonus bet, and what its rounds add to the course."""

    context_type: ClassVar[type[Context]] = SideContext
    feeds_pools: ClassVar[bool] = True
    # The fields of the context that this game can play with; each feature has a switch below.
    features: ClassVar[tuple[str, ...]] = COMMON_FIELDS

    bonus_min: Amount = 100
    bonus_max: Amount = 10_000
    # The pools' share of each bonus bet; at 0 the table has no such pool.
    jackpot_bp: BasisPoints = 1_000
    mystery_bp: BasisPoints = 100
    # Which edition of the rules a hand is played by.
    edition: Edition = 1
    # Which named cards are drawn for, where the game has the feature at all.
    bonus_card: bool = True
    wheel: bool = True
    lucky_game: bool = True
    wheel_segments: Segments = WHEEL
    lucky_prizes: Segments = PRIZES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bonus_min > self.bonus_max:
            raise ValueError("the smallest bet is above the largest")
        check_weights(self.wheel_segments)
        check_weights(self.lucky_prizes)

    # A game's own facts.

    @abstractmethod
    def bonus_bets(self, state: B) -> Sequence[BonusBet]:
        """The bonus bets by box, and on one box in the order of its players."""

    @abstractmethod
    def bonus_holding(self, state: B, box: int) -> Holding:
        """Return a box's line of the bonus table, and its cards that may be named; at the end."""

    # Methods that games call.

    @property
    def has_jackpot(self) -> bool:
        """Whether there is a progressive jackpot; chips of a tournament win none."""
        return self.jackpot_bp > 0 and not self.tournament

    def played_draws(self, context: SideContext) -> SideContext:
        """The draws to open a state with."""
        return context if context == NOTHING_DRAWN else played_draws(context, self.draws())

    def require_place(self, state: B, seat: Party, free: int) -> None:
        """Refuse a further box where so many are free, and other seated players need them."""
        if not self.may_take_further(state, seat, free):
            raise Illegal(
                "box_kept", "The boxes that are free are kept for players who have none yet."
            )

    def may_take_further(self, state: B, seat: Party, free: int) -> bool:
        """Whether a box more leaves one for each other seat that may still bet and has not."""
        if self.edition < 2:
            return True
        others = [stake.seat for stake in state.stakes if stake.seat != seat]
        lacking = [
            other_seat
            for other_seat in others
            if other_seat not in state.done and not self.at_stake(state, other_seat)
        ]
        return free > len(lacking)

    def require_bonus(self, total: int) -> None:
        """Refuse a bonus bet outside its limits; none at all is 0."""
        if total:
            require_limits(total, self.bonus_min, self.bonus_max)

    def side_view(self, state: B) -> SideView | None:
        """The public part of the draws: nothing while bets can still be placed."""
        if state.phase == "bet":
            return None
        over = state.phase in ("pool", "over")
        return side_view(state.draws, self.wheel_segments, self.lucky_prizes, over=over)

    def settle_bonus(self, state: B, till: Till) -> None:
        """Pay and explain all bonus bets, prizes and pools of a round that is over."""
        if not state.has_bonus:
            return
        bets = self.bonus_bets(state)
        holdings = self._holdings(state, bets)
        for bet in bets:
            self._settle_bonus_bet(state, till, bet, holdings[bet.box])
        fill_pools(till, bets, self._shares, self._pools_played(state))
        for named in state.pools:
            if named.pool == "progressive":
                pay_jackpot(till, jackpot_hits(bets, holdings), holdings, named.amount)
            elif winner := mystery_hit(bets, self._shares, state.draws.mystery_left):
                pay_mystery(till, winner, named.amount)

    # The course of a round.

    def draws(self) -> dict[str, int]:
        """The draws of every feature that the game has and that is switched on."""
        sizes: dict[str, int] = {}
        if self.bonus_card:
            sizes |= {"bonus_card": DECK_SIZE}
        if self.wheel:
            sizes |= {"wheel_card": DECK_SIZE, "wheel": weight_of(self.wheel_segments)}
        if self.lucky_game:
            sizes |= {"lucky_card": DECK_SIZE, "lucky_game": weight_of(self.lucky_prizes)}
        return {name: size for name, size in sizes.items() if name in self.features}

    def to_act(self, state: B) -> frozenset[Party]:
        return THE_HOUSE if state.phase == "pool" else super().to_act(state)

    def choices(self, state: B, seat: Party) -> Choices:
        if state.phase == "pool" and seat == HOUSE:
            return (Choice("pool", least=0, among=self._awaited_pools(state)),)
        return super().choices(state, seat)

    def fallback(self, state: B, seat: Party) -> Action:
        if state.phase == "pool":
            return Pool(self._awaited_pools(state)[0], 0)
        return super().fallback(state, seat)

    def act(self, state: B, seat: Party, action: Action) -> B:
        if type(action) is Pool:
            return self._name_pool(state, seat, action)
        return self.decision(state, seat, action)

    def end(self, state: B) -> B:
        if state.has_bonus and self._awaited_pools(state):
            return replace(state, phase="pool")
        return state

    # Single steps.

    @property
    def _shares(self) -> Shares:
        return Shares(self.jackpot_bp, self.mystery_bp)

    def _pools_played(self, state: B) -> list[PoolName]:
        """The pools that get a share of this round's bonus bets."""
        pools: list[PoolName] = []
        if self.has_jackpot:
            pools.append("progressive")
        if state.draws.mystery_left is not None and not self.tournament:
            pools.append("mystery")
        return pools

    def _holdings(self, state: B, bets: Sequence[BonusBet]) -> Holdings:
        return {bet.box: self.bonus_holding(state, bet.box) for bet in bets}

    def _awaited_pools(self, state: B) -> tuple[PoolName, ...]:
        """The pools that were hit and are not named yet."""
        bets = self.bonus_bets(state)
        played = self._pools_played(state)
        hit: list[PoolName] = []
        if "progressive" in played and any(jackpot_hits(bets, self._holdings(state, bets))):
            hit.append("progressive")
        if "mystery" in played and mystery_hit(bets, self._shares, state.draws.mystery_left):
            hit.append("mystery")
        named = [pool.pool for pool in state.pools]
        return tuple(pool for pool in hit if pool not in named)

    def _name_pool(self, state: B, seat: Party, action: Pool) -> B:
        require_turn(self, state, seat)
        if seat != HOUSE:
            raise Illegal("house_only", "Only the house can do that.")
        if state.phase != "pool" or action.pool not in self._awaited_pools(state):
            raise Illegal("pool_not_hit", "That pool has not been hit.")
        return replace(state, phase="over", pools=(*state.pools, action))

    def _settle_bonus_bet(self, state: B, till: Till, bet: BonusBet, holding: Holding) -> None:
        """Combination, bonus card, wheel and prize each pay; where none does, the bet is lost."""
        paid = bool(holding.combination and holding.combination.share_bp)
        if holding.combination and holding.combination.odds:
            paid = True
            odds = holding.combination.odds
            till.prize(
                "bonus_won",
                bet.seat,
                odds.win(bet.amount),
                {
                    "box": bet.box,
                    "stake": bet.amount,
                    "pays": odds.pays,
                    "to": odds.to,
                    "combination": holding.combination.name,
                },
            )
        segments = self.wheel_segments, self.lucky_prizes
        for key, card, multiple in named_prizes(state.draws, *segments, holding):
            paid = paid or multiple > 0
            values: dict[str, int | str] = {
                "box": bet.box,
                "stake": bet.amount,
                "card": card.text,
                "pays": multiple,
            }
            till.prize(key, bet.seat, bet.amount * multiple, values)
        if not paid:
            till.lose(bet.seat, "bonus", bet.amount, bet.box)
