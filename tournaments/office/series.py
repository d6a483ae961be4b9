"""Series and tickets in the back office: what runs, the form of a new one, one, and tickets."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, Q, QuerySet, Sum
from django.forms import CharField, ChoiceField, ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import ValidationError as NotValid
from msgspec import convert, to_builtins
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from tournaments.mathematics.series_points import (
    EVENTS_MAX,
    FIELDS_SHOWN,
    PRESETS,
    TABLE_MAX,
    Formula,
    Preset,
    preview,
)
from tournaments.models import Series, Template, Ticket, Tournament
from tournaments.office.schedule_form import HOURS_MAX, HouseTimeField
from tournaments.office.verb_forms import Done, carry_out, proposing
from tournaments.overview.series_view import MANNERS, PRESET_NAMES, rows, series_view, ticket_line
from tournaments.running import series_verbs
from tournaments.running.control import PERMISSION
from tournaments.running.series_verbs import NAME_MAX
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import TOURNAMENTS, Menu, office_page, staff_page
from wallets.office.whole_units import NumberField
from wallets.values.amounts import show_amount
from wallets.values.days import in_house_zone

# The hour of the first start that a preset proposes.
EVENING: Final = 20
SUNDAY: Final = 6
DAY: Final = 24
POINTS_MAX: Final = 100_000


def _count(label: Any, most: int, **options: Any) -> NumberField:
    widget = UnfoldAdminIntegerFieldWidget
    return NumberField(label=label, max_value=most, widget=widget, **({"min_value": 1} | options))


def templates() -> QuerySet[Template]:
    """The newest versions of templates that announce events with a start."""
    usable = Template.objects.filter(retired_at=None).exclude(structure__kind="sit_and_go")
    newest = {template.name: template.pk for template in usable.order_by("version")}
    return Template.objects.filter(pk__in=newest.values()).order_by("-pk")


class SeriesForm(ReasonForm):
    """Rules, events and final; without a template staff add events themselves."""

    name = CharField(label=_("Name"), max_length=NAME_MAX, widget=UnfoldAdminTextInputWidget)
    manner = ChoiceField(
        label=_("Points"), choices=[*MANNERS.items()], widget=UnfoldAdminSelectWidget
    )
    base = _count(_("Base"), POINTS_MAX, required=False)
    table = CharField(
        label=_("Points by place, the first place first"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
    )
    for_playing = _count(_("More for playing"), POINTS_MAX, required=False, min_value=0)
    events = _count(_("Events"), EVENTS_MAX)
    best = _count(_("The best events that count"), EVENTS_MAX)
    finalists = _count(_("Places with a ticket, or named at the end"), 1_000, min_value=0)
    template = ModelChoiceField(
        label=_("Events by template"),
        queryset=Template.objects.none(),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Without one you add events that are announced."),
    )
    next_at = HouseTimeField(label=_("First start"), required=False)
    every_hours = _count(_("Hours from start to start"), HOURS_MAX, required=False)
    final = ModelChoiceField(
        label=_("Final by template"),
        queryset=Template.objects.none(),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Only players with a ticket can enter it."),
    )
    final_at = HouseTimeField(label=_("Start of the final"), required=False)

    def __init__(self, data: Any, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        for name in ("template", "final"):
            self.fields[name].queryset = templates()  # type: ignore[attr-defined]

    def clean_table(self) -> list[int]:
        parts = self.cleaned_data["table"].replace("·", ",").split(",")
        texts = [part.strip() for part in parts if part.strip()]
        if len(texts) > TABLE_MAX or not all(
            text.isascii() and text.isdecimal() and len(text) <= len(str(POINTS_MAX))
            for text in texts
        ):
            raise ValidationError(_("These are not numbers separated by commas."))
        return [int(text) for text in texts]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for chosen, needed in (
            ("template", "next_at"),
            ("template", "every_hours"),
            ("final", "final_at"),
        ):
            if values.get(chosen) and not values.get(needed) and needed not in self.errors:
                self.add_error(needed, _("This field is required."))
        return values

    @property
    def formula(self) -> Formula | None:
        """The formula as far as it is filled in; None where it cannot be read."""
        values = self.cleaned_data
        try:
            return convert(
                {
                    "manner": values.get("manner"),
                    "base": values.get("base") or 0,
                    "table": values.get("table") or [],
                    "for_playing": values.get("for_playing") or 0,
                },
                Formula,
            )
        except NotValid:
            return None

    def arguments(self) -> dict[str, object]:
        values = self.cleaned_data
        template, final = values["template"], values["final"]
        return {
            "name": values["name"],
            "rules": {
                "formula": to_builtins(self.formula),
                **{name: values[name] for name in ("events", "best", "finalists")},
            },
            "template": template and template.pk,
            "next_at": template and values["next_at"].isoformat(),
            "every_hours": template and values["every_hours"],
            "final": final and final.pk,
            "final_at": final and values["final_at"].isoformat(),
        }


def preset_of(name: str) -> Preset:
    """The preset of a name; without one the first."""
    return PRESETS.get(name) or next(iter(PRESETS.values()))


def initial_of(name: str, now: datetime) -> dict[str, Any]:
    """A form that a preset has filled in: it can be sent with a reason alone."""
    preset = preset_of(name)
    rules, formula = preset.rules, preset.rules.formula
    first = _first_start(preset, now)
    last = first + (rules.events - 1) * timedelta(hours=preset.every_hours)
    template = templates().first()
    words = PRESET_NAMES.get(name, next(iter(PRESET_NAMES.values())))
    return {
        "name": f"{words} · {date_format(first, 'SHORT_DATE_FORMAT')}",
        "manner": formula.manner,
        "base": formula.base,
        "table": ", ".join(map(str, formula.table)),
        "for_playing": formula.for_playing,
        "events": rules.events,
        "best": rules.best,
        "finalists": rules.finalists,
        "template": template and template.pk,
        "next_at": first,
        "every_hours": preset.every_hours,
        "final": template and template.pk,
        "final_at": last + timedelta(hours=max(DAY, preset.every_hours)),
    }


def _first_start(preset: Preset, now: datetime) -> datetime:
    """The next evening; on a Sunday where a week lies between two events."""
    start = in_house_zone(now).replace(hour=EVENING, minute=0, second=0, microsecond=0)
    start += timedelta(days=1)
    if preset.every_hours > DAY:
        start += timedelta(days=(SUNDAY - start.weekday()) % 7)
    return start


def open_events() -> QuerySet[Tournament]:
    """The events that can be added to a series."""
    return Tournament.objects.filter(
        state=Tournament.State.ANNOUNCED, tickets_only=False, in_series=None
    ).order_by("starts_at", "pk")


class AddEventForm(ReasonForm):
    """An announced event for a series."""

    field_order = ("event", "reason")
    event = ModelChoiceField(
        label=_("Event"), queryset=Tournament.objects.none(), widget=UnfoldAdminSelectWidget
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields["event"].queryset = open_events()  # type: ignore[attr-defined]


class GiveTicketForm(ReasonForm):
    """A player's name, and the events for which the ticket is."""

    field_order = ("player", "template", "reason")
    player = CharField(label=_("Player"), max_length=150, widget=UnfoldAdminTextInputWidget)
    template = ModelChoiceField(
        label=_("Events by template"),
        queryset=Template.objects.none(),
        widget=UnfoldAdminSelectWidget,
        help_text=_("Valid for any event of this name, for 90 days."),
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields["template"].queryset = Template.objects.filter(  # type: ignore[attr-defined]
            retired_at=None
        ).order_by("name", "-version")


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
