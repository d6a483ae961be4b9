"""What pages of reports show besides their table: charts, notices, and the house's debts."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.office.reports.balances import DEBTS, held_after, owed_rows
from casino.office.reports.columns import MINUS
from casino.office.reports.facts import WHOLE, Sums
from casino.office.reports.hold import DRIFTS, LIKELY, BetHold, bet_in_words, held_by
from casino.office.reports.models import TableDay
from casino.office.reports.report import Shown
from games.rules.catalogue import GAMES
from games.words.charts import (
    Band,
    Bar,
    Plot,
    Series,
    added_up,
    by_row,
    days_between,
    over_slots,
)
from games.words.naming import game_name
from wallets.models import Currency
from wallets.values.amounts import show_amounts
from wallets.values.days import ONE_DAY, start_of


def charts_of(shown: Shown) -> list[SafeString]:
    """All charts of a report's page; an instant has no days to draw."""
    report = shown.query.report
    strings = [_bars_by_day(shown)] if report.shades and report.instant is None else []
    return [chart for chart in (*strings, *report.charts(shown)) if chart]


def _bars_by_day(shown: Shown) -> SafeString:
    """Draw a bar for each day, with a shade for each of the report's columns."""
    query, report = shown.query, shown.query.report
    columns = {column.name: column for column in report.columns("day")}
    rows = shown.rows if query.by == "day" else report.rows(query.figures, "day")
    rows = [row for row in rows if row.currency == shown.code]
    series = []
    for shade in report.shades:
        by_day: dict[date, int] = {}
        for row in rows:
            by_day[row["day"]] = by_day.get(row["day"], 0) + row[shade]
        total = None
        if columns[shade].measure == "stock":
            # A stock without a row on the last day is zero.
            total = by_day.get(query.span.last, 0)
        elif columns[shade].measure == "flow":
            total = sum(by_day.values())
        series.append(Series(columns[shade].words, by_day, total))
    money = shown.currency if columns[report.shades[0]].unit == "money" else None
    return _bars_over_days(_("By day"), series, shown, money)


def _bars_over_days(
    title: str, series: Sequence[Series], shown: Shown, currency: Currency | None
) -> SafeString:
    """Draw bars over all days of a report's range that are not in the future."""
    span = shown.query.span
    unit = currency or Currency(exponent=0)
    slots = days_between([span.first, min(span.last, shown.today)])
    title = f"{title}, {currency.code}" if currency else title
    if len(slots) == 1:
        return _bars_of_one_day(f"{title}, {slots[span.first]}", series, unit)
    plot = Plot(
        name="by-day",
        title=title,
        slots=slots,
        write=partial(show_amounts, currency=unit),
        bars=series,
        unit=10**unit.exponent,
        unfinished=span.last >= shown.today,
    )
    return over_slots(plot)


def _bars_of_one_day(title: str, series: Sequence[Series], unit: Currency) -> SafeString:
    """Draw a bar for each series, the largest first."""
    largest = sorted((line for line in series if line.size), key=lambda one: -one.size)
    amounts = [sum(line.values.values()) for line in largest]
    texts = zip(largest, amounts, show_amounts(amounts, unit), strict=True)
    bars = [Bar(str(line.words), amount, text) for line, amount, text in texts]
    return by_row("by-day", (title, title), bars, has_title=True) if bars else SafeString()


def bars_by_game(
    shown: Shown,
    amount: Callable[[Sums], int],
    drawn: Callable[[str], bool] = GAMES.__contains__,
) -> SafeString:
    """Draw an amount of each day as bars, with a shade for each game that is drawn."""
    by_game: dict[str, dict[date, int]] = {}
    for place, _bet, sums in shown.query.figures.facts(TableDay, "day"):
        if place.currency == shown.code and drawn(place.game):
            days = by_game.setdefault(place.game, {})
            days[place.on] = days.get(place.on, 0) + amount(sums)
    series = [added_up(str(game_name(game)), days) for game, days in sorted(by_game.items())]
    return _bars_over_days(_("By game and day"), series, shown, shown.currency)


class _Hold(NamedTuple):
    """The hold of a range up to the end of a day, in hundredths of a percent of all bets."""

    hold: int
    promised: int
    error: float


def hold_charts(shown: Shown) -> list[SafeString]:
    """Draw the hold of all bets with a reckoned return against the promise, if there is any."""
    days: dict[date, BetHold] = {}
    for ((on, code), bet), held in held_by(shown.query.figures, "day").items():
        if bet != WHOLE and code == shown.code and held.reckoned:
            days.setdefault(on, BetHold()).join(held)
    # The days are added up one by one, from the first on which there is an error.
    whole, holds = BetHold(), {}
    for day in sorted(days):
        whole.join(days[day])
        error, handle = whole.error, whole.sums.handle
        if error and handle:
            hold, promised = 10_000 * whole.sums.kept / handle, 10_000 * whole.promised / handle
            holds[day] = _Hold(round(hold), round(promised), 10_000 * LIKELY * error)
    return [chart] if (chart := _hold_chart(holds)) else []


def _hold_chart(holds: Mapping[date, _Hold]) -> SafeString:
    """Draw the hold as a line, in the band that holds it 95 times in 100 around the promise."""
    plot = Plot(
        name="hold",
        title=_("Hold against the promise"),
        slots=days_between(holds),
        write=lambda shares: [f"{share / 100:.2f}%".replace("-", MINUS) for share in shares],
        lines=[
            Series(_("held"), {day: hold.hold for day, hold in holds.items()}),
            Series(_("promised"), {day: hold.promised for day, hold in holds.items()}),
        ],
        band=Band(
            _("95 of 100 such ranges fall within the band"),
            {day: round(hold.promised - hold.error) for day, hold in holds.items()},
            {day: round(hold.promised + hold.error) for day, hold in holds.items()},
        ),
    )
    return over_slots(plot)


def drifting_bets(shown: Shown) -> SafeString:
    """Render an alarm for each bet that drifts, the farthest first."""
    bets = [
        (game, bet, held)
        for ((game, code), bet), held in held_by(shown.query.figures, "game").items()
        if code == shown.code and held.drifts
    ]
    bets.sort(key=lambda one: -abs(one[2].off or 0))
    alarms = [
        {
            "game": game_name(game),
            "bet": bet_in_words(bet),
            "held": f"{100 * held.sums.kept / held.sums.handle:.2f}%",
            "promised": f"{float(100 * held.promised / held.sums.handle):.2f}%",
            "off": f"{held.off:+.1f}",
            "most": DRIFTS,
        }
        for game, bet, held in bets
    ]
    return render_to_string("backoffice/reports/drifting.html", {"alarms": alarms})


def owed_beside(shown: Shown) -> SafeString:
    """Render what the house owes at the end of the range."""
    day = min(shown.query.span.last, shown.today)
    rows = owed_rows({"day": day}, start_of(day + ONE_DAY), held_after(day))
    row = next((row for row in rows if row.currency == shown.code), None)
    if row is None:
        return SafeString()
    context = {
        "day": day,
        "equal": not row["difference"],
        "lines": [
            {"words": debt.words, "shown": debt.shown(row[debt.name], shown.currency)}
            for debt in DEBTS
        ],
    }
    return render_to_string("backoffice/reports/owed.html", context)
