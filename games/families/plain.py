"""The usual answers to the questions of `games.boards.family`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final, Generic, TypeVar

from django.utils.functional import Promise

from games.boards.box_results import BoxBets
from games.boards.family import Bar, FamilyTemplates, KeyOf, Lines, LobbyNotes, OpenHand, Printed
from games.boards.help import Depth, Filled, Hint, Suggested, Ticked
from games.boards.paytables import Paytable
from games.boards.rule_tables import Example, RuleTable, rake_row, to_pay
from games.boards.spots import Felt, Offer
from games.boards.wheel import Wheel
from games.boards.winnings import Winning
from games.models import Table
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.rules.contract import Action, State
from games.rules.errors import Illegal

G = TypeVar("G")
V = TypeVar("V")
# The pieces of a family without its own: they show cards that lie open, and plain forms.
PLAIN_FELT: Final = FamilyTemplates(
    board="families/plain/board.html",
    page="plain",
    front="families/plain/front.html",
    hand="families/plain/hand.html",
)


class PlainFamily(Generic[G, V]):
    """A family with plain forms, no bets against the bank, and no help.

    Each family extends this class and no other; what some of them share is functions
    (`games/families/house.py`).
    """

    title: str | Promise = ""
    plays_to_the_right: bool = False
    decisions: ClassVar[Bar] = {}
    labels: Mapping[str, str | Promise] = {}
    deeds: Mapping[str, str | Promise] = {}
    phrases: Mapping[str, str | Promise] = {}

    def templates(self, game: str) -> FamilyTemplates:
        """A folder with the parts of its hands; what it lacks, a family says."""
        family = GAMES[game].family
        folder = f"families/{family}"
        return FamilyTemplates(
            board=f"{folder}/board.html",
            page=family,
            front=f"{folder}/front.html",
            hand=f"{folder}/hand.html",
        )

    def printed(self, game: G) -> Printed:
        return Printed()

    def roles(self, view: V) -> Mapping[int, str]:
        return {}

    def keys(self, game: G) -> Sequence[KeyOf]:
        return ()

    def last_moves(self, view: V, names: Mapping[int, str]) -> tuple[str, ...]:
        return ()

    def context(self, game: G, view: V, fill: Filled) -> Mapping[str, object]:
        return {}

    def bets(self, felt: Felt, view: V) -> Offer | None:
        return None

    def box_bets(self, view: V) -> Mapping[int, BoxBets]:
        return {}

    def bets_of_seats(self, game: G, state: State) -> Mapping[int, int]:
        return {}

    def bet_winnings(self, game: G) -> dict[str, Winning]:
        return {}

    def decision_bar(self, game: G) -> Bar:
        return self.decisions

    def decided_boxes(self, game: G, state: State, seat: int) -> Sequence[int]:
        return ()

    def in_hand(self, cards: Sequence[Card]) -> list[Card]:
        """The highest first."""
        return sorted(cards, key=lambda card: (card.rank, card.suit), reverse=True)

    def own_hand(self, game: G, view: V) -> str:
        return ""

    def open_hands(self, view: V) -> tuple[OpenHand, ...]:
        return ()

    def declaring(self, game: G, word: str) -> str:
        return ""

    def foul(self, game: G, action: Action) -> Illegal | None:
        return None

    def hint(self, game: G, view: V) -> Hint | None:
        return None

    def plays(self, game: G, view: V) -> Iterable[Hint]:
        return ()

    def advised(self, game: G, view: V) -> Iterable[Hint]:
        """The hint, where the family gives one."""
        hint = self.hint(game, view)
        return () if hint is None else (hint,)

    def fill(self, game: G, view: V, wanted: str) -> Filled:
        return Filled()

    def suggestions(self, game: G, view: V, *, opened: bool) -> tuple[Suggested, ...]:
        return ()

    def row_names(self, game: G, placed: Mapping[Card, str]) -> dict[str, str]:
        return {}

    def ticked(self, game: G, view: V, cards: Sequence[Card]) -> Ticked:
        return Ticked()

    def depth(self, game: G, dealt: int) -> Depth | None:
        return None

    def wheel(self, game: G, view: V, lines: Lines) -> Wheel | None:
        return None

    def paytables(self, game: G) -> tuple[Paytable, ...]:
        return ()

    def examples(self, game: G) -> tuple[Example, ...]:
        return ()

    def costs(self, game: G) -> tuple[RuleTable, ...]:
        return to_pay(rake_row(game))

    def lobby_notes(self, tables: Sequence[Table], now: datetime) -> Mapping[int, LobbyNotes]:
        return {}
