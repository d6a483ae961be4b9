"""The course of a hand of Dou Dizhu: the bidding, the play, and its end."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import Card, composition
from games.rules.contract import (
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
from games.rules.doudizhu import combinations
from games.rules.doudizhu.combinations import Reading, Wings, first_beating, readings
from games.rules.doudizhu.paying import pay, worth
from games.rules.doudizhu.ranks import in_order, rank_set
from games.rules.doudizhu.state import (
    CALL_MAX,
    DEALT,
    MIDDLE_END,
    SEATS,
    Bid,
    Call,
    DoudizhuContext,
    DoudizhuState,
    DoudizhuView,
    Pass,
    Play,
    Turn,
    deal,
    seat_view,
    shown_cards,
    to_beat,
)
from games.rules.errors import Illegal
from games.rules.settlement import Payments, Settlement

# Even with every bomb there is, an amount then fits the 64 bits that JSON readers count on.
POINT_MAX: Final = 10**14
# In a tournament so many hands without a call come before the one that finds a landlord.
REDEALS_MAX: Final = 2


class Doudizhu(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's options, and the course of its hands."""

    key: ClassVar[str] = "doudizhu"
    name: ClassVar[str] = "Dou Dizhu"
    seats: ClassVar[range] = range(SEATS, SEATS + 1)
    rules_version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]] = (Call, Play, Pass)
    context_type: ClassVar[type[Context]] = DoudizhuContext
    phrases_only: ClassVar[bool] = False
    feeds_pools: ClassVar[bool] = False
    has_landlord: ClassVar[bool] = True
    against_house: ClassVar[bool] = False
    bet_action: ClassVar[None] = None

    point: Annotated[int, Meta(ge=1, le=POINT_MAX)] = 100
    wings: Wings = "literal"
    both_springs: bool = True
    rake_bp: BasisPoints = 500
    tournament: bool = False

    @property
    def least_stake(self) -> int:
        return self.point

    @property
    def stack_to_sit(self) -> int:
        return 50 * self.point

    @property
    def stack_to_continue(self) -> int:
        return 10 * self.point

    def composition(self) -> tuple[Card, ...]:
        return composition(jokers=True)

    def draws(self) -> dict[str, int]:
        return {"wild": DEALT}

    def open(
        self, stakes: Sequence[SeatStack], cards: Sequence[Card], context: DoudizhuContext
    ) -> DoudizhuState:
        ordered = ordered_stakes(self, stakes)
        check_cards(cards, self.composition(), MIDDLE_END)
        return deal(ordered, cards, context)

    def to_act(self, state: DoudizhuState) -> frozenset[Party]:
        return frozenset() if state.phase == "over" else frozenset((state.turn,))

    def choices(self, state: DoudizhuState, seat: Party) -> Choices:
        if seat not in self.to_act(state):
            return ()
        if state.phase == "call":
            higher = range(state.highest_call + 1, CALL_MAX + 1)
            return (Choice("call", among=("0", *map(str, higher))),)
        if to_beat(state.turns) is None:
            return (Choice("play"),)
        return (Choice("play"), Choice("pass"))

    def apply(self, state: DoudizhuState, seat: Party, action: Action) -> DoudizhuState:
        require_turn(self, state, seat)
        calling = state.phase == "call"
        match action:
            case Call() if calling:
                return self._call(state, action)
            case Play() if not calling:
                return self._play(state, action)
            case Pass() if not calling:
                return _pass(state)
            case Play() | Pass():
                raise Illegal("calling", "The bidding is not over.")
            case Call():
                raise Illegal("called", "The bidding is over.")
        raise Illegal("not_now", "That cannot be done at this point of the hand.")

    def fallback(self, state: DoudizhuState, seat: Party) -> Action:
        if state.phase == "call":
            return Call(0)
        if to_beat(state.turns) is not None:
            return Pass()
        return Play(state.hands[state.place(seat)][:1])

    def view(self, state: DoudizhuState, seat: int | None) -> DoudizhuView:
        return seat_view(state, seat, () if state.phase == "over" else (state.turn,))

    def shown(self, state: DoudizhuState, seat: int | None) -> frozenset[int]:
        return places_of(state.cards, shown_cards(state, seat))

    def dealt(self, state: DoudizhuState) -> int:
        return MIDDLE_END

    def passed_out(self, state: DoudizhuState) -> bool:
        return state.landlord is None

    def at_stake(self, state: DoudizhuState, seat: Party) -> bool:
        return takes_part(state, seat)

    def settle(self, state: DoudizhuState) -> Settlement:
        if state.phase != "over":
            raise Illegal("hand_not_over", "The hand is not over.")
        payments = Payments(state.stakes, winnings_limited=not self.tournament)
        if state.landlord is not None:
            value = worth(state, self.point, both_springs=self.both_springs)
            pay(state, value, payments, cash=not self.tournament)
        return payments.settlement(0 if self.tournament else self.rake_bp)

    # Single steps.

    def _call(self, state: DoudizhuState, action: Call) -> DoudizhuState:
        highest = state.highest_call
        if action.points and action.points <= highest:
            raise Illegal("call_too_low", "A call must be higher than {points}.", points=highest)
        bids = (*state.bids, Bid(state.turn, action.points))
        called = replace(state, bids=bids, turn=state.after(state.turn))
        if action.points == CALL_MAX:
            return _crown(called, bids[-1])
        if len(bids) < SEATS:
            return called
        best = max(bids, key=lambda bid: bid.points)
        if best.points:
            return _crown(called, best)
        if self.tournament and state.redeals >= REDEALS_MAX:
            return _crown(called, Bid(state.first_caller, 1))
        return replace(called, phase="over")

    def _play(self, state: DoudizhuState, action: Play) -> DoudizhuState:
        seat, cards = state.turn, in_order(action.cards)
        place = state.place(seat)
        hand = state.hands[place]
        combinations.check_held(cards, hand)
        reading = self._read(cards, to_beat(state.turns))
        left = tuple(card for card in hand if card not in cards)
        return replace(
            state,
            hands=(*state.hands[:place], left, *state.hands[place + 1 :]),
            turns=(*state.turns, Turn(seat, cards, reading)),
            turn=state.after(seat),
            phase="play" if left else "over",
        )

    def _read(self, cards: Sequence[Card], other: Turn | None) -> Reading:
        """The reading of the cards in the play that they are made in."""
        ranks = rank_set(cards)
        meanings = readings(ranks, self.wings)
        if not meanings:
            raise combinations.no_combination(ranks, self.wings)
        if other is None or other.reading is None:
            return meanings[0]
        winning = first_beating(meanings, other.reading)
        if winning is None:
            raise Illegal("beats_nothing", "This beats nothing on the table.")
        return winning


def _pass(state: DoudizhuState) -> DoudizhuState:
    if to_beat(state.turns) is None:
        raise Illegal("must_lead", "You lead, and cannot pass.")
    turns = (*state.turns, Turn(state.turn))
    return replace(state, turns=turns, turn=state.after(state.turn))


def _crown(state: DoudizhuState, bid: Bid) -> DoudizhuState:
    """Make the caller landlord, with the middle cards and the lead."""
    place = state.place(bid.seat)
    hand = in_order((*state.hands[place], *state.middle))
    return replace(
        state,
        phase="play",
        landlord=bid.seat,
        call=bid.points,
        turn=bid.seat,
        hands=(*state.hands[:place], hand, *state.hands[place + 1 :]),
    )
