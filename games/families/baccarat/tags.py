"""The spots and road maps of a baccarat table, for its page.

A spot shows what it pays, and who has what on it.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markupsafe import Markup

from games.boards.betting import Betting
from games.boards.pieces.engine import remembered
from games.boards.rule_tables import odds_in_words
from games.boards.table_version import TableVersion
from games.boards.table_view import TableView
from games.families.baccarat.road_maps import small_road
from games.families.baccarat.roads import (
    CoupBefore,
    LastRound,
    Mark,
    ShoeMapped,
    coup_before,
    last_rounds,
    latest_marks,
    shoe_shown,
)
from games.models import Hand, Shoe, Table
from games.rules.baccarat.coup import Coup
from games.rules.baccarat.game import PAIR, SPOTS, TIE, BaccaratTable, BaccaratView, Spot, Wager
from games.rules.house.till import EVEN
from games.rules.settlement import StoredLine
from games.tables.hand_cache import CachedHand
from games.tables.hand_state import game_of
from games.tables.squeeze import squeezed_until
from games.tables.table_cache import cached_hand
from games.words.naming import term
from wallets.models import Currency
from wallets.values.amounts import show_amount

SIX: Final = 6
TABLES_REMEMBERED: Final = 256
Ended = Literal["", "won", "lost", "back"]


class PrintedSpot(NamedTuple):
    """A spot as the felt has it: its odds and limits."""

    key: Spot
    name: str
    pays: str
    limits: str


class SpotView(NamedTuple):
    """A spot: its odds and limits, the bets on it, and how it came out."""

    key: Spot
    name: str
    pays: str
    limits: str
    mine: int
    others: tuple[Wager, ...]
    total: int
    ended: Ended
    # The viewer's result at this spot, once the hand is settled.
    net: int

    @property
    def several(self) -> bool:
        """Whether more than one have bet on it."""
        return len(self.others) + bool(self.mine) > 1


class SpotsView(NamedTuple):
    """All spots of a round, and the side whose cards the viewer turns."""

    spots: tuple[SpotView, ...]
    # The side that the viewer has more on.
    backed: Literal["", "player", "banker"]
    first_round: bool
    last_round: bool


def spots_view(hand: Hand, view: BaccaratView, currency: Currency) -> SpotsView:
    game = game_of(hand)
    assert isinstance(game, BaccaratTable)
    lines = (hand.settlement or {}).get("lines", ()) if view.coup else ()
    printed = _printed(game, currency, get_language())
    shown = tuple(_spot(game, spot, view, lines) for spot in printed)
    player, banker = shown[0].mine, shown[1].mine
    backed: Literal["", "player", "banker"] = ""
    if player or banker:
        backed = "player" if player > banker else "banker"
    left = len(game.composition()) - hand.first_card
    return SpotsView(shown, backed, hand.first_card == 0, game.is_last_round(left))


@lru_cache(TABLES_REMEMBERED)
def _printed(
    game: BaccaratTable, currency: Currency, _language: str | None
) -> tuple[PrintedSpot, ...]:
    """The same at each board of a table, and ten amounts in words."""
    return tuple(
        PrintedSpot(
            spot,
            term(spot),
            _pays(game, spot),
            "–".join(show_amount(bound, currency) for bound in (game.min, game.most_on(spot))),
        )
        for spot in SPOTS
    )


def _spot(
    game: BaccaratTable, printed: PrintedSpot, view: BaccaratView, lines: Sequence[StoredLine]
) -> SpotView:
    spot = printed.key
    bets = [wager for wager in view.wagers if wager.on == spot]
    mine = sum(wager.amount for wager in bets if wager.seat == view.seat)
    return SpotView(
        *printed,
        mine=mine,
        others=tuple(wager for wager in bets if wager.seat != view.seat),
        total=sum(wager.amount for wager in bets),
        ended=_ended(game, spot, view.coup, bets),
        net=_net(lines, spot, str(view.seat)),
    )


def _net(lines: Sequence[StoredLine], spot: Spot, seat: str) -> int:
    """Return what the lines about a spot give a seat, less what they take."""
    about = [line for line in lines if line["values"].get("bet") == spot]
    given = sum(line["amount"] for line in about if line["target"] == seat)
    taken = sum(line["amount"] for line in about if line["source"] == seat)
    return int(given - taken)


def _pays(game: BaccaratTable, spot: Spot) -> str:
    if spot == "tie":
        return odds_in_words(TIE)
    if spot in ("player_pair", "banker_pair"):
        return odds_in_words(PAIR)
    if spot == "player":
        return odds_in_words(EVEN)
    if game.commission_bp:
        return _("1:1 less {percent}%").format(percent=game.commission_bp // 100)
    return _("1:1, {odds} with 6").format(odds=odds_in_words(game.banker_odds(SIX)))


def _ended(game: BaccaratTable, spot: Spot, coup: Coup | None, bets: Sequence[Wager]) -> Ended:
    """Return a spot's result: all see the winning spots, and the others only with a bet."""
    if coup is None:
        return ""
    if game.winning_odds(coup, spot):
        return "won"
    if not bets:
        return ""
    return "back" if coup.winner == "tie" and spot in ("player", "banker") else "lost"


def spot_shown(
    shown: SpotView,
    betting: Betting | None,
    view: BaccaratView,
    names: dict[int, str],
    currency: Currency,
) -> Markup:
    """A spot of the felt, to bet on where the viewer can."""
    return remembered(
        "families/baccarat/spot.html",
        shown=shown,
        spot=betting.spots[shown.key] if betting else None,
        dealt=view.coup is not None,
        others=tuple((names.get(bet.seat), bet.amount) for bet in shown.others),
        currency=currency,
    )


def _kept(board: TableView) -> CachedHand | TableVersion:
    """What keeps the results: while a hand runs they cannot change before its end."""
    return cached_hand(board.table) if board.table.hand_id is not None else board.version


def rounds_at(board: TableView, shoe: Shoe) -> tuple[LastRound, ...]:
    """The last rounds of the shoe that a table deals from."""
    return _kept(board).once("last rounds", lambda: last_rounds(shoe))


def marks_at(board: TableView) -> tuple[Mark, ...]:
    """The last results of the shoe that a table deals from."""
    if board.hand is None:
        return ()
    shoe = board.hand.shoe
    return _kept(board).once("last results", lambda: latest_marks(shoe, rounds_at(board, shoe)))


def coup_lying(board: TableView) -> CoupBefore | None:
    """The last coup, while bets are placed for the next."""
    if board.hand is None or board.table.hand_id is None:
        return None
    shoe = board.hand.shoe
    return _kept(board).once("coup before", lambda: coup_before(shoe, rounds_at(board, shoe)))


def squeeze_ends(board: TableView) -> datetime | None:
    """Return when the cards of the coup on a table are turned, by whomever."""
    return squeezed_until(board.hand, board.next_hand_at) if board.hand else None


def shoe_on(table: Table) -> ShoeMapped | None:
    return shoe_shown(table)


# The functions of templates, by name.
FILTERS: Final[dict[str, Any]] = {}
FUNCTIONS: Final = {
    function.__name__: function
    for function in (
        small_road,
        spots_view,
        spot_shown,
        marks_at,
        coup_lying,
        squeeze_ends,
        shoe_on,
    )
}
