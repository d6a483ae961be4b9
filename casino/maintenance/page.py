"""The page of the back office with the switch of maintenance mode."""

from django.contrib import admin, messages
from django.forms import CharField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminTextInputWidget

from casino.maintenance import switch
from casino.maintenance.models import MESSAGE_MAX
from games.models import Hand, Seat
from wallets import journal
from wallets.errors import Refused
from wallets.journalled_admin import ReasonForm
from wallets.player import player_of


class SwitchForm(ReasonForm):
    """The reason, and the message to players meanwhile."""

    field_order = ("message", "reason")
    message = CharField(
        label=_("Message to the players"),
        max_length=MESSAGE_MAX,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Every page shows it. Say when the house opens again."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def maintenance_page(request: HttpRequest) -> HttpResponse:
    found = switch.state()
    sent = request.POST if request.method == "POST" else None
    form = SwitchForm(sent, initial={"message": found.message})
    if sent is not None and form.is_valid():
        who, now = journal.by(player_of(request)), timezone.now()
        why, message = form.cleaned_data["reason"], form.cleaned_data["message"]
        try:
            if "off" in sent:
                switch.turn_off(who, why=why, now=now)
                messages.success(request, _("Maintenance is off: tables deal again."))
            else:
                switch.turn_on(who, why=why, now=now, message=message)
                messages.success(request, _("Maintenance is on: no new hand opens."))
        except Refused as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return redirect("maintenance")
    context = {
        **admin.site.each_context(request),
        "title": _("Maintenance"),
        "found": found,
        "live": Hand.objects.filter(status=Hand.Status.LIVE).count(),
        "seated": Seat.objects.filter(left_at__isnull=True, player__is_bot=False).count(),
        "form": form,
    }
    return TemplateResponse(request, "backoffice/maintenance.html", context)
