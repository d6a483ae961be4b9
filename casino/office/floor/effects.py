"""The effects of an action, counted now, so that staff read them before they confirm."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Seat, Table
from games.tables.formats import tables_of_operators
from wallets.models import Currency
from wallets.values.amounts import show_amount


class Effect(NamedTuple):
    amount: str
    words: str


def of_closing(tables: QuerySet[Table]) -> list[Effect]:
    """Hands to finish, players who leave their seats, and money returned to wallets."""
    live = tables.filter(hand__isnull=False).count()
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True)
    people = seats.filter(player__is_bot=False).count()
    return [
        *of_opening(tables),
        Effect(str(live), ngettext("hand is finished first", "hands are finished first", live)),
        Effect(str(people), ngettext("player stands up", "players stand up", people)),
        *_money(seats),
    ]


def of_opening(tables: QuerySet[Table]) -> list[Effect]:
    count = tables.count()
    return [Effect(str(count), ngettext("table is concerned", "tables are concerned", count))]


def of_message(tables: QuerySet[Table]) -> list[Effect]:
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True, player__is_bot=False)
    people = seats.values("player").distinct().count()
    words = ngettext("player reads it", "players read it", people)
    return [*of_opening(tables), Effect(str(people), words)]


def of_closing_house(tables: QuerySet[Table]) -> list[Effect]:
    running = Table.objects.exclude(status=Table.Status.CLOSED)
    others = running.exclude(tables_of_operators()).count()
    words = ngettext("tournament table continues", "tournament tables continue", others)
    return [*of_closing(tables), *([Effect(str(others), words)] if others else [])]


def of_halting() -> list[Effect]:
    counted = Table.objects.filter(status=Table.Status.OPEN).aggregate(
        tables=Count("pk"), live=Count("hand")
    )
    live, tables = counted["live"], counted["tables"]
    return [
        Effect(str(tables), ngettext("table gets no new hand", "tables get no new hand", tables)),
        Effect(str(live), ngettext("live hand is finished", "live hands are finished", live)),
    ]


def _money(seats: QuerySet[Seat]) -> Iterable[Effect]:
    sums = seats.order_by().values("table__currency").annotate(held=Sum("stack__balance"))
    held = dict(sums.values_list("table__currency", "held"))
    for currency in Currency.objects.filter(pk__in=held).order_by("code"):
        words = _("{currency} returns to wallets")
        yield Effect(
            show_amount(held[currency.pk], currency, is_exact=True),
            words.format(currency=currency.pk),
        )
