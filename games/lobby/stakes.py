"""The stakes of a table, in a few words."""

from typing import Any

from django.utils.translation import gettext as _

from games.models import Table
from games.tables.hand_state import game_from
from wallets.models import Currency
from wallets.values.amounts import show_amount


def table_stakes(table: Table) -> str:
    """A point's worth, or the bounds of a bet."""
    point, least, most = _amounts(table)
    if point:
        return _("{amount} {currency} a point").format(amount=point, currency=table.currency.unit)
    return _("bets {least} to {most} {currency}").format(
        least=least, most=most, currency=table.currency.unit
    )


def stakes_in_short(table: Table) -> str:
    """The same in a column of stakes; play money needs no unit there."""
    point, least, most = _amounts(table)
    amount = _("{amount} a point").format(amount=point) if point else f"{least}–{most}"
    return (
        amount if table.currency.kind == Currency.Kind.PLAY else f"{amount} {table.currency.unit}"
    )


def _amounts(table: Table) -> tuple[str, str, str]:
    """A point's worth, or else the bounds of a bet."""
    game: Any = game_from(table.game, table.options)
    point = getattr(game, "point", None)
    if point is not None:
        return show_amount(point, table.currency), "", ""
    banked = hasattr(game, "bet_min")
    least, most = (game.bet_min, game.bet_max) if banked else (game.min, game.max)
    return "", show_amount(least, table.currency), show_amount(most, table.currency)
