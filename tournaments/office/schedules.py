"""Schedules in the back office: events that are announced by themselves, begun and stopped."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from tournaments.models import Schedule
from tournaments.office.schedule_form import ScheduleForm, calendar, is_part, plan_page
from tournaments.office.verb_forms import Done, carry_out, proposing
from tournaments.overview.words import repetition
from tournaments.running import control, staff_verbs
from wallets.office.journalled_admin import ReasonForm
from wallets.office.lists import ReadOnly, key_in
from wallets.office.staff_pages import TOURNAMENTS, Menu
from wallets.values.days import house_time


@admin.register(Schedule)
class ScheduleAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Schedules are begun and stopped; what one announces is never changed."""

    menu = Menu(
        TOURNAMENTS,
        "event_repeat",
        20,
        about=_("A schedule announces tournaments of a template on days of the week."),
    )
    list_display = ("template", "starts", "next_start", "active")
    list_after_template = "admin/tournaments/list_calendar.html"
    list_filter = ("active", "kind")
    list_select_related = ("template",)
    addresses_of_its_own = ("schedule-stop",)

    def get_urls(self) -> list[object]:
        stop = self.admin_site.admin_view(self.stop)
        urls: list[object] = super().get_urls()
        return [path("<int:number>/stop/", stop, name="schedule-stop"), *urls]

    def has_add_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return request.user.has_perm(control.PERMISSION)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The list, with the calendar of what starts below it."""
        context = {**(extra_context or {}), **calendar(timezone.now())}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    @admin.display(description=_("starts"))
    def starts(self, schedule: Schedule) -> str:
        return repetition(schedule)

    @admin.display(description=_("next start"), ordering="next_at")
    def next_start(self, schedule: Schedule) -> str:
        return house_time(schedule.next_at if schedule.active else None)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        initial = {"template": request.GET.get("template")}
        form = ScheduleForm(request.POST if request.method == "POST" else None, initial)
        answer = None
        if not is_part(request):
            arguments = form.arguments() if form.is_valid() else {}
            do = proposing(request, staff_verbs.SCHEDULE, arguments)
            done = Done(_("Scheduled."), reverse("admin:tournaments_schedule_changelist"))
            answer = carry_out(request, form, do, done)
        says = _("Events are announced by themselves from now on, with their guarantees.")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Schedule"),
            "words": says,
            "submit": _("Begin the schedule"),
            "room": reverse("admin:tournaments_schedule_changelist"),
        }
        return answer or plan_page(request, form, context)

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
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        return response

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
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{_('Stop')}: {schedule.template}, {repetition(schedule)}",
            "words": _("Stops announcing events. Events that are already announced continue."),
            "form": form,
            "submit": _("Stop the schedule"),
            "room": reverse("admin:tournaments_schedule_changelist"),
        }
        return answer or TemplateResponse(request, "admin/tournaments/ask.html", context)
