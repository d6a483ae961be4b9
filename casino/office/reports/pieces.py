"""Pieces of a report's page that several reports show: bars by game, the hold, what is owed."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.office.reports.debts import FIGURES, owed_rows
from casino.office.reports.hold import DRIFTS, LIKELY, BetHold, bet_in_words, held_by
from casino.office.reports.page_parts import shown as in_words
from casino.office.reports.past_balances import held_after
from casino.office.reports.report import Shown, bars_over_days
from casino.office.reports.sums import WHOLE, TableSums
from games.rules.catalogue import GAMES
from games.words.charts import Band, Plot, Series, added_up, days_between, over_slots
from games.words.naming import game_name
from wallets.values.days import ONE_DAY, start_of


def bars_by_game(
    shown: Shown,
    amount: Callable[[TableSums], int],
    drawn: Callable[[str], bool] = GAMES.__contains__,
) -> SafeString:
    """Draw an amount of each day as bars, with a shade for each game that is drawn."""
    by_game: dict[str, dict[date, int]] = {}
    for place, _bet, sums in shown.query.figures.tables():
        if place.currency == _code(shown) and drawn(place.game):
            days = by_game.setdefault(place.game, {})
            days[place.on] = days.get(place.on, 0) + amount(sums)
    series = [added_up(str(game_name(game)), days) for game, days in sorted(by_game.items())]
    return bars_over_days(_("By game and day"), series, shown, shown.currency)


def hold_charts(shown: Shown) -> list[SafeString]:
    """Draw the hold of all bets with a reckoned return against the promise, if there is any."""
    days: dict[date, BetHold] = {}
    for (group, bet), held in held_by(shown.query.figures, "day").items():
        on, code = group
        if bet == WHOLE or code != _code(shown) or not held.reckoned:
            continue
        of_day = days.setdefault(on, BetHold())
        of_day.sums.add(held.sums)
        of_day.promised += held.promised
    found = _running(days)
    return [chart] if (chart := _hold_chart(found)) else []


class _Hold(NamedTuple):
    """The hold of a range up to the end of a day, in hundredths of a percent of all bets."""

    hold: int
    promised: int
    error: float


def _running(days: Mapping[date, BetHold]) -> dict[date, _Hold]:
    """Add the days up one by one, from the first on which there is an error."""
    whole, found = BetHold(), {}
    for day in sorted(days):
        whole.sums.add(days[day].sums)
        whole.promised += days[day].promised
        error, handle = whole.error, whole.sums.handle
        if error and handle:
            hold, promised = 10_000 * whole.sums.kept / handle, 10_000 * whole.promised / handle
            found[day] = _Hold(round(hold), round(promised), 10_000 * LIKELY * error)
    return found


def _hold_chart(found: Mapping[date, _Hold]) -> SafeString:
    """Draw the hold as a line, in the band that holds it 95 times in 100 around the promise."""
    plot = Plot(
        name="hold",
        title=_("Hold against the promise"),
        slots=days_between(found),
        write=lambda share: f"{share / 100:.2f}%".replace("-", "\N{MINUS SIGN}"),
        lines=[
            Series(_("held"), {day: one.hold for day, one in found.items()}),
            Series(_("promised"), {day: one.promised for day, one in found.items()}),
        ],
        band=Band(
            _("95 of 100 such ranges fall within the band"),
            {day: round(one.promised - one.error) for day, one in found.items()},
            {day: round(one.promised + one.error) for day, one in found.items()},
        ),
    )
    return over_slots(plot)


def drifting_bets(shown: Shown) -> SafeString:
    """Render an alarm for each bet that drifts, the farthest first."""
    found = [
        (game, bet, held)
        for ((game, code), bet), held in held_by(shown.query.figures, "game").items()
        if code == _code(shown) and held.drifts
    ]
    found.sort(key=lambda one: -abs(one[2].off or 0))
    alarms = [
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
    return render_to_string("backoffice/reports/drifting.html", {"alarms": alarms})


def owed_beside(shown: Shown) -> SafeString:
    """Render what the house owes at the end of the range."""
    day = min(shown.query.span.last, shown.today)
    rows = owed_rows({"day": day}, start_of(day + ONE_DAY), held_after(day))
    row = next((one for one in rows if one.currency == _code(shown)), None)
    if row is None:
        return SafeString()
    context = {
        "day": day,
        "equal": not row["difference"],
        "lines": [
            {"words": one.words, "shown": in_words(row[one.name], one, shown.currency)}
            for one in FIGURES
        ],
    }
    return render_to_string("backoffice/reports/owed.html", context)


def _code(shown: Shown) -> str:
    return "" if shown.currency is None else shown.currency.pk
