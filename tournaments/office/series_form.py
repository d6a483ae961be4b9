"""The form that begins a series: a preset fills it in, and a preview shows the points."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import CharField, ChoiceField, ModelChoiceField
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from msgspec import ValidationError as NotValid
from msgspec import convert, to_builtins
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from tournaments.mathematics.series_points import (
    EVENTS_MAX,
    PRESETS,
    TABLE_MAX,
    Formula,
    Preset,
)
from tournaments.models import Template, Tournament
from tournaments.office.schedule_form import HOURS_MAX, HouseTimeField
from tournaments.overview.series_words import MANNERS, PRESET_NAMES
from tournaments.running.series_verbs import NAME_MAX
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import NumberField
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
