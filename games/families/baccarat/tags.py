"""The spots and road maps of a baccarat table, for its page."""

from datetime import datetime
from typing import Any, Final

from markupsafe import Markup

from games.boards.betting import Betting
from games.boards.pieces.engine import remembered
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
from games.families.baccarat.spots import SpotView, spots_view
from games.models import Shoe, Table
from games.rules.baccarat.game import BaccaratView
from games.tables.hand_cache import CachedHand
from games.tables.squeeze import squeezed_until
from games.tables.table_cache import cached_hand
from wallets.models import Currency


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
