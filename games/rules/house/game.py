"""The course of a round against the house, the same in every such game.

The round opens with betting. When the betting has ended the cards are dealt, or, where no seat has
bet, the round ends immediately and nothing is dealt. Then the game takes its own course, decided by
the seats. Every payment is between a seat and the house.

Each kind of bet has a least and a most, and a box has a maximum payout: what its main bets win in a
round above that is not paid. Payments to a seat are rounded down.

A game is a struct of options that inherits this course and says what a bet is, how cards are dealt,
what the seats decide and how the round is settled.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import DECK, Card, composition
from games.rules.contract import (
    HOUSE,
    AbstractStructMeta,
    Action,
    Amount,
    BasisPoints,
    Choice,
    Choices,
    Context,
    Party,
    Seat,
    SeatStack,
    View,
    check_cards,
    ordered_stakes,
    require_turn,
)
from games.rules.errors import Illegal, Unreadable
from games.rules.house.actions import (
    Close,
    Done,
    HouseState,
    Remove,
    TopUp,
    require_betting,
    require_free,
    stack_of,
    still_betting,
    topped_up,
)
from games.rules.settlement import Settlement

S = TypeVar("S", bound=HouseState)

PLAYING_CARDS: Final = frozenset(DECK)
NOBODY: Final[frozenset[Party]] = frozenset()


class HouseGame(
    Struct,
    Generic[S],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    metaclass=AbstractStructMeta,
):
    """The options that every table against the house has, and the course of its rounds."""

    key: ClassVar[str]
    name: ClassVar[str]
    seats: ClassVar[range] = range(1, 10)
    rules_version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]]
    context_type: ClassVar[type[Context]] = Context
    phrases_only: ClassVar[bool] = False
    feeds_pools: ClassVar[bool] = False
    has_landlord: ClassVar[bool] = False
    against_house: ClassVar[bool] = True
    # The actions that place a bet and take it back, and the decks of a full shoe.
    bet_action: ClassVar[type[Action]]
    remove_action: ClassVar[type[Action]] = Remove
    decks: ClassVar[int] = 1

    min: Amount = 100
    max: Amount = 100_000
    max_payout: Amount = 5_000_000
    # The house has its edge; rake on top of it is for tables that say so.
    rake_bp: BasisPoints = 0
    tournament: bool = False

    def __post_init__(self) -> None:
        if self.min > self.max:
            raise ValueError("the smallest bet is above the largest")

    @property
    def least_stake(self) -> int:
        return self.min

    # A game's own facts.

    @abstractmethod
    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], context: Any
    ) -> S:
        """The state before the first bet."""

    @abstractmethod
    def committed(self, state: S, seat: Party) -> int:
        """Everything a seat has bet in this round so far, on all boxes and features."""

    @abstractmethod
    def bet_choices(self, state: S, seat: Party, free: int) -> Choices:
        """The bets a seat can place out of what is free in its stack."""

    @abstractmethod
    def place_bet(self, state: S, stake: SeatStack, action: Any) -> S:
        """The state with a bet of a seat on the table; the seat is known to be betting."""

    @abstractmethod
    def has_bets(self, state: S) -> bool:
        """Whether there is any bet, so that the round is dealt."""

    @abstractmethod
    def deal(self, state: S) -> S:
        """The state when the betting has ended and the first cards lie, in its next phase."""

    @abstractmethod
    def settle_round(self, state: S) -> Settlement:
        """The payments of a round that is over, and their reasons."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> View:
        """Everything that a seat, or a spectator, may see."""

    @abstractmethod
    def shown(self, state: S, seat: int | None) -> frozenset[int]:
        """The places of the cards that a seat, or a spectator, may see now."""

    @abstractmethod
    def dealt(self, state: S) -> int:
        """Return how many cards have left the shoe in this round."""

    # Methods of a game whose bets can be taken back before the betting ends.

    def remove_choices(self, state: S, seat: Party) -> Choices:
        """The bets that a seat can take back whole."""
        return ()

    def remove_bet(self, state: S, seat: Seat, action: Any) -> S:
        """The state without what a seat takes back; the seat is known to be betting."""
        raise Illegal("not_now", "That cannot be done at this point of the hand.")

    # Methods of a game with decisions; without them no seat acts after the betting.

    def deciding(self, state: S) -> frozenset[Party]:
        """Return the parties to act between the deal and the end."""
        return NOBODY

    def decision_choices(self, state: S, seat: Party) -> Choices:
        """The kinds of decision open to a seat that has to act."""
        return ()

    def decide(self, state: S, seat: Party, action: Action) -> S:
        """The state after a decision of a seat that has to act."""
        raise Illegal("not_now", "That cannot be done at this point of the hand.")

    def decision_fallback(self, state: S, seat: Party) -> Action:
        """The house's decision for an absent player."""
        raise AssertionError("asked to decide for a seat that is not to act")

    # The contract.

    def composition(self) -> tuple[Card, ...]:
        return composition(self.decks)

    def draws(self) -> dict[str, int]:
        return {}

    def open(self, stakes: Sequence[SeatStack], cards: Sequence[Card], context: Context) -> S:
        ordered = ordered_stakes(self, stakes)
        # No card is too often among so few. How many a round needs is known when it has drawn them.
        if len(cards) > self.decks or not PLAYING_CARDS.issuperset(cards):
            self._check_many(cards)
        return self.first_state(ordered, tuple(cards), context)

    def to_act(self, state: S) -> frozenset[Party]:
        if state.phase == "bet":
            return still_betting(state)
        return NOBODY if state.phase == "over" else self.deciding(state)

    def choices(self, state: S, seat: Party) -> Choices:
        if seat not in self.to_act(state):
            return ()
        if state.phase != "bet":
            return self.decision_choices(state, seat)
        if seat == HOUSE:
            return (Choice("close"),)
        bets = self.bet_choices(state, seat, self.free_stack(state, seat))
        return (*bets, *self.remove_choices(state, seat), Choice("done"))

    def apply(self, state: S, seat: Party, action: Action) -> S:
        # Of structs `isinstance` takes far longer than this, as it asks their metaclass.
        kind = type(action)
        if kind is Close:
            if seat != HOUSE or state.phase != "bet":
                raise self._refused_close(state, seat)
            after = self._end_betting(state)
        elif kind is self.bet_action:
            return self.place_bet(state, require_betting(state, seat), action)
        elif kind is self.remove_action:
            return self.remove_bet(state, require_betting(state, seat).seat, action)
        elif kind is Done:
            after = self._done(state, require_betting(state, seat).seat)
        elif kind is TopUp:
            after = self._top_up(state, seat, action)
        else:
            after = self.act(state, seat, action)
        return self.end(after) if after.phase == "over" else after

    def fallback(self, state: S, seat: Party) -> Action:
        if state.phase != "bet":
            return self.decision_fallback(state, seat)
        return Close() if seat == HOUSE else Done()

    def at_stake(self, state: S, seat: Party) -> bool:
        """Whether the seat has bet in this round; what is lost already is still to be paid."""
        return self.committed(state, seat) > 0

    def settle(self, state: S) -> Settlement:
        if state.phase != "over":
            raise Illegal("hand_not_over", "The hand is not over.")
        return self.settle_round(state)

    # Single steps.

    def _check_many(self, cards: Sequence[Card]) -> None:
        """Refuse cards that do not come out of the decks; to count them one by one takes long."""
        kinds = set(cards)
        # With fewer doubles than decks, no card can be there too often.
        few_doubles = len(cards) - len(kinds) < self.decks
        if not (
            kinds <= PLAYING_CARDS and (few_doubles or max(Counter(cards).values()) <= self.decks)
        ):
            check_cards(cards, self.composition(), 0)

    def act(self, state: S, seat: Party, action: Action) -> S:
        """The state after what is neither a bet nor the end of the betting."""
        return self.decision(state, seat, action)

    def decision(self, state: S, seat: Party, action: Action) -> S:
        """The state after a decision, once it is this seat's to make."""
        require_turn(self, state, seat)
        # The house closes the betting and names pools; it has no hand to decide about.
        if state.phase == "bet" or seat == HOUSE:
            raise Illegal("not_now", "That cannot be done at this point of the hand.")
        return self.decide(state, seat, action)

    def end(self, state: S) -> S:
        """The round after all boxes have played; a game may still need a draw or a choice."""
        return state

    def free_stack(self, state: S, seat: Party) -> int:
        """The bets still open to a seat."""
        return stack_of(state.stakes, seat) - self.committed(state, seat)

    def require_free(self, state: S, seat: Party, added: int) -> None:
        """Refuse a move that adds more than is free in the stack."""
        require_free(self.free_stack(state, seat), added)

    def _done(self, state: S, seat: Seat) -> S:
        done = (*state.done, seat)
        if len(done) < len(state.stakes):
            return replace(state, done=done)
        return self._end_betting(replace(state, done=done))

    def _refused_close(self, state: S, seat: Party) -> Illegal:
        """Return why the betting cannot be closed, by this party or any more."""
        require_turn(self, state, seat)
        if seat != HOUSE:
            return Illegal("house_only", "Only the house can do that.")
        return Illegal("no_more_bets", "No more bets.")

    def _top_up(self, state: S, seat: Party, action: Any) -> S:
        require_turn(self, state, seat)
        if seat != HOUSE:
            raise Illegal("house_only", "Only the house can do that.")
        if state.phase != "bet" or self.at_stake(state, action.seat):
            raise Illegal("staked_already", "Chips come to a stack before its first bet only.")
        return replace(state, stakes=topped_up(state.stakes, action.seat, action.amount))

    def _end_betting(self, state: S) -> S:
        return self.deal(state) if self.has_bets(state) else replace(state, phase="over")


def draw(cards: tuple[Card, ...], first: int, count: int) -> tuple[Card, ...]:
    """The next cards of the round; `Unreadable` where the hand holds too few."""
    if first + count > len(cards):
        raise too_few_cards(cards, first + count)
    return cards[first : first + count]


def draw_one(cards: tuple[Card, ...], at: int) -> Card:
    """The next card of the round; `Unreadable` where the hand holds too few."""
    if at >= len(cards):
        raise too_few_cards(cards, at + 1)
    return cards[at]


def too_few_cards(cards: tuple[Card, ...], needed: int) -> Unreadable:
    """Return why a round cannot go on that needs more cards than the hand holds."""
    return Unreadable(
        "too_few_cards",
        "the hand needs {needed} cards, not {count}",
        needed=needed,
        count=len(cards),
    ).at("$.cards")
