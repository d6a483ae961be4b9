"""The rules as the house asks for them: pure functions over frozen values."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.rules.cards import Card, composition
from games.rules.contract import (
    Action,
    Amount,
    BasisPoints,
    Choice,
    Choices,
    Context,
    Party,
    Seat,
    SeatStack,
    State,
    View,
    check_cards,
    ordered_stakes,
    require_turn,
    takes_part,
)
from games.rules.errors import Illegal, Unreadable
from games.rules.settlement import Payments, Settlement
from texas_holdem.dealer import (
    BOARD,
    FOLD,
    FOLDED,
    GO_ALONG,
    HOLE_CARDS,
    Course,
    Deed,
    Terms,
    course,
    hole_places,
)
from texas_holdem.paying import pay_pots, word_of

T = TypeVar("T")
SEATS_MAX: Final = 9
# The rounds of betting, by the cards on the board.
ROUNDS: Final = {0: "before_flop", 3: "flop", 4: "turn", 5: "river"}
OVER: Final = "over"
UNCAPPED: Final = 10**15
STACK_TO_SIT: Final = 40
BIG_BLIND_PLACE: Final = 1
# With fewer who play on, a game begins anew.
JOINED_MIN: Final = 2


class HoldemContext(Context, frozen=True, kw_only=True):
    """The seat with the button, else the last one; and the seats that the last hand was without."""

    button: Seat | None = None
    joined: tuple[Seat, ...] = ()


class Fold(Action, frozen=True, tag="fold"):
    """Give the hand up."""


class Check(Action, frozen=True, tag="check"):
    """Stay in for nothing."""


class Call(Action, frozen=True, tag="call"):
    """Put in as much as the highest bet, or all that is left."""


class Bet(Action, frozen=True, tag="bet"):
    """Put in the first bet of a round."""

    amount: Amount


class Raise(Action, frozen=True, tag="raise"):
    """Raise the bet of this round to an amount."""

    amount: Amount


class HoldemState(State, frozen=True, kw_only=True):
    """The stakes by place, from the small blind on; the button has the last place."""

    order: tuple[SeatStack, ...]
    # Who puts in a big blind to play again, by place.
    posts: tuple[int, ...]
    deeds: tuple[Deed, ...]
    course: Course

    @property
    def phase(self) -> str:
        return OVER if self.course.actor is None else ROUNDS[self.course.board]

    @property
    def staked(self) -> dict[Seat, int]:
        """What each seat has put in during the hand."""
        pairs = zip(self.order, self.course.left, strict=True)
        return {stake.seat: max(0, stake.stack - left) for stake, left in pairs}

    def by_seat(self, values: Sequence[T]) -> dict[Seat, T]:
        return {stake.seat: value for stake, value in zip(self.order, values, strict=True)}


class HoldemView(View, frozen=True, kw_only=True, tag="texas_holdem"):
    """What a seat sees: its own cards, the board, all bets, and at a showdown who stayed."""

    phase: str
    button: Seat
    board: tuple[Card, ...]
    # What each seat has bet in this round, and put in during the hand.
    bets: dict[Seat, int]
    staked: dict[Seat, int]
    # What is in the pots, without the bets of this round.
    pots: tuple[int, ...]
    folded: tuple[Seat, ...]
    # Who plays on without further chips.
    all_in: tuple[Seat, ...]
    # What each seat did last in this round.
    did: dict[Seat, str]
    # What the seat to act has to pay to stay in, and up to what it may bet.
    to_call: int
    least: int | None
    most: int | None
    opened: dict[Seat, tuple[Card, ...]]
    # What those make of the whole board.
    made: dict[Seat, str]
    hand: tuple[Card, ...] = ()

    @property
    def total(self) -> int:
        """All that can be won, with the bets of this round."""
        return sum(self.pots) + (sum(self.bets.values()) if self.phase != OVER else 0)


class TexasHoldem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's options, and the course of its hands."""

    key: ClassVar[str] = "texas_holdem"
    name: ClassVar[str] = "Texas hold’em"
    seats: ClassVar[range] = range(2, SEATS_MAX + 1)
    rules_version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]] = (Fold, Check, Call, Bet, Raise)
    context_type: ClassVar[type[Context]] = HoldemContext
    phrases_only: ClassVar[bool] = True
    feeds_pools: ClassVar[bool] = False
    has_landlord: ClassVar[bool] = False
    against_house: ClassVar[bool] = False
    bet_action: ClassVar[None] = None

    # The big blind.
    point: Annotated[int, Meta(ge=1, le=10**12)] = 100
    rake_bp: BasisPoints = 500
    # The most that the house takes from one pot.
    rake_cap: Amount | None = None
    tournament: bool = False

    @property
    def least_stake(self) -> int:
        return self.point

    @property
    def stack_to_sit(self) -> int:
        return STACK_TO_SIT * self.point

    @property
    def stack_to_continue(self) -> int:
        return self.point

    @property
    def small_blind(self) -> int:
        return max(1, self.point // 2)

    @property
    def terms(self) -> Terms:
        rake = 0 if self.tournament else self.rake_bp
        cap = UNCAPPED if self.rake_cap is None else self.rake_cap
        return Terms(self.small_blind, self.point, rake, cap)

    def composition(self) -> tuple[Card, ...]:
        return composition()

    def draws(self) -> dict[str, int]:
        return {}

    def open(
        self, stakes: Sequence[SeatStack], cards: Sequence[Card], context: HoldemContext
    ) -> HoldemState:
        ordered = ordered_stakes(self, stakes)
        check_cards(cards, self.composition(), HOLE_CARDS * len(ordered) + BOARD)
        order = _from_small_blind(ordered, context.button)
        stacks = [stake.stack for stake in order]
        posts = () if self.tournament else _posts(order, context.joined)
        return HoldemState(
            stakes=ordered,
            cards=tuple(cards),
            order=order,
            posts=posts,
            deeds=(),
            course=course(self.terms, stacks, cards, (), posts),
        )

    def to_act(self, state: HoldemState) -> frozenset[Party]:
        actor = state.course.actor
        return frozenset() if actor is None else frozenset((state.order[actor].seat,))

    def choices(self, state: HoldemState, seat: Party) -> Choices:
        if seat not in self.to_act(state):
            return ()
        now = state.course
        go_along = Choice("call", cost=now.to_call) if now.to_call else Choice("check")
        choices = [Choice("fold"), go_along] if now.to_call else [go_along]
        if now.least is not None:
            kind = "raise" if max(now.bets) else "bet"
            amounts = _amounts(state)
            choices.append(Choice(kind, least=now.least, most=now.most, amounts=amounts))
        return tuple(choices)

    def apply(self, state: HoldemState, seat: Party, action: Action) -> HoldemState:
        require_turn(self, state, seat)
        if str(action.__struct_config__.tag) not in {each.do for each in self.choices(state, seat)}:
            if isinstance(action, Raise):
                raise Illegal("no_raise", "Not possible now.")
            raise Illegal("not_now", "That cannot be done at this point of the hand.")
        deed = GO_ALONG
        if isinstance(action, Fold):
            deed = FOLD
        elif isinstance(action, Bet | Raise):
            deed = action.amount
            _require_bounds(state.course, deed)
        deeds = (*state.deeds, deed)
        stacks = [stake.stack for stake in state.order]
        now = course(self.terms, stacks, state.cards, deeds, state.posts)
        return replace(state, deeds=deeds, course=now)

    def fallback(self, state: HoldemState, seat: Party) -> Action:
        return Fold() if state.course.to_call else Check()

    def view(self, state: HoldemState, seat: int | None) -> HoldemView:
        now = state.course
        done = state.by_seat(now.did)
        return HoldemView(
            seat=seat,
            stakes=state.stakes,
            to_act=tuple(self.to_act(state)),
            phase=state.phase,
            button=state.order[-1].seat,
            board=tuple(state.cards[place] for place in _board(state)),
            bets=state.by_seat(now.bets),
            staked=state.staked,
            pots=now.collected or tuple(pot.amount for pot in now.pots),
            folded=tuple(sorted(seat for seat, did in done.items() if did == FOLDED)),
            all_in=tuple(
                sorted(seat for seat, left in state.by_seat(now.left).items() if not left)
            ),
            did={seat: did for seat, did in done.items() if did},
            to_call=now.to_call,
            least=now.least,
            most=now.most,
            opened={stake.seat: _cards(state, places) for stake, places in _opened(state)},
            made={winner: word_of(cards) for winner, cards in self.hands(state).items()},
            hand=_cards(state, _own(state, seat)),
        )

    def shown(self, state: HoldemState, seat: int | None) -> frozenset[int]:
        opened = (place for _stake, places in _opened(state) for place in places)
        return frozenset((*_board(state), *_own(state, seat), *opened))

    def dealt(self, state: HoldemState) -> int:
        return HOLE_CARDS * len(state.order) + state.course.board

    def at_stake(self, state: HoldemState, seat: Party) -> bool:
        return takes_part(state, seat)

    def settle(self, state: HoldemState) -> Settlement:
        if state.course.actor is not None:
            raise Illegal("hand_not_over", "The hand is not over.")
        payments = Payments(state.stakes, winnings_limited=False)
        pay_pots(payments, [stake.seat for stake in state.order], state.course, self.hands(state))
        return payments.settlement()

    def hands(self, state: HoldemState) -> dict[Seat, tuple[Card, ...]]:
        """The two cards and the board of each seat whose cards lie open."""
        board = tuple(state.cards[place] for place in _board(state))
        return {stake.seat: (*_cards(state, places), *board) for stake, places in _opened(state)}


def _from_small_blind(ordered: tuple[SeatStack, ...], button: Seat | None) -> tuple[SeatStack, ...]:
    """The stakes from the one after the button on, so that the button comes last."""
    if button is None:
        return ordered
    at = [place for place, stake in enumerate(ordered, start=1) if stake.seat == button]
    if not at:
        raise Unreadable("button", "Seat {seat} takes no part in this hand.", seat=button).at(
            "$.context.button"
        )
    return ordered[at[0] :] + ordered[: at[0]]


def _posts(order: Sequence[SeatStack], joined: Sequence[Seat]) -> tuple[int, ...]:
    """Who puts in a big blind: all who join a game of two or more others, save the big blind."""
    if len(order) - len(joined) < JOINED_MIN:
        return ()
    return tuple(
        place
        for place, stake in enumerate(order)
        if stake.seat in joined and place != BIG_BLIND_PLACE
    )


def _amounts(state: HoldemState) -> tuple[int, ...]:
    """The bets that players make most besides the least: half the pot, the pot, everything."""
    now = state.course
    if now.least is None or now.most is None:
        return ()
    highest, pot = max(now.bets), sum(now.collected) + sum(now.bets) + now.to_call
    wanted = (highest + pot // 2, highest + pot, now.most)
    return tuple(dict.fromkeys(min(max(amount, now.least), now.most) for amount in wanted))


def _require_bounds(now: Course, amount: int) -> None:
    if now.least is not None and now.most is not None and not now.least <= amount <= now.most:
        raise Illegal(
            "bet_bounds",
            "The bet can be {least} to {most}.",
            least=now.least,
            most=now.most,
        )


def _own(state: HoldemState, seat: int | None) -> tuple[int, ...]:
    """The places of a seat's own cards; none for a spectator."""
    for place, stake in enumerate(state.order):
        if stake.seat == seat:
            return hole_places(place, len(state.order))
    return ()


def _opened(state: HoldemState) -> list[tuple[SeatStack, tuple[int, ...]]]:
    """Who shows their cards at the end, and where those lie: all who have not folded."""
    if not state.course.is_shown:
        return []
    count = len(state.order)
    return [
        (stake, hole_places(place, count))
        for place, stake in enumerate(state.order)
        if state.course.did[place] != FOLDED
    ]


def _board(state: HoldemState) -> range:
    start = HOLE_CARDS * len(state.order)
    return range(start, start + state.course.board)


def _cards(state: HoldemState, places: Sequence[int]) -> tuple[Card, ...]:
    return tuple(state.cards[place] for place in places)
