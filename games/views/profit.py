"""A player's winnings over time and by game, as charts with their figures."""

from datetime import timedelta
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from games.records.day_index import SPANS, Profit, currencies_of, profit
from games.words.charts import Bar, Plot, Series, by_row, over_slots
from games.words.naming import game_name
from wallets.storage.replica import from_replica
from wallets.values.amounts import show_signed
from wallets.values.player import player_of

# The line over time has at most so many points, at equal distances up to today.
POINTS_MAX: Final = 120
SPAN_WORDS = {"30": _l("30 days"), "365": _l("A year"), "all": _l("All")}


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    held = currencies_of(player.pk)
    code, span = request.GET.get("currency", ""), request.GET.get("span", "30")
    chosen = next((currency for currency in held if currency.pk == code), None)
    if (code and chosen is None) or span not in SPANS:
        raise Http404
    chosen = chosen or next(iter(held), None)
    context: dict[str, object] = {
        "currencies": held,
        "currency": chosen,
        "span": span,
        "spans": SPAN_WORDS,
    }
    if chosen is not None:
        result = from_replica(profit)(player.pk, chosen, SPANS[span], timezone.now())
        context |= {
            "result": result,
            "over_time": _over_time(result),
            "by_game": _by_game(result),
            "games": [(game_name(game), sums) for game, sums in result.games],
        }
    return render(request, "games/profit.html", context)


def _over_time(result: Profit) -> SafeString:
    running = result.running
    # From nothing on, so there is a line where there is one day only.
    totals = {running[0][0] - timedelta(days=1): 0, **dict(running)}
    every = -(-len(totals) // POINTS_MAX)
    drawn = list(totals)[::-every][::-1]
    plot = Plot(
        name="over-time",
        title=_("Won and lost over time"),
        slots={day: date_format(day, "SHORT_DATE_FORMAT") for day in drawn},
        write=lambda amounts: [show_signed(amount, result.currency) for amount in amounts],
        lines=[Series(_("Won and lost"), totals, result.whole.net)],
        unit=10**result.currency.exponent,
        has_table=False,
    )
    return over_slots(plot)


def _by_game(result: Profit) -> SafeString:
    bars = [
        Bar(str(game_name(game)), sums.net, show_signed(sums.net, result.currency))
        for game, sums in result.games
    ]
    desc = "; ".join(f"{bar.words}: {bar.shown}" for bar in bars)
    return by_row("by-game", (_("Won and lost by game"), desc), bars)
