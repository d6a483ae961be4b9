"""The stakes of a table, in a few words."""

from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Table
from games.tables.hand_state import game_from
from games.words.naming import stakes_in_words
from wallets.models import Currency
from wallets.values.amounts import show_amount


class _Words(NamedTuple):
    whole: str
    short: str


def table_stakes(table: Table) -> str:
    """A point's worth, or the bounds of a bet."""
    return _words(table).whole


def stakes_in_short(table: Table) -> str:
    """The same in a column of stakes; play money needs no unit there."""
    return _words(table).short


def _words(table: Table) -> _Words:
    game: Any = game_from(table.game, table.options)
    currency = table.currency
    return _words_of(game, currency, currency.exponent, currency.unit, get_language())


@lru_cache(maxsize=1024)
def _words_of(
    game: Any, currency: Currency, _exponent: int, unit: str, _language: str | None
) -> _Words:
    if short := stakes_in_words(game, lambda amount: show_amount(amount, currency)):
        whole = f"{short} {unit}"
        return _Words(whole, short if currency.kind == Currency.Kind.PLAY else whole)
    point = getattr(game, "point", None)
    if point is not None:
        worth = show_amount(point, currency)
        whole = _("{amount} {currency} a point").format(amount=worth, currency=unit)
        short = _("{amount} a point").format(amount=worth)
    else:
        banked = hasattr(game, "bet_min")
        bounds = (game.bet_min, game.bet_max) if banked else (game.min, game.max)
        least, most = (show_amount(bound, currency) for bound in bounds)
        words = _("bets {least} to {most} {currency}")
        whole, short = words.format(least=least, most=most, currency=unit), f"{least}–{most}"
    return _Words(whole, short if currency.kind == Currency.Kind.PLAY else f"{short} {unit}")
