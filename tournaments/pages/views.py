"""The pages of tournaments: they parse, call one function below, and render."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    QueryDict,
)
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.live.announcing import LOBBY_STREAM
from games.live.sources import stream_path
from games.lobby.listing import fingerprint
from games.lobby.status_strip import parts_of
from games.tables.formats import format_of
from games.views.table import table_of
from games.web.pages import Refusal, choice, refusal_of, set_choices
from tournaments.event import mixing
from tournaments.event.organiser import STREAM
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Series, Tournament
from tournaments.overview import listing, series_view
from tournaments.overview.event_view import Turned, event_view, number_in, tournament_for
from tournaments.overview.listing import PAGE, my_row
from tournaments.overview.series_view import tickets_of
from tournaments.overview.shoe_view import draws_in_order, published
from tournaments.overview.tables_view import deals_view
from tournaments.running import entries
from tournaments.running.entries import entry_of
from wallets.values.errors import Refused
from wallets.values.player import Player, is_player, player_of

PageVerb = Callable[[Player, int, datetime], object]


@require_safe
def event_page(request: HttpRequest, number: int) -> HttpResponse:
    return _shown(request, event_of(number), Turned.read(request.GET))


@require_safe
def event_part(request: HttpRequest, number: int) -> HttpResponse:
    """The part that changes; nothing where the reader has the newest already."""
    return _shown(request, event_of(number), _turned(request))


@require_POST
@login_required
def event_verb(request: HttpRequest, number: int, name: str) -> HttpResponseBase:
    """Do something about an event, then show it, or why that was refused."""
    refusal, tournament = None, event_of(number)
    try:
        VERBS[name](player_of(request), number, timezone.now())
    except Refused as error:
        refusal = refusal_of(error, name, tournament.currency)
    if refusal is None and not HtmxDetails(request):
        return redirect("tournament", number)
    shown = _shown(request, event_of(number), _turned(request), refusal)
    # The balance of the bar and the strip of tables follow.
    return trigger_client_event(shown, "room")


def event_of(number: int) -> Tournament:
    """The event, or a page that says that there is none."""
    try:
        return tournament_for(number)
    except Refused as refusal:
        refusal_of(refusal, "page")
        raise


def _turned(request: HttpRequest) -> Turned:
    """Return the reader's page of each list, from the address of the requesting page."""
    details = HtmxDetails(request)
    if not details:
        return Turned.read(request.GET)
    return Turned.read(QueryDict(parts_of(details.current_url or "").query).dict())


def _shown(
    request: HttpRequest, tournament: Tournament, turned: Turned, refusal: Refusal | None = None
) -> HttpResponse:
    now = timezone.now()
    view = event_view(request.user, tournament, turned, now)
    whole = not HtmxDetails(request)
    mark = view.mark
    if not whole and refusal is None and request.GET.get("known") == mark:
        return HttpResponse(status=204)
    context: dict[str, object] = {
        "event": view,
        "tournament": tournament,
        "currency": tournament.currency,
        "mark": mark,
        "now": now,
        "turned": turned,
        "refusal": refusal,
        "stream": stream_path(STREAM, tournament.pk),
    }
    template = "tournaments/event.html" if whole else "tournaments/event_part.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


VERBS: Final[dict[str, PageVerb]] = {
    "register": entries.register,
    "register-with-ticket": entries.register_with_ticket,
    "unregister": entries.unregister,
    "enter-again": entries.enter_again,
    "add-on": entries.add_on,
}


@require_safe
def heading(request: HttpRequest, table_id: int) -> HttpResponse:
    now = timezone.now()
    shown = format_of(table_of(request, table_id)).heading(request.user, now)
    if shown is None:
        raise Http404
    return render(request, shown.template, {"event": shown.event, "now": now})


@require_safe
def deals(request: HttpRequest, number: int) -> HttpResponse:
    tournament = event_of(number)
    if tournament.kind != DUPLICATE:
        raise Http404
    round_number, turned = (number_in(request.GET, name) for name in ("round", "tables"))
    view = deals_view(request.user, tournament, round_number, turned)
    return render(request, "tournaments/deals.html", {"tournament": tournament, "view": view})


@require_safe
@login_required
def event_hands(request: HttpRequest, number: int) -> HttpResponse:
    tournament, player = event_of(number), player_of(request)
    played = listing.played_by(player, tournament)
    page = Paginator(played, PAGE).get_page(request.GET.get("page"))
    entry = entry_of(player, tournament)
    if entry is not None:
        entry.tournament = tournament
    context = {
        "tournament": tournament,
        "mine": my_row(entry) if entry else None,
        "hands": listing.lines(page.object_list),
        "page": page,
    }
    return render(request, "tournaments/hands.html", context)


@require_safe
def all_tournaments(request: HttpRequest) -> HttpResponse:
    """All tournaments: open ones, those that are played, and the last that ended."""
    alive = listing.rows(request.user, listing.upcoming())
    over = Paginator(listing.finished(), PAGE).get_page(request.GET.get("page"))
    context: dict[str, object] = {
        "open": [row for row in alive if row.state == Tournament.State.ANNOUNCED],
        "played": [row for row in alive if row.state != Tournament.State.ANNOUNCED],
        "over": listing.rows(request.user, over.object_list),
    }
    mark = fingerprint(context)
    if HtmxDetails(request) and request.GET.get("known") == mark:
        return HttpResponse(status=204)
    context |= {"mark": mark, "page": over, "now": timezone.now(), "stream": LOBBY_STREAM}
    part = HtmxDetails(request)
    return render(request, f"tournaments/{'all_part' if part else 'all'}.html", context)


@require_safe
@login_required
def my_tournaments(request: HttpRequest) -> HttpResponse:
    """List the reader's events with places, prizes and links to the hands."""
    entered = listing.results_of(player_of(request))
    page = Paginator(entered, PAGE).get_page(request.GET.get("page"))
    context = {
        "tickets": tickets_of(player_of(request), timezone.now()),
        "rows": [listing.my_row(entry) for entry in page.object_list],
        "page": page,
        "now": timezone.now(),
    }
    return render(request, "tournaments/mine.html", context)


class AfterForm(forms.Form):
    """After which event the standings are shown, the newest first."""

    after = choice(_("After event"))

    def __init__(self, counted: Iterable[int], after: int | None) -> None:
        super().__init__(initial={"after": after}, auto_id="standings-%s")
        words = gettext("after event {number}")
        events = [(number, words.format(number=number)) for number in reversed([*counted])]
        set_choices(self, after=events)


@require_safe
def all_series(request: HttpRequest) -> HttpResponse:
    """The series that are played, and those that have ended."""
    rows = series_view.rows(request.user)
    context = {
        "played": [row for row in rows if row.ended_at is None],
        "over": [row for row in rows if row.ended_at is not None],
    }
    return render(request, "tournaments/all_series.html", context)


@require_safe
def series_page(request: HttpRequest, number: int) -> HttpResponse:
    """One series; `after` asks for the standings after an event, `places` for all of them."""
    series = _series(number)
    view = series_view.series_view(
        request.user, series, number_in(request.GET, "after"), whole="places" in request.GET
    )
    form = AfterForm(view.counted, view.after)
    return render(
        request, "tournaments/series.html", {"series": series, "view": view, "form": form}
    )


def _series(number: int) -> Series:
    """The series, or a page that says that there is none."""
    try:
        return series_view.series_of(number)
    except Refused as refusal:
        refusal_of(refusal, "page")
        raise


# Scripts read the answers to all but the page.

ShoeVerb = Callable[[HttpRequest, int], dict[str, object]]


@require_safe
def shoe_page(request: HttpRequest, number: int) -> HttpResponse:
    """The shoe for people, who can check it there."""
    tournament = event_of(number)
    own = entry_of(request.user, tournament) if is_player(request.user) else None
    context = {
        "tournament": tournament,
        "shoe": tournament.shoe,
        "draws": draws_in_order(tournament),
        "own": own.number if own else None,
    }
    return render(request, "tournaments/shoe_page.html", context)


@require_safe
def shoe(_request: HttpRequest, number: int) -> JsonResponse:
    """Send what has been published of an event's shoe."""
    return JsonResponse(published(event_of(number)))


@require_POST
@login_required
def shoe_verb(request: HttpRequest, number: int, name: str) -> JsonResponse:
    event_of(number)
    try:
        return JsonResponse(SHOE_VERBS[name](request, number))
    except Refused as error:
        refusal = refusal_of(error, name)
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)


def _commit(request: HttpRequest, number: int) -> dict[str, object]:
    commit = request.POST.get("commit", "")
    return {"commit": mixing.commit(player_of(request), number, commit)}


def _withdraw(request: HttpRequest, number: int) -> dict[str, object]:
    mixing.withdraw(player_of(request), number, request.POST.get("commit", ""))
    return {}


def _reveal(request: HttpRequest, number: int) -> dict[str, object]:
    revealed = request.POST.get("reveal", "")
    return {"receipt": mixing.reveal(player_of(request), number, revealed, timezone.now())}


SHOE_VERBS: Final[dict[str, ShoeVerb]] = {
    "commit": _commit,
    "withdraw": _withdraw,
    "reveal": _reveal,
}
