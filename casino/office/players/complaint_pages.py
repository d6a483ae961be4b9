"""The register of complaints in the back office, and the page of one with its answer."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.players import complaints, permissions
from casino.office.players.forms import AnswerForm
from casino.office.players.models import Complaint
from games.words.refusals import refused_in
from wallets.office.staff_pages import PEOPLE, Menu, office_page, staff_page
from wallets.values.days import day_of
from wallets.values.player import player_of

SHOWN: Final = 200


@staff_page(
    "complaints",
    "complaints/",
    _("Complaints"),
    permissions.SEE_WHOLE,
    menu=Menu(
        PEOPLE,
        "support_agent",
        25,
        waiting=complaints.waiting,
        about=_("A complaint is listed here as soon as it is taken."),
    ),
)
@never_cache
@require_safe
def complaints_page(request: HttpRequest) -> HttpResponse:
    """The open complaints; those that were answered on request, the latest first."""
    only_open = "answered" not in request.GET
    context = {
        "rows": complaints.register(only_open=only_open)[:SHOWN],
        "only_open": only_open,
        "today": day_of(timezone.now()),
    }
    return office_page(request, "player_file/complaints.html", _("Complaints"), **context)


@staff_page("complaint", "complaints/<int:number>/", _("One complaint"), permissions.SEE_WHOLE)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def complaint_page(request: HttpRequest, number: int) -> HttpResponse:
    one = get_object_or_404(Complaint.objects.select_related("player", "hand__table"), pk=number)
    form = AnswerForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            complaints.answer(
                player_of(request), number, values["outcome"], values["text"], timezone.now()
            )
            messages.success(request, _("The complaint is answered."))
            return redirect("complaints")
    may = player_of(request).has_perm(permissions.FLAG)
    context: dict[str, object] = {
        "one": one,
        "form": form if may and one.answered_at is None else None,
    }
    return office_page(request, "player_file/complaint.html", _("One complaint"), **context)
