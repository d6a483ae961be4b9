"""The stakes of a table, in a few words."""

from typing import Any

from django.utils.translation import gettext as _

from games.models import Table
from games.tables.hand_state import game_from
from wallets.values.amounts import show_amount


def table_stakes(table: Table) -> str:
    """A point's worth, or the bounds of a bet."""
    game: Any = game_from(table.game, table.options)
    point = getattr(game, "point", None)
    if point is not None:
        return _("{amount} {currency} a point").format(
            amount=show_amount(point, table.currency), currency=table.currency.unit
        )
    banked = hasattr(game, "bet_min")
    least, most = (game.bet_min, game.bet_max) if banked else (game.min, game.max)
    return _("bets {least} to {most} {currency}").format(
        least=show_amount(least, table.currency),
        most=show_amount(most, table.currency),
        currency=table.currency.unit,
    )
