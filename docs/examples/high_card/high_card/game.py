"""The rules: pure functions over frozen values."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final, Literal

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
    Seat,
    SeatStack,
    State,
    View,
    check_cards,
    ordered_stakes,
    require_turn,
    takes_part,
)
from games.rules.errors import Illegal
from games.rules.settlement import Line, Payments, Settlement

FOLDED, STAYED = 1, 2
SEATS_MAX: Final = 6
Phase = Literal["decide", "over"]


class Stay(Action, frozen=True, tag="stay"):
    """Play the card for two points."""


class Fold(Action, frozen=True, tag="fold"):
    """Give the card up for one point."""


class HighCardState(State, frozen=True, kw_only=True):
    # Whether a seat stays, in the order of the stakes, as far as they have decided.
    in_play: tuple[bool, ...] = ()

    @property
    def phase(self) -> Phase:
        return "decide" if len(self.in_play) < len(self.stakes) else "over"


class HighCardView(View, frozen=True, kw_only=True, tag="high_card"):
    """What a seat sees: its own card, and at the end those of all who stayed."""

    phase: Phase
    in_play: dict[Seat, bool]
    opened: dict[Seat, Card]
    hand: tuple[Card, ...] = ()


class HighCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's options, and the course of its hands."""

    key: ClassVar[str] = "high_card"
    name: ClassVar[str] = "High card"
    seats: ClassVar[range] = range(2, SEATS_MAX + 1)
    rules_version: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]] = (Stay, Fold)
    context_type: ClassVar[type[Context]] = Context
    phrases_only: ClassVar[bool] = False
    feeds_pools: ClassVar[bool] = False
    has_landlord: ClassVar[bool] = False
    against_house: ClassVar[bool] = False
    bet_action: ClassVar[None] = None

    point: Annotated[int, Meta(ge=1, le=10**12)] = 100
    rake_bp: BasisPoints = 500
    tournament: bool = False

    @property
    def least_stake(self) -> int:
        return self.point

    @property
    def stack_to_sit(self) -> int:
        return 20 * self.point

    @property
    def stack_to_continue(self) -> int:
        return STAYED * self.point

    def composition(self) -> tuple[Card, ...]:
        return composition()

    def draws(self) -> dict[str, int]:
        return {}

    def open(
        self, stakes: Sequence[SeatStack], cards: Sequence[Card], context: Context
    ) -> HighCardState:
        ordered = ordered_stakes(self, stakes)
        check_cards(cards, self.composition(), len(ordered))
        return HighCardState(stakes=ordered, cards=tuple(cards))

    def to_act(self, state: HighCardState) -> frozenset[Party]:
        if state.phase == "over":
            return frozenset()
        return frozenset((state.stakes[len(state.in_play)].seat,))

    def choices(self, state: HighCardState, seat: Party) -> Choices:
        return (Choice("stay"), Choice("fold")) if seat in self.to_act(state) else ()

    def apply(self, state: HighCardState, seat: Party, action: Action) -> HighCardState:
        require_turn(self, state, seat)
        if not isinstance(action, Stay | Fold):
            raise Illegal("not_now", "That cannot be done at this point of the hand.")
        return replace(state, in_play=(*state.in_play, isinstance(action, Stay)))

    def fallback(self, state: HighCardState, seat: Party) -> Action:
        return Fold()

    def view(self, state: HighCardState, seat: int | None) -> HighCardView:
        decided = zip(state.stakes, state.in_play, strict=False)
        return HighCardView(
            seat=seat,
            stakes=state.stakes,
            to_act=tuple(self.to_act(state)),
            phase=state.phase,
            in_play={one.seat: in_play for one, in_play in decided},
            hand=tuple(state.cards[place] for place in _own(state, seat)),
            opened={state.stakes[place].seat: state.cards[place] for place in _opened(state)},
        )

    def shown(self, state: HighCardState, seat: int | None) -> frozenset[int]:
        return _own(state, seat).union(_opened(state))

    def dealt(self, state: HighCardState) -> int:
        return len(state.stakes)

    def at_stake(self, state: HighCardState, seat: Party) -> bool:
        return takes_part(state, seat)

    def settle(self, state: HighCardState) -> Settlement:
        if state.phase != "over":
            raise Illegal("hand_not_over", "The hand is not over.")
        payments = Payments(state.stakes, winnings_limited=not self.tournament)
        staying = [place for place, in_play in enumerate(state.in_play) if in_play]
        if staying:
            winner = max(staying, key=lambda place: _worth(state.cards[place]))
            self._pay(state, winner, payments)
        return payments.settlement(0 if self.tournament else self.rake_bp)

    def _pay(self, state: HighCardState, winner: int, payments: Payments) -> None:
        """Each other seat pays the winner; a line says why."""
        target = state.stakes[winner].seat
        for place, one in enumerate(state.stakes):
            if place != winner:
                points = STAYED if state.in_play[place] else FOLDED
                key = "higher_card" if state.in_play[place] else "folded_card"
                amount = points * self.point
                payments.explain([Line(key, one.seat, target, amount, {"points": points})])
                payments.pay(one.seat, target, amount, key)


def _own(state: HighCardState, seat: int | None) -> frozenset[int]:
    """The place of a seat's own card; none for a spectator."""
    return frozenset(place for place, one in enumerate(state.stakes) if one.seat == seat)


def _opened(state: HighCardState) -> list[int]:
    """The places of the cards that lie open: at the end those of all who stayed."""
    if state.phase != "over":
        return []
    return [place for place, in_play in enumerate(state.in_play) if in_play]


def _worth(card: Card) -> tuple[int, int]:
    return card.rank, card.suit
