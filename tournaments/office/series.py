"""Series and tickets in the back office: what runs, a new series, one series, and tickets."""

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.mathematics.series_points import FIELDS_SHOWN, Formula, preview
from tournaments.models import Series, Ticket
from tournaments.office.series_form import (
    AddEventForm,
    GiveTicketForm,
    SeriesForm,
    initial_of,
    open_events,
    preset_of,
)
from tournaments.office.verb_forms import Done, carry_out, proposing
from tournaments.overview.series_view import rows, series_view
from tournaments.overview.series_words import PRESET_NAMES, ticket_line
from tournaments.running import series_verbs
from tournaments.running.control import PERMISSION
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import TOURNAMENTS, Menu, office_page, staff_page
from wallets.values.amounts import show_amount

SEE: Final = "tournaments.view_tournament"
SEE_TICKETS: Final = "tournaments.view_ticket"
TICKETS_SHOWN: Final = 50


@staff_page("office-series", "series/", _("Series"), SEE, menu=Menu(TOURNAMENTS, "leaderboard", 35))
@require_safe
def list_page(request: HttpRequest) -> HttpResponse:
    """What is played with its leaders, the archive, and the presets of a new one."""
    return office_page(
        request,
        "series/list.html",
        _("Series"),
        rows=rows(request.user),
        presets=PRESET_NAMES.items(),
        may_run=request.user.has_perm(PERMISSION),
    )


@staff_page("series-new", "series/new/", _("New series"), PERMISSION, begins="series-new")
@require_http_methods(["GET", "HEAD", "POST"])
def new_page(request: HttpRequest) -> HttpResponse:
    """The form; a script asks for the preview of its points alone."""
    preset = request.GET.get("preset", "")
    sent = request.POST if request.method == "POST" else None
    form = SeriesForm(sent, initial_of(preset, timezone.now()))
    is_valid = form.is_valid()
    formula = form.formula if form.is_bound else preset_of(preset).rules.formula
    if request.GET.get("part") == "preview":
        part = "tournaments/points_preview.html"
        return TemplateResponse(request, part, _previewed(formula))
    do = proposing(request, series_verbs.BEGIN, form.arguments() if is_valid else {})
    done = Done(_("The series has begun."), _address)
    return carry_out(request, form, do, done) or office_page(
        request, "series/new.html", _("New series"), form=form, **_previewed(formula)
    )


def _address(series: Series) -> str:
    return reverse("office-one-series", args=[series.pk])


def _previewed(formula: Formula | None) -> dict[str, object]:
    return {"sizes": FIELDS_SHOWN, "preview": preview(formula) if formula else []}


@staff_page("office-one-series", "series/<int:number>/", _("One series"), SEE)
@require_http_methods(["GET", "HEAD", "POST"])
def one_page(request: HttpRequest, number: int) -> HttpResponse:
    """The events, the standings, and what staff can do: add an event, or end the series."""
    series = get_object_or_404(Series.objects.select_related("final", "schedule"), pk=number)
    may_run = request.user.has_perm(PERMISSION)
    if request.method == "POST" and not may_run:
        raise PermissionDenied
    adds = "add" in request.POST
    add = AddEventForm(request.POST if adds else None)
    ending = ReasonForm(request.POST if request.method == "POST" and not adds else None)
    here = _address(series)

    def do_add(values: dict[str, Any], now: Any) -> object:
        event = values["event"].pk
        return series_verbs.add_event(request.user, number, event, values["reason"], now)

    def do_end(values: dict[str, Any], now: Any) -> object:
        return series_verbs.end(request.user, number, values["reason"], now)

    answer = (
        carry_out(request, add, do_add, Done(_("The event belongs to the series."), here))
        if adds
        else carry_out(request, ending, do_end, Done(_("The series has ended."), here))
    )
    view = series_view(request.user, series)
    return answer or office_page(
        request,
        "series/one.html",
        series,
        series=series,
        view=view,
        add=add,
        ending=ending,
        may_add=may_run and view.row.ended_at is None and open_events().exists(),
        may_end=may_run and view.row.ended_at is None,
    )


@staff_page("tickets", "tickets/", _("Tickets"), SEE_TICKETS, menu=Menu(TOURNAMENTS, "ticket", 40))
@require_http_methods(["GET", "HEAD", "POST"])
def tickets_page(request: HttpRequest) -> HttpResponse:
    """What is open and what was used, the newest tickets, and the form to give one."""
    may_run = request.user.has_perm(PERMISSION)
    if request.method == "POST" and not may_run:
        raise PermissionDenied
    form = GiveTicketForm(request.POST if request.method == "POST" else None)
    arguments: dict[str, object] = {}
    if form.is_bound and form.is_valid():
        players: Any = get_user_model().objects
        player = players.filter(username__iexact=form.cleaned_data["player"].strip()).first()
        arguments = {
            "player": player.pk if player else 0,
            "template": form.cleaned_data["template"].pk,
        }
    do = proposing(request, series_verbs.GIVE, arguments)
    done = Done(_("The player has the ticket."), reverse("tickets"))
    answer = carry_out(request, form, do, done)
    now = timezone.now()
    newest = Ticket.objects.select_related("player", "currency", "tournament", "entry")
    return answer or office_page(
        request,
        "series/tickets.html",
        _("Tickets"),
        form=form,
        may_run=may_run,
        sums=_sums(now),
        lines=[
            (ticket, ticket_line(ticket, now)) for ticket in newest.order_by("-pk")[:TICKETS_SHOWN]
        ],
    )


def _sums(now: Any) -> list[tuple[str, int, str]]:
    """By currency: how many tickets can still be used, and what they would cost."""
    in_time = Q(expires_at=None) | Q(expires_at__gt=now)
    unused = Ticket.objects.filter(in_time, entry=None).values("currency").order_by("currency")
    currencies = Currency.objects.in_bulk()
    counted = unused.annotate(count=Count("pk"), sum=Sum("worth"))
    return [
        (row["currency"], row["count"], show_amount(row["sum"], currencies[row["currency"]]))
        for row in counted
    ]
