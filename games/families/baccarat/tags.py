"""The spots and road maps of a baccarat table, for its page."""

from datetime import datetime
from typing import Any

from django import template
from django.utils.safestring import SafeString

from games.boards.betting import Betting
from games.boards.table_view import TableView
from games.families.baccarat.road_maps import small_road
from games.families.baccarat.roads import Mark, ShoeMapped, latest_marks, shoe_shown
from games.families.baccarat.spots import SpotsView, SpotView, spots_view
from games.models import Hand, Table
from games.rules.baccarat.game import BaccaratView
from games.tables.copies import live_hand
from games.tables.squeeze import squeezed_until
from games.templatetags.remembered import remembered
from wallets.models import Currency

register = template.Library()
register.simple_tag(small_road)


@register.simple_tag(takes_context=True)
def spots(context: template.Context) -> SpotsView:
    """The spots of the round that is shown: at a table, or looked back on."""
    board: Any = context.get("board")
    hand: Hand = board.hand if board else context["hand"]
    return spots_view(hand, context["view"], context["currency"])


@register.simple_tag
def spot_shown(
    shown: SpotView,
    betting: Betting | None,
    view: BaccaratView,
    names: dict[int, str],
    currency: Currency,
) -> SafeString:
    """A spot of the felt, to bet on where the viewer can."""
    return remembered(
        "games/families/baccarat/spot.html",
        shown=shown,
        spot=betting.spots[shown.key] if betting else None,
        dealt=view.coup is not None,
        others=tuple((names.get(bet.seat), bet.amount) for bet in shown.others),
        currency=currency,
    )


@register.simple_tag
def marks_at(table: Table, hand: Hand) -> tuple[Mark, ...]:
    """The last results of the shoe that a table deals from; a hand that runs adds none."""
    if table.hand_id is None:
        return latest_marks(hand.shoe)
    return live_hand(table).once("last results", lambda: latest_marks(hand.shoe))


@register.simple_tag
def squeeze_ends(board: TableView) -> datetime | None:
    """Return when the cards of the coup on a table are turned, by whomever."""
    return squeezed_until(board.hand, board.next_hand_at) if board.hand else None


@register.simple_tag
def shoe_on(table: Table) -> ShoeMapped | None:
    """The shoe that the table shows."""
    return shoe_shown(table)
