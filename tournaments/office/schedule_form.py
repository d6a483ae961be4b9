"""The forms that say when events start: once, on days of the week, or at an interval of hours.

Times are picked in the zone of the house.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.forms import (
    ChoiceField,
    DateTimeField,
    DateTimeInput,
    ModelChoiceField,
    MultipleChoiceField,
)
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from tournaments.models import Schedule, Template
from tournaments.office.calendar import Start, end_of, starts_of, weeks
from tournaments.running import staff_verbs
from wallets.office.journalled_admin import ReasonForm
from wallets.office.lists import key_in
from wallets.office.whole_units import NumberField
from wallets.values.days import house_zone, in_house_zone

# The format of a browser's own field for date and time.
WRITTEN: Final = "%Y-%m-%dT%H:%M"


class HouseTimeField(DateTimeField):
    """A date and a time in the zone of the house, picked with the browser's own field."""

    def __init__(self, **options: Any) -> None:
        attributes = UnfoldAdminTextInputWidget().attrs | {"type": "datetime-local"}
        widget = DateTimeInput(attrs=attributes, format=WRITTEN)
        super().__init__(widget=widget, input_formats=[WRITTEN, "%Y-%m-%d %H:%M"], **options)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime) and timezone.is_aware(value):
            return in_house_zone(value).replace(tzinfo=None)
        return value

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(house_zone()):
            moment: datetime | None = super().to_python(value)
        return moment


HOURS_MAX: Final = staff_verbs.SECONDS_MAX // 3_600
WAYS: Final = [
    ("weekdays", _("on days of the week")),
    ("hours", _("at an interval of hours")),
]
# A script fetches the fields that depend on another choice.
AGAIN: Final = {"hx-post": "?part=form", "hx-target": "#plan", "hx-swap": "outerHTML"}


class ScheduleForm(ReasonForm):
    """The settings of a schedule: a sit-and-go is always open, any other event recurs."""

    field_order = (
        *("template", "next_at", "repeats", "weekdays", "every_hours", "ahead_hours"),
        *("open_count", "bots", "reason"),
    )
    template = ModelChoiceField(
        label=_("Template"),
        queryset=Template.objects.filter(retired_at=None),
        widget=UnfoldAdminSelectWidget(attrs=AGAIN),
    )
    next_at = HouseTimeField(label=_("First start"), help_text=_("In the house's time zone."))
    repeats = ChoiceField(
        label=_("Repeats"), choices=WAYS, widget=UnfoldAdminSelectWidget(attrs=AGAIN)
    )
    weekdays = MultipleChoiceField(
        label=_("Days"),
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    every_hours = NumberField(
        label=_("Hours from start to start"),
        min_value=1,
        max_value=HOURS_MAX,
        initial=24,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    ahead_hours = NumberField(
        label=_("Hours announced ahead"),
        min_value=1,
        max_value=HOURS_MAX,
        initial=24,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    open_count = NumberField(
        label=_("Sit-and-gos that wait for players"),
        min_value=1,
        max_value=20,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    bots = NumberField(
        label=_("Seconds until bots take the free seats"),
        required=False,
        min_value=0,
        max_value=staff_verbs.SECONDS_MAX,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("Counted from the first person who enters. Empty: no bots."),
    )

    def __init__(self, data: Any, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        given = data if data is not None else initial
        chosen = self.fields["template"].queryset.filter(  # type: ignore[attr-defined]
            pk=key_in(str(given.get("template"))) or 0
        )
        self.chosen: Template | None = chosen.first()
        for name in self._without(str(given.get("repeats") or "weekdays")):
            del self.fields[name]

    def _without(self, repeats: str) -> list[str]:
        """The fields that this template and this way of repeating have not."""
        if self.chosen is not None and self.chosen.structure["kind"] == "sit_and_go":
            return ["next_at", "repeats", "weekdays", "every_hours", "ahead_hours"]
        return ["open_count", "every_hours" if repeats == "weekdays" else "weekdays"]

    def clean_next_at(self) -> datetime:
        start: datetime = self.cleaned_data["next_at"]
        if start <= timezone.now():
            raise ValidationError(_("The start must be in the future."))
        return start

    def arguments(self) -> dict[str, object]:
        values = self.cleaned_data
        arguments: dict[str, object] = {
            "template": values["template"].pk,
            "bots_after_seconds": values["bots"],
        }
        if "next_at" not in values:
            always = {"kind": Schedule.Kind.ALWAYS_OPEN.value, "next_at": None}
            return arguments | always | {"open_count": values["open_count"]}
        arguments |= {
            "kind": Schedule.Kind.RECURRING.value,
            "next_at": values["next_at"].isoformat(),
            "ahead_seconds": 3_600 * values["ahead_hours"],
        }
        if "weekdays" in values:
            return arguments | {"weekdays": sum(1 << int(day) for day in values["weekdays"])}
        return arguments | {"every_seconds": 3_600 * values["every_hours"]}

    def planned(self, now: datetime) -> list[Start]:
        """The starts that the form describes as far as it is filled in, for the calendar."""
        values = getattr(self, "cleaned_data", {})
        start = values.get("next_at")
        if start is None or self.chosen is None:
            return []
        draft = Schedule(
            next_at=start,
            weekdays=sum(1 << int(day) for day in values.get("weekdays", ())) or None,
            house_time=in_house_zone(start).time(),
            every_seconds=3_600 * values.get("every_hours", 24 * 7),
        )
        return list(starts_of(draft, self.chosen.name, end_of(now), is_new=True))


class StartForm(ReasonForm):
    """The start of one event; a sit-and-go begins when it is full and has none."""

    field_order = ("starts_at", "reason")
    starts_at = HouseTimeField(label=_("Starts"), help_text=_("In the house's time zone."))

    def __init__(self, data: Any, template: Template) -> None:
        super().__init__(data)
        self.template = template
        if template.structure["kind"] == "sit_and_go":
            del self.fields["starts_at"]

    def arguments(self) -> dict[str, object]:
        starts_at = getattr(self, "cleaned_data", {}).get("starts_at")
        return {"template": self.template.pk, "starts_at": starts_at and starts_at.isoformat()}

    def planned(self, _now: datetime) -> list[Start]:
        """The start, for the calendar."""
        starts_at = getattr(self, "cleaned_data", {}).get("starts_at")
        return [Start(starts_at, self.template.name, is_new=True)] if starts_at else []


# By what a script asks for: the part that changed. Without one the page is sent.
PARTS = {"calendar": "calendar.html", "form": "plan.html"}


def is_part(request: HttpRequest) -> bool:
    """Whether a script only looks at what a form would plan."""
    return request.GET.get("part") in PARTS


def calendar(now: datetime, new: Iterable[Start] = ()) -> dict[str, object]:
    shown = weeks(now, new)
    return {"weeks": shown, "starts": sum(len(day.starts) for week in shown for day in week)}


def plan_page(
    request: HttpRequest, form: ScheduleForm | StartForm, context: dict[str, object]
) -> HttpResponse:
    """The form with the calendar next to it, or the part that a script asks for."""
    if is_part(request):
        form.is_valid()
        # An empty field is no mistake.
        form.errors.clear()
    now = timezone.now()
    name = PARTS.get(request.GET.get("part", ""), "plan_page.html")
    shown = {**context, "form": form, **calendar(now, form.planned(now))}
    return TemplateResponse(request, f"admin/tournaments/{name}", shown)
