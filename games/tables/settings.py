"""The checks on a table's settings, before players sit down at it."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Table
from games.rules.analysis.edges import (
    house_edges,
    jackpot_chance,
    players_edges,
    pools_cost,
)
from games.rules.catalogue import game_type
from games.rules.contract import most_seats, refused_options
from games.tables.hand_state import game_from
from games.tables.jackpots import pool_terms
from games.tables.lock import TICK, lock_table, store_table
from games.tables.table_rules import plan
from games.words.naming import term
from games.words.refusals import sentence_of
from wallets.models import Currency, Jackpot
from wallets.of_record.verbs import under
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

# The rules accept any rate; the house's own is 500. No form accepts more than this.
RAKE_BP_MAX: Final = 1_000
# In the pause browsers learn of the new shoe and commit to their part; without that time the house
# would mix alone.
SECONDS_LEAST: Final = {"pause_seconds": 2, "decision_seconds": 5, "betting_seconds": 5}

# The fields of a table, and the attribute of a game with the usual value of each.
USUAL_STACKS: Final = {"buy_in_min": "stack_to_sit", "stack_min": "stack_to_continue"}


def problems(table: Table, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each invalid setting with the reason; `values` are the new settings of a table."""
    game = values.get("game") or table.game
    currency = values.get("currency") or table.currency
    yield from _wrong_seats(table, values["places"], seat_bounds(game, values.get("options") or {}))
    yield from _of_the_rules(game, currency, values)
    yield from _too_short(values)
    if values["stack_min"] > values["buy_in_min"]:
        yield "stack_min", _("The minimum buy-in is below the stack needed to play.")
    yield from _of_jackpots(table, currency, values.get("jackpots") or ())


def _of_the_rules(
    game: str, currency: Currency, values: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    options = values.get("options") or {}
    try:
        played = game_from(game, options)
    except (Refused, ValueError) as reason:
        yield "options", str(reason)
        return
    if refusal := refused_options(played):
        yield "options", sentence_of(refusal, currency)
    # A closing table is played to its end as it is.
    if values.get("status", Table.Status.OPEN) == Table.Status.OPEN:
        yield from _beyond_measure(played, values["stack_min"], currency)
    if options.get("tournament") and currency.kind != Currency.Kind.CHIPS:
        # With those, a hand has no rake, and wins are not limited by the stacks.
        yield "options", _("Tournament rules are only for tournament chips, not for money.")


def _beyond_measure(game: Any, stack_min: int, currency: Currency) -> Iterator[tuple[str, str]]:
    """Rake and stakes that no player would expect, or that no stack at the table could pay."""
    if game.rake_bp > RAKE_BP_MAX:
        yield (
            "options",
            _("The rake can be at most {percent} %.").format(percent=RAKE_BP_MAX // 100),
        )
    least = game.least_stake
    if least > stack_min:
        yield (
            "options",
            _("The smallest bet is {least}, but players with only {stack} are dealt in.").format(
                least=show_amount(least, currency), stack=show_amount(stack_min, currency)
            ),
        )
    payout = getattr(game, "max_payout", None)
    if payout is not None and payout < game.max:
        yield "options", _("The largest bet could not win as much as it stakes.")


def usual_stacks(game: str, options: dict[str, Any]) -> dict[str, int | None]:
    """The usual buy-in and stack at these stakes: the form takes them for empty fields."""
    try:
        played = game_from(game, options)
    except (Refused, ValueError):
        # `_of_the_rules` reports which option is wrong.
        played = None
    return {field: getattr(played, name, None) for field, name in USUAL_STACKS.items()}


def _wrong_seats(table: Table, places: int, bounds: tuple[int, int]) -> Iterator[tuple[str, str]]:
    least, most = bounds
    if not least <= places <= most:
        words = _("This game has {least} to {most} seats.")
        yield "places", words.format(least=least, most=most)
    elif table.pk and table.seats.filter(left_at__isnull=True, number__gt=places).exists():
        yield "places", _("A seat that you remove is taken.")


def seat_bounds(game: str, options: dict[str, Any]) -> tuple[int, int]:
    """The smallest and largest number of seats with these options, at most one per box."""
    seats = game_type(game).seats
    try:
        return seats[0], most_seats(game_from(game, options))
    except (Refused, ValueError):
        # `_of_the_rules` reports which option is wrong.
        return seats[0], seats[-1]


def _too_short(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for field, least in SECONDS_LEAST.items():
        if values[field] < least:
            yield field, _("This must be at least {least} seconds.").format(least=least)


def _of_jackpots(
    table: Table, currency: Currency, jackpots: Iterable[Jackpot]
) -> Iterator[tuple[str, str]]:
    kinds = [jackpot.kind for jackpot in jackpots]
    if len(kinds) != len(set(kinds)):
        yield "jackpots", _("A table has one jackpot of each kind at most.")
    for jackpot in jackpots:
        if jackpot.pool.currency_id != currency.pk:
            yield "jackpots", _("A jackpot is in the currency of its tables.")
        elif (
            jackpot.kind == Jackpot.Kind.MYSTERY
            and Table.objects.filter(jackpots=jackpot).exclude(pk=table.pk).exists()
        ):
            yield "jackpots", _("A mystery prize belongs to one table.")


def gifts(table: Table, values: dict[str, Any]) -> list[str]:
    """A sentence for each bet that would pay players on average: an operator must confirm them.

    A pool pays its share of a bonus bet back to players some day, so that counts too, as do the
    house's payments into it after each hit.
    """
    jackpots = list(values.get("jackpots") or ())
    game = values.get("game") or table.game
    played = _with_pools(game, dict(values.get("options") or {}), jackpots)
    words = _("On average players would win {percent}% of each bet of this kind: {bet}.")
    return [
        words.format(percent=_percent(edge), bet=term(bet))
        for bet, edge in players_edges(played, pool_terms(jackpots)).items()
    ]


def _with_pools(game: str, options: dict[str, Any], jackpots: Iterable[Jackpot]) -> Any:
    """The rules of a game whose bonus bets feed these jackpots."""
    if game_type(game).feeds_pools:
        shares = {jackpot.kind: jackpot.share_bp for jackpot in jackpots}
        options |= {
            "jackpot_bp": shares.get(Jackpot.Kind.PROGRESSIVE, 0),
            "mystery_bp": shares.get(Jackpot.Kind.MYSTERY, 0),
        }
    return game_from(game, options)


def gifts_of_jackpot(jackpot: Jackpot) -> list[str]:
    """The same sentences for the tables that play for a jackpot, which has new settings."""
    sentences: list[str] = []
    for table, jackpots in _tables_of(jackpot):
        values = {"options": table.options, "jackpots": jackpots}
        sentences += [f"{table.name}: {sentence}" for sentence in gifts(table, values)]
    return sentences


def _tables_of(jackpot: Jackpot) -> Iterator[tuple[Table, list[Jackpot]]]:
    """The tables that play for a jackpot, each with all that it plays for; none if it rests."""
    if jackpot.active:
        for table in Table.objects.filter(jackpots=jackpot).select_related("currency"):
            others = table.jackpots.filter(active=True).exclude(pk=jackpot.pk)
            yield table, [jackpot, *others]


class JackpotCost(NamedTuple):
    """What the pools cost of a bonus bet at a table in the long run, and what the house keeps."""

    table: Table
    cost: Fraction
    kept: Fraction
    # How likely a bonus bet is to win a share of a progressive jackpot.
    chance: Fraction


def costs_of_jackpot(jackpot: Jackpot) -> list[JackpotCost]:
    """What a jackpot with these settings costs at each table that plays for it."""
    costs = []
    for table, jackpots in _tables_of(jackpot):
        game, terms = _with_pools(table.game, dict(table.options), jackpots), pool_terms(jackpots)
        if edges := house_edges(game, terms):
            cost = pools_cost(game, terms)
            costs.append(JackpotCost(table, cost, edges["bonus"], jackpot_chance(game)))
    return costs


def is_played_for(jackpot: Jackpot) -> bool:
    """Whether the rules that an open table publishes name this jackpot."""
    return bool(Table.objects.exclude(status=Table.Status.CLOSED).filter(jackpots=jackpot).exists())


def _percent(edge: Fraction) -> str:
    """An edge to two places, rounded from the exact fraction, and at least 0.01."""
    whole, hundredths = divmod(max(1, round(10_000 * edge)), 100)
    return f"{whole}.{hundredths:02}"


@under(TICK)
def changed(table_id: int, now: datetime) -> None:
    """Raise the version of a table with new settings, and have the clock look where nothing is due.

    What its profile says differently from now on waits for the next hand, and its players read it.

    The table may be closing.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        if table.profile_id is not None:
            plan(table, now)
        table.due_at = table.due_at or now
        store_table(table)
