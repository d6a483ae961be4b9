"""Rehearsals in the back office: bots play an event, and the page shows what came of it."""

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext
from msgspec import convert

from games.words.naming import game_name, player_title
from games.words.refusals import sentence_of
from tournaments.mathematics.preview import preview
from tournaments.mathematics.structure import Structure
from tournaments.models import Rehearsal
from tournaments.overview.words import duration, kind_name
from tournaments.rehearsal import rehearsing
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

Context = dict[str, Any]
FAILURES: Final[dict[str, Promise]] = {
    rehearsing.TOO_LONG: _l("It took longer than 15 minutes and was stopped."),
    rehearsing.STOPPED: _l("Its process was stopped."),
    rehearsing.IN_THE_LOG: _l("It failed; the log of the worker says why."),
}
# So many bots play unless staff say otherwise.
PLAYERS_USUAL: Final = 20


def players_usual(structure: Structure) -> int:
    """The number of bots that the form offers."""
    least, most = rehearsing.players_of(structure)
    return min(most, max(least, PLAYERS_USUAL))


def start(request: HttpRequest, structure: Structure, back: str) -> HttpResponse:
    """Have a structure rehearsed, and show how far it is; `back` is the page of a refusal."""
    typed = request.POST.get("players", "")
    number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 6 else 0
    try:
        row = rehearsing.ask(request.user, structure, number, timezone.now())
    except Refused as refusal:
        messages.error(request, sentence_of(refusal))
        return redirect(back)
    return redirect("admin:rehearsal", row.pk)


def page(request: HttpRequest, number: int, context: Context) -> HttpResponse:
    """A rehearsal: how far it is, or its result; one that no worker is at can be started again."""
    row = Rehearsal.objects.filter(pk=number).first()
    if row is None:
        raise Http404
    now = timezone.now()
    left, queued = rehearsing.is_left(row, now), rehearsing.waits_for_another(row, now)
    if request.method == "POST":
        if left:
            rehearsing.send(row.pk)
        return redirect("admin:rehearsal", number)
    part = "part" in request.GET
    name = "rehearsal_part.html" if part else "rehearsal.html"
    shown = {
        **context,
        "title": _("Rehearsal: {name}").format(name=row.name),
        "left": left,
        "queued": queued,
    }
    return TemplateResponse(request, f"admin/tournaments/{name}", {**shown, **_described(row)})


def _described(row: Rehearsal) -> Context:
    structure = convert(row.structure, Structure)
    currency = Currency.objects.filter(pk=structure.currency).first() or Currency()
    result = rehearsing.result_of(row)
    forecast = preview(structure, row.players)
    return {
        "row": row,
        "error": FAILURES.get(row.error, row.error),
        "result": result,
        "kind": kind_name(structure.kind),
        "game": game_name(structure.game),
        "currency": currency,
        "length": duration(result.seconds),
        "forecast": duration(forecast.seconds),
        "forecast_level": forecast.level,
        "again": result.entries - row.players,
        "sums": [
            (_("Paid in"), show_amount(result.paid_in, currency)),
            (_("Fees"), show_amount(result.fees, currency)),
            (_("The house adds"), show_amount(result.added, currency)),
            (pgettext("a tournament", "Prizes"), show_amount(result.prizes, currency)),
        ],
        "places": [
            (place.place, player_title(place.player, True), show_amount(place.amount, currency))
            for place in result.places
        ],
    }
