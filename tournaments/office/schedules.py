"""Schedules in the back office: events that are announced by themselves, begun and stopped."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.forms import DateTimeField, ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from tournaments import control, staff_verbs
from tournaments.models import Schedule, Template
from tournaments.office.submitting import Done, carry_out, proposing
from wallets.journalled_admin import ReasonForm
from wallets.lists import ReadOnly, key_in
from wallets.number_field import NumberField


class ScheduleForm(ReasonForm):
    """The settings of a schedule. The kind follows from the template."""

    field_order = ("template", "next_at", "every_hours", "ahead_hours", "open_count", "bots")
    template = ModelChoiceField(
        label=_("Template"),
        queryset=Template.objects.filter(retired_at=None),
        widget=UnfoldAdminSelectWidget,
    )
    next_at = DateTimeField(
        label=_("First start"),
        required=False,
        help_text=_("UTC, as 2026-03-01 19:30. A sit-and-go has none: it is always open."),
    )
    every_hours = NumberField(
        label=_("Hours from start to start"),
        min_value=1,
        initial=24,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    ahead_hours = NumberField(
        label=_("Hours announced ahead"),
        min_value=1,
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
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("Counted from the first person who enters. Empty: no bots."),
    )

    def arguments(self) -> dict[str, object]:
        """Return the arguments of the verb."""
        values = self.cleaned_data
        next_at = values["next_at"]
        kind = Schedule.Kind.RECURRING if next_at else Schedule.Kind.ALWAYS_OPEN
        return {
            "template": values["template"].pk,
            "kind": kind.value,
            "next_at": next_at and next_at.isoformat(),
            "every_seconds": 3_600 * values["every_hours"],
            "ahead_seconds": 3_600 * values["ahead_hours"],
            "open_count": values["open_count"],
            "bots_after_seconds": values["bots"],
        }


@admin.register(Schedule)
class ScheduleAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Schedules are begun and stopped; what one announces is never changed."""

    list_display = ("template", "kind", "active", "next_at", "every_seconds", "open_count")
    list_filter = ("active", "kind")
    list_select_related = ("template",)
    addresses_of_its_own = ("schedule-stop",)

    def get_urls(self) -> list[object]:
        stop = self.admin_site.admin_view(self.stop)
        found: list[object] = super().get_urls()
        return [path("<int:number>/stop/", stop, name="schedule-stop"), *found]

    def has_add_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return request.user.has_perm(control.PERMISSION)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ScheduleForm(request.POST or None, initial={"template": request.GET.get("template")})
        arguments = form.arguments() if form.is_valid() else {}
        do = proposing(request, staff_verbs.SCHEDULE, arguments)
        done = Done(_("Scheduled."), reverse("admin:tournaments_schedule_changelist"))
        says = _("Events are announced by themselves from now on, with their guarantees.")
        answer = carry_out(request, form, do, done)
        return answer or self._page(request, _("Schedule"), form, says)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: object = None,
    ) -> HttpResponse:
        """A schedule that runs can be stopped; any other is only read."""
        number = key_in(object_id) or 0
        running = Schedule.objects.filter(pk=number, active=True).exists()
        if running and request.user.has_perm(control.PERMISSION):
            return redirect("admin:schedule-stop", number)
        found: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        return found

    def stop(self, request: HttpRequest, number: int) -> HttpResponse:
        if not request.user.has_perm(control.PERMISSION):
            raise PermissionDenied
        schedule = Schedule.objects.filter(pk=number).select_related("template").first()
        if schedule is None:
            raise Http404
        form = ReasonForm(request.POST or None)
        do = proposing(request, staff_verbs.UNSCHEDULE, {"schedule": number})
        done = Done(_("Stopped."), reverse("admin:tournaments_schedule_changelist"))
        answer = carry_out(request, form, do, done)
        says = _("Stops announcing events. Events that are already announced continue.")
        return answer or self._page(request, _("Stop"), form, says, schedule)

    def _page(
        self,
        request: HttpRequest,
        title: str | Promise,
        form: object,
        says: str | Promise,
        about: object = None,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{title}: {about}" if about else title,
            "words": says,
            "form": form,
            "submit": title,
            "room": reverse("admin:tournaments_schedule_changelist"),
        }
        return TemplateResponse(request, "admin/tournaments/ask.html", context)
