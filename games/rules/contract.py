"""The contract of every game: frozen values in, frozen values out.

A game is a frozen struct whose fields are the options of one table. It opens a hand from stakes,
context and cards in dealing order, says which seats have to act, applies actions and settles at the
end. A hand is nothing but its cards and its moves: `replay` gives its state at any point. Decisions
from outside enter as context when the hand opens, or as a move by `HOUSE` while it runs.

A **seat** is one player's place at the table, with one stack. All that a seat may see is built by
`view`; a view is a separate type without a field for a hidden card.
"""

from abc import ABCMeta
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Annotated, Any, ClassVar, Final, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from games.rules.cards import Card
from games.rules.errors import Illegal, Unreadable
from games.rules.settlement import Settlement
from wallets.values import AMOUNT_MAX, AMOUNT_MIN

HOUSE: Final = "house"
SEAT_MAX: Final = 255

Seat = Annotated[int, msgspec.Meta(ge=1, le=SEAT_MAX)]
Party = Seat | Literal["house"]
Amount = Annotated[int, msgspec.Meta(ge=AMOUNT_MIN, le=AMOUNT_MAX)]
Points = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
BasisPoints = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class AbstractStructMeta(msgspec.StructMeta, ABCMeta):
    """Lets a struct leave methods to the games that share it, and be checked for it."""


class SeatStack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A seat in the hand, with what it may lose."""

    seat: Seat
    stack: Amount = msgspec.field(name="purse")


_SEAT_OF = attrgetter("seat")


class Context(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts from outside, fixed before the hand opened; each game adds its own fields."""


class Action(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower
):
    """A command by a seat or the house; its JSON form carries its name as `do`."""


class NoAction(Action, frozen=True, tag="none"):
    """An action that no seat can take.

    It accompanies a game's only action, so that JSON must name the action.
    """


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One kind of action open to a seat, with its bounds: what a page enables, a bot considers."""

    do: str
    box: int | None = None
    hand: int | None = None
    cost: int = 0
    least: int | None = None
    most: int | None = None
    among: tuple[str, ...] = ()
    # Amounts between the bounds that are worth a button of their own.
    amounts: tuple[int, ...] = ()


Choices = tuple[Choice, ...]


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The part that every state of a hand holds; a game adds the rest.

    A state is frozen and cannot hold itself, so the garbage collector need not watch it.

    Its own state also has a `phase`, by which the replay divides a hand.
    """

    stakes: tuple[SeatStack, ...]
    cards: tuple[Card, ...]


class View(msgspec.Struct, frozen=True, kw_only=True, tag_field="game"):
    """The part of a hand that one seat, or a spectator (None), may see; a game adds the rest."""

    seat: Seat | None
    stakes: tuple[SeatStack, ...]
    to_act: tuple[Party, ...]


S = TypeVar("S", bound=State)


class Game(Protocol[S]):
    """The contract. One instance is one table's configuration; its options are its fields."""

    key: ClassVar[str]
    name: ClassVar[str]
    seats: ClassVar[range]
    rules_version: ClassVar[int]
    actions: ClassVar[tuple[type[Action], ...]]
    context_type: ClassVar[type[Context]]
    # Whether nothing but quick phrases may be said at the table while a hand is live.
    phrases_only: ClassVar[bool]
    # Whether it has bonus bets, which alone feed pools.
    feeds_pools: ClassVar[bool]
    # Whether one player, the landlord, plays against the others together.
    has_landlord: ClassVar[bool]
    # Whether each player plays the house, and not the others.
    against_house: ClassVar[bool]

    @property
    def bet_action(self) -> type[Action] | None:
        """The action that bets against the house before the cards; none among players."""
        ...

    @property
    def least_stake(self) -> int:
        """The smallest unit a hand is played for: one point, or the smallest bet."""
        ...

    def composition(self) -> tuple[Card, ...]:
        """The cards of one full shoe in canonical order."""
        ...

    def draws(self) -> dict[str, int]:
        """Return the draws of a round besides cards: fields of its context, with their sizes."""
        ...

    def open(self, stakes: Sequence[SeatStack], cards: Sequence[Card], context: Any) -> S:
        """The first state of a hand; `cards` are in dealing order and may run on."""
        ...

    def to_act(self, state: S) -> frozenset[Party]:
        """The seats that may act now: several, one, or none when the hand is to be settled."""
        ...

    def choices(self, state: S, seat: Party) -> Choices:
        """The kinds of action open to a seat, with their bounds; empty when it is not to act."""
        ...

    def apply(self, state: S, seat: Party, action: Action) -> S:
        """The state after an action; `Illegal` if it is not allowed, the old state untouched."""
        ...

    def fallback(self, state: S, seat: Party) -> Action:
        """The house's move for an absent player."""
        ...

    def view(self, state: S, seat: int | None) -> View:
        """Everything that a seat, or a spectator, may see."""
        ...

    def shown(self, state: S, seat: int | None) -> frozenset[int]:
        """The cards that a seat, or a spectator, may see now, by their places in the dealing order.

        They are what the shoe protocol opens to that viewer, so they must not be more.
        """
        ...

    def dealt(self, state: S) -> int:
        """Return how many cards of the dealing order have left the shoe."""
        ...

    def at_stake(self, state: S, seat: Party) -> bool:
        """Whether money of a seat depends on the hand; where none does, it can leave immediately.

        Against the house that is so once it has bet. Among players it is so from the deal on, as
        the others have been dealt to play with it.
        """
        ...

    def settle(self, state: S) -> Settlement:
        """The payments between the parties, and their reasons; only when no seat is to act."""
        ...


AnyGame = Game[Any]


@runtime_checkable
class LastingShoe(Protocol):
    """A game whose shoe serves for many rounds, up to its cut card; others have one a hand."""

    def is_last_round(self, cards_left: int) -> bool:
        """Whether a round that begins with this many cards in the shoe is its last."""
        ...

    @property
    def cards_for_a_round(self) -> int:
        """With fewer cards than these in the shoe no round begins, wherever the cut card is."""
        ...


@runtime_checkable
class Redealing(Protocol):
    """A game whose hand can end with nothing played, and which counts how often in a row."""

    def passed_out(self, state: object) -> bool:
        """Whether a hand that is over is to be dealt again."""
        ...


@runtime_checkable
class WithBoxes(Protocol):
    """A game whose seats bet on boxes: a table has no more seats than those."""

    @property
    def box_count(self) -> int:
        """Return how many boxes are open."""
        ...


@runtime_checkable
class Restricted(Protocol):
    """A game with options that hands were played by, and that no table is given any more."""

    def refused_options(self) -> Illegal | None:
        """Return why no table is given these options."""
        ...


def refused_options(game: AnyGame) -> Illegal | None:
    """Return why no table is given these options, though hands that were played by them replay."""
    return game.refused_options() if isinstance(game, Restricted) else None


def lasting_shoe(game: AnyGame) -> LastingShoe | None:
    """The game as one whose shoe serves for many rounds; None where each hand has its own."""
    return game if isinstance(game, LastingShoe) else None


def is_passed_out(game: AnyGame, state: object) -> bool:
    """Whether a hand that is over is to be dealt again, as nothing was played."""
    return isinstance(game, Redealing) and game.passed_out(state)


def most_seats(game: AnyGame) -> int:
    """Return how many seats a table with these options may have."""
    most = game.seats[-1]
    return min(most, game.box_count) if isinstance(game, WithBoxes) else most


PlayedMove = tuple[Party, Action]


def states(
    game: Game[S],
    stakes: Sequence[SeatStack],
    cards: Sequence[Card],
    context: Context,
    moves: Iterable[PlayedMove],
) -> list[S]:
    """Every state of a hand, from the opening on."""
    path = [game.open(stakes, cards, context)]
    for seat, action in moves:
        path.append(game.apply(path[-1], seat, action))
    return path


def replay(
    game: Game[S],
    stakes: Sequence[SeatStack],
    cards: Sequence[Card],
    context: Context,
    moves: Iterable[PlayedMove],
) -> S:
    """The state of a hand after its moves."""
    return states(game, stakes, cards, context, moves)[-1]


def takes_part(state: State, seat: Party) -> bool:
    """Whether the hand was dealt to a seat: among players that is to have something at stake."""
    return any(stake.seat == seat for stake in state.stakes)


def require_turn(game: Game[S], state: S, seat: Party) -> None:
    """Refuse a move by a seat whose turn it is not, and any move in a hand that is over."""
    waiting = game.to_act(state)
    if seat in waiting:
        return
    if not waiting:
        raise Illegal("hand_over", "The hand is over.")
    if seat != HOUSE and not takes_part(state, seat):
        raise Illegal("not_seated", "Seat {seat} takes no part in this hand.", seat=seat)
    raise Illegal("not_your_turn", "It is not your turn.")


def ordered_stakes(game: Game[S], stakes: Sequence[SeatStack]) -> tuple[SeatStack, ...]:
    """The stakes by ascending seat, once they are as many as the game takes, each seat once."""
    count = len(stakes)
    if count not in game.seats:
        raise Unreadable(
            "seat_count",
            "{name} is played by {least} to {most} seats, not {count}.",
            name=game.name,
            least=game.seats[0],
            most=game.seats[-1],
            count=count,
        ).at("$.stakes")
    ordered = tuple(sorted(stakes, key=_SEAT_OF) if count > 1 else stakes)
    before = 0
    for seat_stack in ordered:
        seat, stack = seat_stack.seat, seat_stack.stack
        if seat <= before or seat > SEAT_MAX or stack < AMOUNT_MIN or stack > AMOUNT_MAX:
            raise _refused_stake(seat_stack)
        before = seat
    return ordered


def _refused_stake(stack: SeatStack) -> Unreadable:
    """Return what is wrong with a stake that does not follow the one before it."""
    if 0 < stack.seat <= SEAT_MAX and AMOUNT_MIN <= stack.stack <= AMOUNT_MAX:
        refused = Unreadable("seat_twice", "Seat {seat} appears twice.", seat=stack.seat)
    else:
        refused = Unreadable("stake", "A seat or its stack is out of bounds.")
    return refused.at("$.stakes")


def check_cards(cards: Sequence[Card], shoe: Sequence[Card], needed: int) -> None:
    """Refuse cards that do not come out of this shoe, and too few of them for the hand."""
    if len(cards) < needed:
        raise Unreadable(
            "too_few_cards",
            "The hand needs {needed} cards, not {count}.",
            needed=needed,
            count=len(cards),
        ).at("$.cards")
    left: dict[Card, int] = {}
    for card in shoe:
        left[card] = left.get(card, 0) + 1
    for place, card in enumerate(cards):
        left[card] = left.get(card, 0) - 1
        if left[card] < 0:
            raise Unreadable(
                "card_not_in_shoe",
                "{card} is not in this shoe, or not so often.",
                card=card.text,
            ).at(f"$.cards[{place}]")


def places_of(cards: Sequence[Card], some: Iterable[Card]) -> frozenset[int]:
    """The positions of some cards of a single deck in the dealing order."""
    return frozenset(map({card: place for place, card in enumerate(cards)}.__getitem__, some))


def action_type(game: type[AnyGame]) -> object:
    """The union of a game's actions; of one type alone a decoder would not ask for its name."""
    return reduce(or_, game.actions if len(game.actions) > 1 else (*game.actions, NoAction))


@cache
def action_decoder(game: type[AnyGame]) -> msgspec.json.Decoder[Action]:
    """Reads the JSON form of this game's actions."""
    return msgspec.json.Decoder(action_type(game))
