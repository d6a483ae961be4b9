"""What a structure leads to, next to the form: prizes, length, fees, and what the house risks.

The page that players will see is shown as well, before there is a row of the event.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.words.charts import Plot, Series, over_slots
from tournaments.event.organiser import stored
from tournaments.mathematics.preview import Preview, likely_length, preview, previews
from tournaments.mathematics.structure import Structure, first_period, period_after
from tournaments.models import Tournament
from tournaments.overview.event_view import Turned, event_view
from tournaments.overview.words import duration
from wallets.models import Currency
from wallets.values.amounts import show_amount, show_amounts
from wallets.values.player import Viewer

PRIZES_SHOWN: Final = 12
# The curve is drawn for this many entrants, or as many as the event takes.
DRAWN_FOR: Final = 60
BARS_MAX: Final = 40


class PrizeLine(NamedTuple):
    """A prize for one place, or for several in a row."""

    first: int
    last: int
    amount: str


class Column(NamedTuple):
    """The result of a number of entrants."""

    entrants: int
    runs: bool
    tables: int
    length: str
    level: int
    pool: str
    added: str
    fees: str
    places: int
    prizes: Sequence[PrizeLine]
    more: int


class Risk(NamedTuple):
    """The most that the house may have to add to the pool, and the number of entries from which it
    adds nothing.
    """

    most: str
    with_players: int
    none_from: int


class Outlook(NamedTuple):
    columns: Sequence[Column]
    curve: SafeString
    bars_for: int
    risk: Risk | None
    is_free: bool


def outlook(structure: Structure, currency: Currency) -> Outlook:
    drawn = max(structure.field_min, min(structure.field_max, DRAWN_FOR))
    return Outlook(
        columns=[_column(forecast, currency) for forecast in _different(previews(structure))],
        curve=_curve(preview(structure, drawn), currency),
        bars_for=drawn,
        risk=risk_of(structure, currency),
        is_free=structure.stake + structure.fee == 0,
    )


def _different(found: Iterable[Preview]) -> list[Preview]:
    """One for each number of entrants: an event with few seats has the same for all."""
    return list({forecast.entrants: forecast for forecast in found}.values())


def risk_of(structure: Structure, currency: Currency) -> Risk | None:
    """The house adds most when only the fewest players enter."""
    if not structure.guarantee:
        return None
    most = max(0, structure.guarantee - structure.field_min * structure.stake)
    none_from = -(-structure.guarantee // structure.stake) if structure.stake else 0
    return Risk(show_amount(most, currency), structure.field_min, none_from)


def _column(one: Preview, currency: Currency) -> Column:
    lines = _lines(one.prizes, currency)
    return Column(
        entrants=one.entrants,
        runs=one.runs,
        tables=one.tables,
        length=duration(one.seconds),
        level=one.level,
        pool=show_amount(one.pool, currency),
        added=show_amount(one.added, currency),
        fees=show_amount(one.fees, currency),
        places=len(one.prizes),
        prizes=lines[:PRIZES_SHOWN],
        more=sum(line.last - line.first + 1 for line in lines[PRIZES_SHOWN:]),
    )


def _lines(prizes: Sequence[int], currency: Currency) -> list[PrizeLine]:
    """All prizes, equal ones in one line."""
    lines: list[PrizeLine] = []
    for place, prize in enumerate(prizes, 1):
        if place > 1 and prize == prizes[place - 2]:
            lines[-1] = lines[-1]._replace(last=place)
        else:
            lines.append(PrizeLine(place, place, show_amount(prize, currency)))
    return lines


def _curve(one: Preview, currency: Currency) -> SafeString:
    """Draw the prizes by place."""
    prizes = {place: prize for place, prize in enumerate(one.prizes[:BARS_MAX], 1) if prize}
    plot = Plot(
        name="prizes",
        title=_("Prizes by place"),
        slots={place: str(place) for place in prizes},
        write=partial(show_amounts, currency=currency),
        bars=[Series(_("Prize"), prizes)],
        unit=10**currency.exponent,
        has_table=False,
    )
    return over_slots(plot)


def level_starts(structure: Structure) -> list[str]:
    """When each level begins, counted from the start; nothing where levels are counted in hands."""
    if structure.levels[0].seconds is None:
        return [""] * len(structure.levels)
    starts, passed, period = [""], 0, first_period(structure)
    while len(starts) < len(structure.levels):
        passed += period.seconds or 0
        period = period_after(structure, period)
        if not period.on_break:
            starts.append(duration(passed))
    return starts


# No event has this number, so nothing is found that belongs to it.
NUMBER = 0
STARTS_IN = timedelta(days=1)


def as_players_see_it(
    viewer: Viewer, structure: Structure, currency: Currency, now: datetime
) -> dict[str, object]:
    """The page of the event after its announcement, a day before its start."""
    waits_to_fill = structure.kind == "sit_and_go"
    tournament = Tournament(
        pk=NUMBER,
        name=structure.name,
        structure=stored(structure),
        kind=structure.kind,
        game=structure.game,
        currency=currency,
        guarantee=structure.guarantee,
        announced_at=now,
        starts_at=None if waits_to_fill else now + STARTS_IN,
        likely_seconds=likely_length(structure, structure.field_max)[0],
    )
    return {
        "tournament": tournament,
        "event": event_view(viewer, tournament, Turned(levels=True), now),
        "currency": currency,
        "now": now,
    }
