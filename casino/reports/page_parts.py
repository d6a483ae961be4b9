"""The parts of a report's page around its table: sums, charts, alarms, presets of days."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from casino.reports import charts
from casino.reports.behind_links import opened
from casino.reports.figures import Figures
from casino.reports.registry import REPORTS, Query
from casino.reports.report import Column, Row
from casino.reports.returns import DRIFTS, Held, bet_in_words, held_by
from casino.reports.spans import ONE_DAY, Span
from casino.reports.sums import WHOLE
from casino.reports.totals import range_sums
from games.rules.catalogue import against_house
from games.words.naming import game_name
from wallets.amounts import show_amount
from wallets.models import Currency

PRESETS: Final = ((1, _l("Day")), (7, _l("Week")), (30, _l("Month")), (365, _l("Year")))
# By report: which columns the bars show, day by day.
SHADES: Final[dict[str, tuple[str, ...]]] = {
    "liability": ("wallets", "stacks", "set_aside", "pools", "tournaments"),
    "jackpots": ("fed",),
    "players": ("new", "returning"),
    "desk": ("deposits", "withdrawals", "grants"),
}
# By report: the column whose sum by game and day the bars show.
OF_GAMES: Final = {"revenue": "gross", "rake": "rake", "returns": "kept"}


class Cell(NamedTuple):
    text: str
    address: str = ""
    is_figure: bool = False
    is_negative: bool = False


def cells(row: Row, columns: Sequence[Column], query: Query, currency: Currency) -> list[Cell]:
    """A row as people read it, each figure with the page of what makes it."""
    found = []
    for column in columns:
        value = row.get(column.name)
        text = shown(value, column, currency)
        address = opened(row, column, query) if value else ""
        if column.name == "player" and value:
            # Whoever reads reports opens files of players, too.
            address = reverse("player-file", args=[row["number"]])
        negative = isinstance(value, (int, float)) and column.is_figure and value < 0
        found.append(Cell(text, address, column.is_figure, negative))
    return found


def shown(value: Any, column: Column, currency: Currency) -> str:
    if value is None:
        return "–"
    if column.unit == "money":
        return show_amount(value, currency)
    if column.unit in ("percent", "number"):
        text = f"{value:.2f}%" if column.unit == "percent" else f"{value:+.1f}"
        return text.replace("-", "\N{MINUS SIGN}")
    if column.unit == "count":
        return number_format(value, force_grouping=True)
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    return str(game_name(value)) if column.name == "game" else str(value)


def totals(
    rows: Iterable[Row], columns: Sequence[Column], query: Query, currency: Currency
) -> list[dict[str, object]]:
    """The figures of the whole range; in a report by day, those of stocks name the day."""
    found = range_sums(rows, columns, query.span)
    by_day = any(column.unit == "day" for column in columns)
    return [
        {
            "words": column.words,
            "shown": shown(found[column.name], column, currency),
            "as_of": query.span.last if by_day and column.measure == "stock" else None,
        }
        for column in columns
        if column.name in found
    ]


def presets(query: Query, today: date, kept: dict[str, str]) -> list[dict[str, object]]:
    """A day, a week, a month, a year: each ends with the range that is shown."""
    found = []
    for days, words in PRESETS:
        first = query.span.last - timedelta(days=days - 1)
        found.append(
            {
                "words": words,
                "chosen": query.span.days == days,
                "address": _range(Span(first, query.span.last), kept),
            }
        )
    return found


def neighbours(query: Query, today: date, kept: dict[str, str]) -> tuple[str, str]:
    """The ranges before and after, as long as this one; none lies in the future."""
    length = timedelta(days=query.span.days)
    before = Span(query.span.first - length, query.span.first - ONE_DAY)
    last = min(query.span.last + length, today)
    after = Span(last - length + ONE_DAY, last)
    return _range(before, kept), _range(after, kept) if query.span.last < today else ""


def _range(span: Span, kept: dict[str, str]) -> str:
    return "?" + urlencode({"from": span.first, "to": span.last, **kept})


def main_chart(query: Query, currency: Currency) -> object:
    """The bars of a report: by day, and by game where there are games."""
    name = query.report.name
    if name in OF_GAMES:
        series = _by_game(query, currency)
        return charts.bars("by-day", _("By game and day"), series, currency)
    columns = {one.name: one for one in REPORTS[name].columns("day")}
    rows = [row for row in REPORTS[name].rows(query.span, "day") if row["currency"] == currency.pk]
    series = []
    for column in SHADES[name]:
        by_day: dict[date, int] = {}
        for row in rows:
            by_day[row["day"]] = by_day.get(row["day"], 0) + row[column]
        if columns[column].measure == "stock":
            # A stock without a row on the last day is zero.
            by_day.setdefault(query.span.last, 0)
        series.append(charts.Series(columns[column].words, by_day, columns[column].measure))
    money = currency if columns[SHADES[name][0]].unit == "money" else None
    return charts.bars("by-day", _("By day"), series, money)


def _by_game(query: Query, currency: Currency) -> list[charts.Series]:
    by_game: dict[str, dict[date, int]] = {}
    for place, _bet, sums in Figures(query.span).tables():
        if place.currency != currency.pk:
            continue
        if query.report.name == "returns" and not against_house(place.game):
            continue
        column = OF_GAMES[query.report.name]
        amount = {"gross": sums.won + sums.rake, "rake": sums.rake, "kept": sums.kept}[column]
        days = by_game.setdefault(place.game, {})
        days[place.on] = days.get(place.on, 0) + amount
    return [charts.Series(str(game_name(game)), days) for game, days in sorted(by_game.items())]


def hold_chart(figures: Figures, currency: Currency) -> object:
    """The hold of all bets with a reckoned return, against the promise."""
    days: dict[date, Held] = {}
    for (group, bet), held in held_by(figures, "day").items():
        on, code = group
        if bet == WHOLE or code != currency.pk or not held.reckoned:
            continue
        of_day = days.setdefault(on, Held())
        of_day.sums.add(held.sums)
        of_day.promised += held.promised
    return charts.band("hold", _("Hold against the promise"), charts.points(days))


def alarms(figures: Figures, currency: Currency) -> list[dict[str, object]]:
    """The bets that drift, the farthest first."""
    found = [
        (game, bet, held)
        for ((game, code), bet), held in held_by(figures, "game").items()
        if code == currency.pk and held.drifts
    ]
    found.sort(key=lambda one: -abs(one[2].off or 0))
    return [
        {
            "game": game_name(game),
            "bet": bet_in_words(bet),
            "held": f"{100 * held.sums.kept / held.sums.handle:.2f}%",
            "promised": f"{float(100 * held.promised / held.sums.handle):.2f}%",
            "off": f"{held.off:+.1f}",
            "most": DRIFTS,
        }
        for game, bet, held in found
    ]
