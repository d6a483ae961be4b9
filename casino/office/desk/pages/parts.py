"""The parts that the desk's pages share: their frame, their links, and sending a verb."""

from typing import Any, Final

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.accounts.models import Player
from casino.office.desk import requests
from casino.office.desk.models import Receipt, Till
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.shifts import MANAGE, own_shift
from games.words.refusals import sentence_of
from wallets.office.journalled_admin import submit_form
from wallets.values.days import day_of, end_of
from wallets.values.errors import Refused
from wallets.values.player import player_of

# The pages in the frame's list, with what opens each.
TABS: Final = (
    ("desk-deposit", _("Deposit"), "wallets.deposit"),
    ("desk-withdrawal", _("Withdrawal"), "wallets.withdraw"),
    ("desk-transfer", _("Between tills"), WORK),
    ("desk-receipts", pgettext_lazy("desk", "Receipts"), WORK),
    ("desk-requests", _("Requests"), WORK),
    ("desk-tills", _("Tills and shifts"), WORK),
)


FOUND_MAX: Final = 20


def page(
    request: HttpRequest, name: str, title: str | Promise, **context: object
) -> TemplateResponse:
    """A page within the desk's frame: the gaming day, the own shift, and the other pages."""
    member, now = player_of(request), timezone.now()
    here = request.resolver_match.url_name if request.resolver_match else ""
    day = day_of(now)
    shared = {
        **admin.site.each_context(request),
        "title": title,
        "day": day,
        "day_ends": end_of(day),
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
    """Submit a verb with the form's reason and key; the form shows a refusal.

    After a payment or a correction its receipt is the next page; a payment that needs a colleague
    waits at the desk.
    """
    values = form.cleaned_data
    try:
        submitted = submit_form(request, form, verb, arguments)
    except Refused as refusal:
        form.add_error(None, sentence_of(refusal))
        return None
    if submitted.proposal:
        return redirect("desk-waiting", submitted.proposal.pk)
    messages.success(request, str(done))
    receipt = Receipt.objects.filter(key=values["key"]).first()
    return redirect("desk-receipt", receipt.number) if receipt else redirect(to)


def refused(form: Any, refusal: Refused) -> None:
    form.add_error(None, sentence_of(refusal))


def open_till(number: int) -> Till:
    return get_object_or_404(Till, pk=number, is_vault=False)


def players_named(text: str) -> list[Player]:
    """Players by the beginning of their name, or by their number."""
    text = text.replace("\0", "").strip()
    if not text:
        return []
    people = Player.objects.filter(is_bot=False)
    found = people.filter(username__istartswith=text)
    number = text.upper().removeprefix("P-")
    if number.isdecimal() and len(number) < 19:
        found = found | people.filter(pk=int(number))
    return list(found.order_by("username")[:FOUND_MAX])
