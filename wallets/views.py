"""A player's wallet: what it holds, and what has gone in and out."""

from datetime import date
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from wallets.holders import purses
from wallets.models import Entry
from wallets.references import links
from wallets.statements import Narrowed, statement

# What the kinds of postings that touch a purse or a seat are called.
KINDS: Final = {
    "buy_in": _("Bought in"),
    "cash_out": _("Cashed out"),
    "deposit": _("Paid in"),
    "withdrawal": _("Paid out"),
    "grant": _("Given by the house"),
    "hand": _("Hand"),
    "hand_void": _("Hand taken back"),
}
# Those that a purse sees, for its filter.
PURSE_KINDS: Final = ("buy_in", "cash_out", "deposit", "withdrawal", "grant", "hand_void")


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        required=False, label=label, widget=forms.DateInput(attrs={"type": "date"})
    )


class Days(forms.Form):
    """The days between which a list is looked at."""

    first_day = _day(_("From"))
    last_day = _day(_("To"))

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        first, last = told.get("first_day"), told.get("last_day")
        if first and last and first > last:
            self.add_error("last_day", _("The last day is before the first."))
        return told


class Filters(Days):
    """What a statement is narrowed by; it stands in the address."""

    kind = forms.ChoiceField(required=False, label=_("Kind"))
    field_order = ("kind",)

    def __init__(self, told: Any) -> None:
        super().__init__(told)
        kinds = [("", _("Everything")), *((kind, KINDS[kind]) for kind in PURSE_KINDS)]
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]

    def asked(self) -> Narrowed:
        """What is asked, without what could not be read."""
        self.is_valid()
        told = self.cleaned_data
        return Narrowed(
            told.get("kind", ""), near(told.get("first_day")), near(told.get("last_day"))
        )


@require_safe
@login_required
def wallet(request: HttpRequest) -> HttpResponse:
    held = purses(request.user)
    asked = request.GET.get("currency", "")
    chosen = next((one for one in held if one.currency_id == asked), None)
    if asked and chosen is None:
        raise Http404
    chosen = chosen or next(iter(held), None)
    form = Filters(request.GET)
    context: dict[str, Any] = {"purses": held, "chosen": chosen, "rows": [], "form": form}
    if chosen is not None:
        before = read_id(request.GET.get("before", ""))
        told = statement(chosen, before, asked=form.asked())
        kept = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
        kept["currency"] = chosen.currency_id
        context |= {
            "rows": entry_rows(told.entries),
            "filtered": len(kept) > 1,
            "older": urlencode(kept | {"before": told.before}) if told.before else "",
            "newest": f"?{urlencode(kept)}" if before is not None else "",
        }
    return render(request, "wallets/wallet.html", context)


def read_id(text: str) -> int | None:
    """A number of an entry or a hand in an address; anything else is as if it were not there."""
    return int(text) if text.isdecimal() and len(text) < 19 else None


def near(day: date | None) -> date | None:
    """Days at the ends of the calendar have no day beside them."""
    return day if day and date(1900, 1, 1) <= day <= date(9000, 1, 1) else None


def entry_rows(entries: list[Entry]) -> list[dict[str, Any]]:
    """Entries with their words, and where they lead: to a hand or a seat, and to a table."""
    told = [(entry, entry.transaction) for entry in entries]
    found = links(name for _entry, one in told for name in (one.reference, one.book_id))
    return [
        {
            "entry": entry,
            "time": one.time,
            "words": KINDS.get(one.kind, one.kind.replace("_", " ")),
            "reason": one.reason,
            "link": found.get(one.reference),
            "book": found.get(one.book_id),
        }
        for entry, one in told
    ]
