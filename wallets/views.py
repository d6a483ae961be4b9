"""A player's wallet: what it holds, and what has gone in and out."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from wallets.holders import purses
from wallets.models import Entry
from wallets.references import links
from wallets.statements import statement

# What the kinds of postings that touch a purse are called.
KINDS: Final = {
    "buy_in": _("Bought in"),
    "cash_out": _("Cashed out"),
    "deposit": _("Paid in"),
    "withdrawal": _("Paid out"),
    "grant": _("Given by the house"),
}


@require_safe
@login_required
def wallet(request: HttpRequest) -> HttpResponse:
    held = purses(request.user)
    asked = request.GET.get("currency", "")
    chosen = next((one for one in held if one.currency_id == asked), None)
    if asked and chosen is None:
        raise Http404
    chosen = chosen or next(iter(held), None)
    context: dict[str, Any] = {"purses": held, "chosen": chosen, "rows": []}
    if chosen is not None:
        before = request.GET.get("before", "")
        told = statement(chosen, int(before) if before.isdecimal() and len(before) < 19 else None)
        context |= {"rows": _rows(told.entries), "before": told.before, "paged": before}
    return render(request, "wallets/wallet.html", context)


def _rows(entries: list[Entry]) -> list[dict[str, Any]]:
    """Entries with their words, and where they lead: to a hand, or to the table of a book."""
    told = [(entry, entry.transaction) for entry in entries]
    found = links(name for _entry, one in told for name in (one.reference, one.book_id))
    return [
        {
            "entry": entry,
            "time": one.time,
            "words": KINDS.get(one.kind, one.kind.replace("_", " ")),
            "link": found.get(one.reference) or found.get(one.book_id),
        }
        for entry, one in told
    ]
