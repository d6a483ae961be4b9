"""The page of the back office with the switch of maintenance mode."""

from django.contrib import messages
from django.forms import CharField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminTextInputWidget

from casino.ops.maintenance import switch
from casino.ops.maintenance.models import MESSAGE_MAX
from casino.ops.maintenance.switch import PERMISSION
from games.models import Hand, Seat
from games.words.refusals import refused_in
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import OPERATION, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.values.player import player_of


class SwitchForm(ReasonForm):
    """The reason, and the message to players during maintenance."""

    field_order = ("message", "reason")
    message = CharField(
        label=_("Message to the players"),
        max_length=MESSAGE_MAX,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Every page shows it. Say when the house opens again."),
    )


@staff_page(
    "maintenance",
    "maintenance/",
    _("Maintenance"),
    PERMISSION,
    menu=Menu(OPERATION, "construction", 20),
)
@require_http_methods(["GET", "HEAD", "POST"])
def maintenance_page(request: HttpRequest) -> HttpResponse:
    state = switch.state()
    sent = request.POST if request.method == "POST" else None
    form = SwitchForm(sent, initial={"message": state.message})
    if sent is not None and form.is_valid():
        who, now = journal.by(player_of(request)), timezone.now()
        why, message = form.cleaned_data["reason"], form.cleaned_data["message"]
        with refused_in(form):
            if "off" in sent:
                switch.turn_off(who, why=why, now=now)
                messages.success(request, _("Maintenance is off: tables deal again."))
            else:
                switch.turn_on(who, why=why, now=now, message=message)
                messages.success(request, _("Maintenance is on: no new hand opens."))
            return redirect("maintenance")
    return office_page(
        request,
        "maintenance.html",
        _("Maintenance"),
        found=state,
        live=Hand.objects.filter(status=Hand.Status.LIVE).count(),
        seated=Seat.objects.filter(left_at__isnull=True, player__is_bot=False).count(),
        form=form,
    )
