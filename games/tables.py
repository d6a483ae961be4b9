"""What a table's settings must keep to before anybody sits down at it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.hands import game_from
from games.models import Table
from games.rows import lock_table, store_table
from games.rules.catalogue import game_type
from games.rules.errors import RulesError
from wallets.models import Currency, Jackpot

# In the pause browsers learn of the new shoe and commit to their part; in no time for it the house
# would mix alone.
SECONDS_LEAST: Final = {"pause_seconds": 2, "decision_seconds": 5, "betting_seconds": 5}


def problems(table: Table, told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Which setting cannot be, and why; `told` are the new settings of a table."""
    game = told.get("game") or table.game
    currency = told.get("currency") or table.currency
    seats = game_type(game).seats
    if told["places"] not in seats:
        yield (
            "places",
            _("This game has {least} to {most} seats.").format(least=seats[0], most=seats[-1]),
        )
    elif table.pk and table.seats.filter(left_at__isnull=True, number__gt=told["places"]).exists():
        yield "places", _("Somebody sits at a seat that would be taken away.")
    options = told.get("options") or {}
    try:
        game_from(game, options)
    except (RulesError, ValueError) as reason:
        yield "options", str(reason)
    if options.get("tournament") and currency.kind != Currency.Kind.CHIPS:
        # By those a hand is played without rake, and for more than lies on the table.
        yield "options", _("The rules of tournaments are for their chips, not for money.")
    yield from _too_short(told)
    if told["purse_min"] > told["buy_in_min"]:
        yield "purse_min", _("Who buys in for the least could not play.")
    kinds: list[str] = [jackpot.kind for jackpot in told.get("jackpots") or ()]
    if len(kinds) != len(set(kinds)):
        yield "jackpots", _("A table has one jackpot of each kind at most.")
    for jackpot in told.get("jackpots") or ():
        if jackpot.pool.currency_id != currency.pk:
            yield "jackpots", _("A jackpot is in the currency of its tables.")
        elif jackpot.kind == Jackpot.Kind.MYSTERY and _elsewhere(jackpot, table):
            yield "jackpots", _("A mystery prize belongs to one table.")


def _too_short(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for field, least in SECONDS_LEAST.items():
        if told[field] < least:
            yield field, _("This takes {least} seconds at least.").format(least=least)


def changed(table_id: int, now: datetime) -> None:
    """Have the clock look at a table where nothing is due: it may be one that is to close."""
    with transaction.atomic():
        table = lock_table(table_id)
        if table.due_at is None:
            table.due_at = now
            store_table(table)


def _elsewhere(jackpot: Jackpot, table: Table) -> bool:
    return bool(Table.objects.filter(jackpots=jackpot).exclude(pk=table.pk).exists())
