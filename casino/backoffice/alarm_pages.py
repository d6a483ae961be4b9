"""The pages of alarms: those that stand and those that are over, and one that somebody takes."""

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.alarms import taking
from casino.alarms.messages import words_of
from casino.alarms.models import Alarm
from casino.backoffice.subjects import links
from games.words.refusals import REFUSALS, sentence_of
from wallets.journalled_admin import ReasonForm, reason_field
from wallets.player import player_of

SHOWN = 50


class NoteForm(ReasonForm):
    """The note of the person who takes an alarm: what they will do about it."""

    reason = reason_field(_("What you do about it; the journal stores it."))


@require_safe
def alarms_page(request: HttpRequest) -> HttpResponse:
    visible = taking.visible_to(player_of(request))
    standing = visible.filter(cleared_at__isnull=True)
    over = visible.filter(cleared_at__isnull=False)
    context = {
        **admin.site.each_context(request),
        "title": _("Alarms"),
        "standing": _rows(list(standing[:SHOWN])),
        "over": _rows(list(over[:SHOWN])),
    }
    return TemplateResponse(request, "backoffice/alarms.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def alarm_page(request: HttpRequest, number: int) -> HttpResponse:
    """One alarm, whom it has reached, and the form of whoever takes it."""
    member = player_of(request)
    visible = taking.visible_to(member)
    alarm = visible.filter(pk=number).first() if number.bit_length() < 64 else None
    if alarm is None:
        raise Http404
    form = NoteForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            taking.take(member, number, form.cleaned_data["reason"], timezone.now())
        except REFUSALS as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            messages.success(request, _("You have taken this alarm."))
            return redirect("alarm", number)
    context = {
        **admin.site.each_context(request),
        "title": words_of(alarm)[0],
        "row": _rows([alarm])[0],
        "deliveries": alarm.deliveries.order_by("channel", "pk"),
        "may_take": alarm.taken_at is None and member.has_perm(taking.TAKE),
        "form": form,
    }
    return TemplateResponse(request, "backoffice/alarm.html", context)


def _rows(alarms: list[Alarm]) -> list[dict[str, object]]:
    known = links(alarm.subject for alarm in alarms)
    return [
        {"alarm": alarm, "words": words_of(alarm), "link": known.get(alarm.subject)}
        for alarm in alarms
    ]
