"""The course of a thirteen-card hand, the same at all five tables.

Where there is a banker, the punters bet before the deal. Thirteen cards each are dealt one at a
time from the left of the banker, or of the button. In the Philippine manner the banker may order
exchanges next. Then all players arrange at once and in secret, and when the last has arranged, the
rows are shown and compared.

A game is a struct of options that inherits this course from `ThirteenGame` and says how rows rank,
which naturals there are, and what a comparison of two seats is worth.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import Card, composition
from games.rules.contract import (
    AbstractStructMeta,
    Action,
    BasisPoints,
    Choice,
    Choices,
    Context,
    Party,
    SeatStack,
    check_cards,
    ordered_stakes,
    places_of,
    require_turn,
    takes_part,
)
from games.rules.errors import Illegal
from games.rules.poker import Ranking, category, holds_joker, ranking
from games.rules.settlement import Line, Payments, Settlement
from games.rules.thirteen import exchanging
from games.rules.thirteen.naturals import Natural, holds
from games.rules.thirteen.showdown import (
    BACK,
    FRONT,
    MIDDLE,
    Prices,
    RowValue,
    Score,
    Shown,
    arrange_by_default,
    check_arranged,
    lowest_three,
    row_value,
)
from games.rules.thirteen.state import (
    HAND_SIZE,
    Arrange,
    Bet,
    Exchange,
    Give,
    ThirteenContext,
    ThirteenState,
    deal,
    order_from_left,
)
from games.rules.thirteen.view import ThirteenView, seat_view


class ThirteenGame(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, metaclass=AbstractStructMeta
):
    """The options every thirteen-card table has, and the course of its hands."""

    key: ClassVar[str]
    name: ClassVar[str]
    seats: ClassVar[range] = range(4, 5)
    rules_version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]] = (Arrange,)
    context_type: ClassVar[type[Context]] = ThirteenContext
    phrases_only: ClassVar[bool] = False
    feeds_pools: ClassVar[bool] = False
    has_landlord: ClassVar[bool] = False
    against_house: ClassVar[bool] = False
    bet_action: ClassVar[None] = None

    rake_bp: BasisPoints = 500
    tournament: bool = False

    # A game's own facts.

    @property
    def ranks(self) -> Ranking:
        """Return the ranking of rows: A-2-3-4-5 second and no royal flush, but for some games."""
        return ranking(wheel="second", royal=False)

    @property
    @abstractmethod
    def row_prices(self) -> Prices:
        """The rows that earn more than one point when they win."""

    @property
    @abstractmethod
    def naturals(self) -> Mapping[Natural, int]:
        """The naturals of this table and their points, the higher ones first."""

    @abstractmethod
    def compare(self, first: Shown, second: Shown, table: Sequence[Shown]) -> list[Score]:
        """The first seat's result against the second, reason by reason."""

    @abstractmethod
    def unit(self, state: ThirteenState, first: int, second: int) -> int:
        """The value of one point between two seats."""

    @property
    @abstractmethod
    def least_stake(self) -> int:
        """The smallest unit a hand is played for: one point, or a punter's smallest bet."""

    @property
    def bet_limits(self) -> tuple[int, int] | None:
        """The limits of a punter's bet; None without a banker."""
        return None

    @property
    def has_jokers(self) -> bool:
        return False

    @property
    def has_fouls(self) -> bool:
        """Whether rows out of order cost; if not, such an arrangement is refused."""
        return True

    @property
    def equal_rows_foul(self) -> bool:
        return False

    @property
    def has_exchanges(self) -> bool:
        return False

    def holds_natural(self, natural: Natural, hand: Sequence[Card]) -> bool:
        return holds(natural, hand)

    def row_order(self, value: int, _cards: Sequence[Card]) -> int:
        """A row's place in the order of rows; a game in which suits decide adds them here."""
        return value

    # The contract.

    def composition(self) -> tuple[Card, ...]:
        return composition(jokers=self.has_jokers)

    def draws(self) -> dict[str, int]:
        return {}

    def open(
        self, stakes: Sequence[SeatStack], cards: Sequence[Card], context: ThirteenContext
    ) -> ThirteenState:
        ordered = ordered_stakes(self, stakes)
        check_cards(cards, self.composition(), HAND_SIZE * len(ordered))
        return deal(ordered, cards, context, has_banker=self.bet_limits is not None)

    def to_act(self, state: ThirteenState) -> frozenset[Party]:
        if state.phase == "exchange":
            return frozenset(seat for seat in state.seats if seat == state.banker)
        waiting_for: Sequence[object] = {
            "bet": state.bets,
            "give": state.gifts,
            "arrange": state.arranged,
            "over": (),
        }[state.phase]
        return frozenset(
            stake.seat
            for stake, done in zip(state.stakes, waiting_for, strict=False)
            if not done and not (state.phase == "bet" and stake.seat == state.banker)
        )

    def choices(self, state: ThirteenState, seat: Party) -> Choices:
        if seat not in self.to_act(state):
            return ()
        place = state.place(seat)
        if state.phase == "bet":
            least, most = self._bet_bounds(state, place)
            return (Choice("bet", least=least, most=most),)
        if state.phase == "exchange":
            return (
                Choice(
                    "exchange",
                    least=0,
                    most=exchanging.ROUNDS_MAX,
                    among=tuple(exchanging.PLACES_ON),
                ),
            )
        if state.phase == "give":
            return (Choice("give", least=exchanging.GIFT_SIZE, most=exchanging.GIFT_SIZE),)
        return (Choice("arrange", among=self.held_naturals(state.hands[place])),)

    def apply(self, state: ThirteenState, seat: Party, action: Action) -> ThirteenState:
        require_turn(self, state, seat)
        place = state.place(seat)
        match action:
            case Arrange() if state.phase == "arrange":
                return self._arrange(state, place, action)
            case Bet() if state.phase == "bet":
                return self._bet(state, place, action)
            case Exchange() if state.phase == "exchange":
                return exchanging.order_exchanges(state, action)
            case Give() if state.phase == "give":
                return exchanging.give(state, place, action)
        raise Illegal("not_now", "That cannot be done at this point of the hand.")

    def fallback(self, state: ThirteenState, seat: Party) -> Action:
        place = state.place(seat)
        if state.phase == "bet":
            return Bet(self._bet_bounds(state, place)[0])
        if state.phase == "exchange":
            return Exchange(0)
        if state.phase == "give":
            return Give(lowest_three(state.hands[place]))
        return self.arrange_for(state.hands[place])

    def view(self, state: ThirteenState, seat: int | None) -> ThirteenView:
        shown = self.show(state) if state.phase == "over" else ()
        waiting = tuple(stake.seat for stake in state.stakes if stake.seat in self.to_act(state))
        return seat_view(state, seat, waiting, shown)

    def shown(self, state: ThirteenState, seat: int | None) -> frozenset[int]:
        if state.phase == "over":
            return frozenset(range(self.dealt(state)))
        if seat not in state.seats or state.phase == "bet":
            return frozenset()
        return places_of(state.cards, state.hands[state.place(seat)])

    def dealt(self, state: ThirteenState) -> int:
        return HAND_SIZE * len(state.stakes)

    def at_stake(self, state: ThirteenState, seat: Party) -> bool:
        return takes_part(state, seat)

    def settle(self, state: ThirteenState) -> Settlement:
        if state.phase != "over":
            raise Illegal("hand_not_over", "The hand is not over.")
        table = {shown.seat: shown for shown in self.show(state)}
        payments = Payments(state.stakes, winnings_limited=not self.tournament)
        for first, second in _pairs(state):
            scores = self.compare(table[first], table[second], tuple(table.values()))
            unit = self.unit(state, first, second)
            payments.explain(_line(score, first, second, unit) for score in scores)
            points = sum(score.points for score in scores)
            winner, loser = (first, second) if points > 0 else (second, first)
            payments.pay(loser, winner, abs(points) * unit, _reason(scores))
        return payments.settlement(0 if self.tournament else self.rake_bp)

    # The values of a hand and its rows in this game.

    def arrange_for(self, hand: Sequence[Card]) -> Arrange:
        """The house's arrangement for an absent player."""
        return arrange_by_default(hand, self.ranks.five, self._order_of, self.suit_height)

    def suit_height(self, card: Card) -> int:
        """The rank of a card's suit, for choices that only suits can decide."""
        return card.suit

    def held_naturals(self, hand: Sequence[Card]) -> tuple[Natural, ...]:
        """The naturals of this table that a hand holds, the higher ones first."""
        return tuple(name for name in self.naturals if self.holds_natural(name, hand))

    def rank_row(self, cards: Sequence[Card]) -> RowValue:
        value = row_value(cards, self.ranks)
        joker = self.has_jokers and holds_joker(cards)
        return RowValue(self.row_order(value, cards), category(value), joker)

    def _order_of(self, cards: Sequence[Card]) -> int:
        return self.rank_row(cards).order

    def out_of_order(self, rows: Sequence[RowValue]) -> Illegal | None:
        """Return why these rows are a foul; None when they are not."""
        front, middle, back = (rows[row].order for row in (FRONT, MIDDLE, BACK))
        if front >= middle:
            return Illegal("front_too_high", "The front row is not lower than the middle row.")
        if middle > back or (middle == back and self.equal_rows_foul):
            return Illegal("middle_too_high", "The middle row is higher than the back row allows.")
        return None

    def show(self, state: ThirteenState) -> tuple[Shown, ...]:
        """The rows of every seat once all have arranged."""
        return tuple(
            self._show(stake.seat, hand, arranged)
            for stake, hand, arranged in zip(state.stakes, state.hands, state.arranged, strict=True)
            if arranged is not None
        )

    def _show(self, seat: int, hand: Sequence[Card], arranged: Arrange) -> Shown:
        natural = arranged.declare
        if natural is not None:
            false = not self.holds_natural(natural, hand)
            return Shown(seat, (), false, None if false else natural, holds_joker(hand))
        rows = tuple(self.rank_row(row) for row in arranged.rows)
        return Shown(seat, rows, self.out_of_order(rows) is not None, None, wild=False)

    # Single steps.

    def _bet_bounds(self, state: ThirteenState, place: int) -> tuple[int, int]:
        least, most = self.bet_limits or (0, 0)
        stack = state.stakes[place].stack
        return min(least, stack), min(most, stack)

    def _bet(self, state: ThirteenState, place: int, action: Bet) -> ThirteenState:
        least, most = self._bet_bounds(state, place)
        if action.amount < least:
            raise Illegal("bet_too_small", "The smallest bet is {least}.", least=least)
        if action.amount > most:
            raise Illegal("bet_too_large", "The largest bet is {most}.", most=most)
        bets = (*state.bets[:place], action.amount, *state.bets[place + 1 :])
        if sum(1 for bet in bets if bet) < len(bets) - 1:
            return replace(state, bets=bets)
        return replace(state, bets=bets, phase="exchange" if self.has_exchanges else "arrange")

    def _arrange(self, state: ThirteenState, place: int, action: Arrange) -> ThirteenState:
        hand = state.hands[place]
        check_arranged(action, hand)
        if action.declare is not None and action.declare not in self.naturals:
            raise Illegal("natural_not_played", "This table does not play that natural.")
        if not self.has_fouls:
            self._refuse_foul(action, hand)
        arranged = (*state.arranged[:place], action, *state.arranged[place + 1 :])
        return replace(state, arranged=arranged, phase="arrange" if None in arranged else "over")

    def _refuse_foul(self, action: Arrange, hand: Sequence[Card]) -> None:
        if action.declare is not None:
            if not self.holds_natural(action.declare, hand):
                raise Illegal("natural_not_held", "You do not hold that natural.")
            return
        foul = self.out_of_order([self.rank_row(row) for row in action.rows])
        if foul:
            raise foul


def _pairs(state: ThirteenState) -> list[tuple[int, int]]:
    """The pairs of seats that are compared, in the order of payment."""
    order = order_from_left(state.seats, state.banker or state.button)
    if state.banker is not None:
        return [(state.banker, punter) for punter in order[:-1]]
    return list(combinations(order, 2))


def _line(score: Score, first: int, second: int, unit: int) -> Line:
    winner, loser = (first, second) if score.points > 0 else (second, first)
    return Line(score.key, loser, winner, abs(score.points) * unit, score.values)


def _reason(scores: Sequence[Score]) -> str:
    """The word for the transfer: the kind of comparison."""
    keys = {score.key for score in scores}
    if "natural" in keys:
        return "natural"
    return "foul" if keys & {"foul", "foul_row"} else "rows"
