"""The pages of alarms: open and past ones, and the page of one that staff take."""

from django.contrib import messages
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.alarms import acknowledging
from casino.office.alarms.messages import words_of
from casino.office.alarms.models import Alarm, Look
from casino.office.frame.subjects import links
from games.words.refusals import refused_in
from wallets.office.journalled_admin import ReasonForm, reason_field
from wallets.office.staff_pages import NOW, Menu, office_page, staff_page
from wallets.values.player import Viewer, player_of

SHOWN = 50


class NoteForm(ReasonForm):
    """The note of the person who takes an alarm: what they will do about it."""

    reason = reason_field(_("What you are doing about it. The journal stores it."))


def untaken(member: Viewer) -> int:
    """Return the number of open alarms that no member of staff has taken."""
    visible = acknowledging.visible_to(member)
    return visible.filter(cleared_at__isnull=True, taken_at__isnull=True).count()


@staff_page(
    "alarms",
    "alarms/",
    _("Alarms"),
    acknowledging.SEE,
    menu=Menu(NOW, "notifications", 20, waiting=untaken),
)
@require_safe
def alarms_page(request: HttpRequest) -> HttpResponse:
    visible = acknowledging.visible_to(player_of(request))
    standing = visible.filter(cleared_at__isnull=True)
    over = visible.filter(cleared_at__isnull=False)
    return office_page(
        request,
        "alarms.html",
        _("Alarms"),
        standing=_rows(list(standing[:SHOWN])),
        over=_rows(list(over[:SHOWN])),
        looked_at=Look.objects.aggregate(at=Max("at"))["at"],
    )


@staff_page("alarm", "alarms/<int:number>/", _("One alarm"), acknowledging.SEE)
@require_http_methods(["GET", "HEAD", "POST"])
def alarm_page(request: HttpRequest, number: int) -> HttpResponse:
    member = player_of(request)
    alarm = get_object_or_404(acknowledging.visible_to(member), pk=number)
    form = NoteForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_in(form):
            acknowledging.take(member, number, form.cleaned_data["reason"], timezone.now())
            messages.success(request, _("You have taken this alarm."))
            return redirect("alarm", number)
    return office_page(
        request,
        "alarm.html",
        words_of(alarm)[0],
        row=_rows([alarm])[0],
        deliveries=alarm.deliveries.order_by("channel", "pk"),
        may_take=alarm.taken_at is None and member.has_perm(acknowledging.TAKE),
        form=form,
    )


def _rows(alarms: list[Alarm]) -> list[dict[str, object]]:
    known = links(alarm.subject for alarm in alarms)
    return [
        {"alarm": alarm, "words": words_of(alarm), "link": known.get(alarm.subject)}
        for alarm in alarms
    ]
