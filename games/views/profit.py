"""A player's winnings over time and by game, as charts with their figures."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from games.records.charts import Point, bar_chart, line_chart, round_marks
from games.records.profit import SPANS, Profit, currencies_of, profit
from games.words.naming import game_name
from wallets.amounts import show_amount, show_signed
from wallets.player import player_of
from wallets.replica import from_replica

SPAN_WORDS = {"30": _l("30 days"), "365": _l("A year"), "all": _l("All")}


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    player = player_of(request)
    held = currencies_of(player.pk)
    code, span = request.GET.get("currency", ""), request.GET.get("span", "30")
    chosen = next((one for one in held if one.pk == code), None)
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
    running, unit = result.running, 10**result.currency.exponent
    totals = [total for _day, total in running]
    # Amounts at the side are whole units of the currency, as long as those are not too large.
    steps = round_marks(min(totals) // unit, -(-max(totals) // unit))
    marks = [Point("", mark * unit, show_amount(mark * unit, result.currency)) for mark in steps]
    first, last = (date_format(running[at][0], "SHORT_DATE_FORMAT") for at in (0, -1))
    desc = _("From {first} to {last}: {amount} {currency} in all.").format(
        first=first,
        last=last,
        amount=show_signed(result.whole.net, result.currency),
        currency=result.currency.code,
    )
    title = _("Won and lost over time")
    # From nothing on: so there is a line where there is one day only.
    return line_chart("over-time", (title, desc), [0, *totals], (first, last), marks)


def _by_game(result: Profit) -> SafeString:
    bars = [
        Point(str(game_name(game)), sums.net, show_signed(sums.net, result.currency))
        for game, sums in result.games
    ]
    desc = "; ".join(f"{bar.words}: {bar.shown}" for bar in bars)
    return bar_chart("by-game", (_("Won and lost by game"), desc), bars)
