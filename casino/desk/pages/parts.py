"""The parts that the desk's pages share: their frame, their links, and sending a verb."""

from typing import Any, Final

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.desk import requests
from casino.desk.gaming_day import ends_at, gaming_day
from casino.desk.models import Receipt, Till
from casino.desk.receipts import SEE_ALL, WORK
from casino.desk.shifts import MANAGE, own_shift
from games.words.refusals import REFUSALS, sentence_of
from wallets import approvals
from wallets.journalled_admin import to_proposal
from wallets.player import player_of

# The pages in the frame's list, with what opens each.
TABS: Final = (
    ("desk-deposit", _("Deposit"), "wallets.deposit"),
    ("desk-withdrawal", _("Withdrawal"), "wallets.withdraw"),
    ("desk-transfer", _("Between tills"), WORK),
    ("desk-receipts", pgettext_lazy("desk", "Receipts"), WORK),
    ("desk-requests", _("Requests"), WORK),
    ("desk-tills", _("Tills and shifts"), WORK),
)


def page(
    request: HttpRequest, name: str, title: str | Promise, **context: object
) -> TemplateResponse:
    """A page within the desk's frame: the gaming day, the own shift, and the other pages."""
    member, now = player_of(request), timezone.now()
    here = request.resolver_match.url_name if request.resolver_match else ""
    day = gaming_day(now)
    shared = {
        **admin.site.each_context(request),
        "title": title,
        "day": day,
        "day_ends": ends_at(day),
        "shift": own_shift(member),
        "tabs": [
            {"words": words, "address": reverse(tab), "here": tab == here}
            for tab, words, permission in TABS
            if member.has_perm(permission) or (permission == WORK and member.has_perm(SEE_ALL))
        ],
        "waiting": requests.waiting().count(),
        "may_work": member.has_perm(WORK),
        "may_manage": member.has_perm(MANAGE),
    }
    return TemplateResponse(request, f"backoffice/desk/{name}.html", shared | context)


def send(
    request: HttpRequest, form: Any, verb: str, arguments: dict[str, Any], done: str | Promise,
    *, to: str = "desk",
) -> HttpResponse | None:  # fmt: skip
    """Submit a verb with the form's reason and key; a refusal goes into the form.

    After a payment or a correction its receipt is the next page.
    """
    values = form.cleaned_data
    try:
        submitted = approvals.submit(
            player_of(request),
            verb,
            arguments,
            reason=values["reason"],
            key=values["key"],
            now=timezone.now(),
        )
    except REFUSALS as refusal:
        form.add_error(None, sentence_of(refusal))
        return None
    if submitted.proposal:
        return to_proposal(request, submitted.proposal)
    messages.success(request, str(done))
    receipt = Receipt.objects.filter(key=values["key"]).first()
    return redirect("desk-receipt", receipt.number) if receipt else redirect(to)


def refused(form: Any, refusal: Exception) -> None:
    form.add_error(None, sentence_of(refusal))


def open_till(number: int) -> Till:
    found = None
    if number.bit_length() < 64:
        found = Till.objects.filter(pk=number, is_vault=False).first()
    if found is None:
        raise Http404
    return found
