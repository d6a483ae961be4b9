"""The differences between families of games outside their rules, as one class with usual answers.

A family is the games that share a felt: thirteen cards, Dou Dizhu, blackjack, poker, baccarat. All
that a page, a program or the coach needs to know of it beyond the rules is a question of `Family`;
no other module asks which game it is. The answers are in `games/families`, above this package;
`games/apps.py` registers at start how they are found.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from django.utils.functional import Promise

from games.boards.help import Advice, Depth, Filled, Hint, Path, Suggested, Ticked
from games.boards.rule_tables import (
    Example,
    Paytable,
    RuleRow,
    RuleTable,
    Winning,
    rake_row,
    to_pay,
)
from games.boards.settlement_view import BoxBets
from games.boards.spots import Felt, Offer
from games.boards.wheel import Wheel
from games.models import Table
from games.models.combined import Read
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.rules.contract import Action, AnyGame, State
from games.rules.errors import Illegal
from games.rules.settlement import StoredLine
from wallets.models import Currency

G = TypeVar("G")
V = TypeVar("V")
# The actions of a kind of decision in their places, by one that it always offers.
Bar = Mapping[str, tuple[str, ...]]
# Settlement lines, as stored.
Lines = Sequence[StoredLine]
# A key, or several that do alike, and what it does.
KeyOf = tuple[str | Promise, str | Promise]


class Panel(NamedTuple):
    """A panel: beside the table on a wide screen, opened over it on a phone."""

    name: str
    title: str | Promise
    template: str


class FamilyTemplates(NamedTuple):
    """A family's parts of a table's page: pieces (`games/boards/pieces`), styles and scripts."""

    # The middle of the felt.
    board: str
    # Its styles and scripts have this name in `static/pages`.
    page: str
    # The bets and cards in front of one seat.
    front: str = ""
    # The player's own cards, if they have more controls than the plain forms.
    hand: str = ""
    # The subject of a decision against the bank.
    decision: str = ""
    # The print on the felt, shown also between hands.
    cloth: str = ""
    # The message in the middle of the felt, different for each viewer.
    beside: str = ""
    # The pieces that are the same for all viewers, and are made once; of the places either all, or
    # those of a viewer's rivals as long as no cards are shown.
    alike: frozenset[str] = frozenset({"place"})
    panels: tuple[Panel, ...] = ()


# The pieces of a family without its own: they show cards that lie open, and plain forms.
PLAIN_FELT: Final = FamilyTemplates(
    board="families/plain/board.html",
    page="plain",
    front="families/plain/front.html",
    hand="families/plain/hand.html",
)


class Printed(NamedTuple):
    """The print on the felt of a table: lines of words, and places for bets by number."""

    words: tuple[str, ...] = ()
    boxes: tuple[int, ...] = ()


class OpenHand(NamedTuple):
    """Open cards of a seat or of the house, in rows.

    Those of the house are named: the dealer's, the board. Where cards are counted, each row has its
    total; elsewhere what it makes, and what else the settlement distinguishes.
    """

    rows: tuple[tuple[Card, ...], ...]
    seat: int | None = None
    words: str = ""
    totals: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()


class LobbyNotes(NamedTuple):
    """A family's additions to a table's row in the lobby: words, and a small picture."""

    marks: tuple[str, ...] = ()
    picture: str = ""


class Family(ABC, Generic[G, V]):
    """The questions, in the order in which a table's page and the rules' page ask them.

    The usual answers are those of a family with plain forms, no bets against the bank, and no help.
    Each family extends this class and no other; what some of them share is functions
    (`games/families/house.py`).
    """

    # The title on the list of rules; none for the games against the bank, which share one.
    title: str | Promise = ""
    # Whether one plays to the right, as at a Chinese table.
    plays_to_the_right: bool = False
    # The labels of the buttons of further actions.
    labels: Mapping[str, str | Promise] = {}
    # The words for a further action in the list of moves: "draws a card", "raises to {amount}".
    deeds: Mapping[str, str | Promise] = {}
    # The quick phrases of the chat; none where the usual ones serve.
    phrases: Mapping[str, str | Promise] = {}
    decisions: ClassVar[Bar] = {}

    # The felt

    def templates(self, game: str) -> FamilyTemplates:
        """The templates of a game by its key: those of its family's folder, or `PLAIN_FELT`."""
        family = GAMES[game].family
        folder = f"families/{family}"
        return FamilyTemplates(
            board=f"{folder}/board.html",
            page=family,
            front=f"{folder}/front.html",
            hand=f"{folder}/hand.html",
        )

    def printed(self, game: G) -> Printed:
        """The words and the places for bets on the felt, as the options of the table have them."""
        return Printed()

    def roles(self, view: V) -> Mapping[int, str]:
        """The seats with a part of their own: `landlord`, `banker` or `dealer`."""
        return {}

    def last_moves(self, view: V, names: Mapping[int, str]) -> tuple[str, ...]:
        """The last moves in the family's own sentences, for all who look, of a stranger's view.

        None where the usual ones serve.
        """
        return ()

    def context(self, game: G, view: V, fill: Filled) -> Mapping[str, object]:
        """Return the family's additions to the context of every table."""
        return {}

    def bets(self, felt: Felt, view: V) -> Offer | None:
        """The spots and boxes to bet on, while bets are placed."""
        return None

    def box_bets(self, view: V) -> Mapping[int, BoxBets]:
        """Return the viewer's bets on each box, with what was added after the deal."""
        return {}

    def bets_of_seats(self, game: G, state: State) -> Mapping[int, int]:
        """Return each seat's bets, in a round in which they are public."""
        return {}

    def bet_winnings(self, game: G) -> dict[str, Winning]:
        """The possible winnings, by spot, or by the kind of bet, `amount` or `bonus`."""
        return {}

    def decision_bar(self, game: G) -> Bar:
        """The actions of each kind of decision, in their places: what is refused keeps its own.

        A kind of decision is known by an action that it always offers; the first that fits counts.
        """
        return self.decisions

    def decided_boxes(self, game: G, state: State, seat: int) -> Sequence[int]:
        """The boxes of a seat that are decided about together, with those that are decided."""
        return ()

    def keys(self, game: G) -> Sequence[KeyOf]:
        """The keys of the family's own cards and spots, each with what it does."""
        return ()

    # The own hand

    def in_hand(self, cards: Sequence[Card]) -> list[Card]:
        """Cards in the order in which one holds them, the highest first unless it is overridden."""
        return sorted(cards, key=lambda card: (card.rank, card.suit), reverse=True)

    def own_hand(self, game: G, view: V) -> str:
        """Return what the player's own cards are called so far, where the board changes it."""
        return ""

    def open_hands(self, view: V) -> tuple[OpenHand, ...]:
        """Return the open cards at the end of a hand, the house's first."""
        return ()

    def declaring(self, game: G, word: str) -> str:
        """Return what it means to declare something, as a player reads it beforehand."""
        return ""

    def foul(self, game: G, action: Action) -> Illegal | None:
        """Return why this action is a foul that would be paid for."""
        return None

    # Help

    def hint(self, game: G, view: V) -> Hint | None:
        """Return what the strategy would do in the viewer's place, at a table against the bank."""
        return None

    def plays(self, game: G, view: V) -> Iterable[Hint]:
        """Every legal action of the viewer, where the choices do not name each of them."""
        return ()

    def advised(self, game: G, view: V) -> Iterable[Hint]:
        """Return the suggestions for this hand as actions, the best first; usually the hint."""
        hint = self.hint(game, view)
        return () if hint is None else (hint,)

    def fill(self, game: G, view: V, wanted: str) -> Filled:
        """The cards that the help puts into the form."""
        return Filled()

    def suggestions(self, game: G, view: V, *, opened: bool) -> tuple[Suggested, ...]:
        """The arrangements to choose from; they are searched for once the viewer opens one."""
        return ()

    def best(self, game: G, view: V) -> str:
        """What the best of the suggestions makes, before the viewer has opened one."""
        return ""

    def row_names(self, game: G, placed: Mapping[Card, str]) -> dict[str, str]:
        """Return what full rows are called, and why they are a foul."""
        return {}

    def ticked(self, game: G, view: V, cards: Sequence[Card]) -> Ticked:
        """Return what ticked cards are called, and whether they can be played now."""
        return Ticked()

    # The shoe and the wheel

    def depth(self, game: G, dealt: int) -> Depth | None:
        """Return how deep a shoe is dealt, where it lasts over several rounds."""
        return None

    def wheel(self, game: G, view: V, lines: Lines) -> Wheel | None:
        """The wheel, once it is spun."""
        return None

    # The rules' page

    def paytables(self, game: G) -> tuple[Paytable, ...]:
        """All that a table with a bonus bet pays."""
        return ()

    def examples(self, game: G) -> tuple[Example, ...]:
        """The combinations at this table, each with example cards."""
        return ()

    @abstractmethod
    def winnings(self, game: G) -> tuple[RuleTable, ...]:
        """Return the tables of prizes: what wins how much."""
        ...

    def costs(self, game: G) -> tuple[RuleTable, ...]:
        """Return the cost of a foul, and the shares of the house and of its pools."""
        return to_pay(rake_row(game))

    @abstractmethod
    def limits(self, game: G, currency: Currency) -> tuple[RuleRow, ...]:
        """The limits of a table: the bets, the winnings, and the value of a point."""
        ...

    # The lobby

    def lobby_notes(self, tables: Sequence[Table], now: datetime) -> Mapping[int, LobbyNotes]:
        """Notes in the lobby's rows of these tables; tables without a note are left out."""
        return {}

    def lobby_reads(self) -> Sequence[Read]:
        """What the notes of all tables read."""
        return ()

    # After the hand

    @abstractmethod
    def advise(self, path: Path) -> Advice:
        """Return the coach's advice about a seat's decisions in a finished hand."""
        ...


AnyFamily = Family[Any, Any]
Find = Callable[[str], AnyFamily]

_find: list[Find] = []
_found: Final[dict[str, AnyFamily]] = {}


def register(find: Find) -> None:
    """Say how a family is found by its name in the catalogue; once for each."""
    _find[:] = [find]
    _found.clear()


def family_of(game: AnyGame | str) -> AnyFamily:
    """The family of a game, or of a game's key."""
    return family_named(GAMES[game if isinstance(game, str) else game.key].family)


def family_named(name: str) -> AnyFamily:
    """A family by its name in the catalogue, which its views bear as their tag."""
    if name not in _found:
        _found[name] = _find[0](name)
    return _found[name]


def families() -> tuple[AnyFamily, ...]:
    """All families, each once, in the order of the catalogue."""
    families: list[AnyFamily] = []
    for game in GAMES:
        family = family_of(game)
        if not any(family is other for other in families):
            families.append(family)
    return tuple(families)
