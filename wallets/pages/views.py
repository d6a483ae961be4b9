"""A player's wallet: its balances, and the money that went in and out."""

from datetime import date
from itertools import groupby
from typing import Any, Final, NamedTuple

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from wallets.models import Entry
from wallets.models.holders import wallets_of
from wallets.money.accounts import Holdings, StatementFilters, holdings, statement
from wallets.money.references import links
from wallets.values.days import day_of
from wallets.values.player import player_of

# The names of the kinds of postings that touch a wallet or a stack.
KINDS: Final = {
    "buy_in": _("Bought in"),
    "cash_out": _("Cashed out"),
    "deposit": _("Paid in"),
    "withdrawal": _("Paid out"),
    "grant": _("Given by the house"),
    "award": _("Reward of a promotion"),
    "award_release": _("Bonus released"),
    "grant_return": _("Play money returned to the house"),
    "withdrawal_request": _("Set aside for a withdrawal"),
    "withdrawal_return": _("Withdrawal not paid"),
    "correction": _("Correction"),
    "tournament_entry": _("Entered a tournament"),
    "tournament_refund": _("Returned by a tournament"),
    "tournament_prize": _("Prize of a tournament"),
    "hand": _("Hand"),
    "hand_void": _("Hand reversed"),
}
# The kinds that appear in a wallet, for its filter.
WALLET_KINDS: Final = tuple(kind for kind in KINDS if kind != "hand")


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        required=False, label=label, widget=forms.DateInput(attrs={"type": "date"})
    )


class Days(forms.Form):
    """A range of days by which a list is filtered."""

    first_day = _day(_("From"))
    last_day = _day(_("To"))

    @property
    def offered(self) -> tuple[tuple[object, str], ...]:
        """What its lists offer: without filters, all that a form differs by."""
        lists = (getattr(field, "choices", ()) for field in self.fields.values())
        return tuple((value, str(label)) for choices in lists for value, label in choices)

    def clean(self) -> dict[str, object]:
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("first_day"), values.get("last_day")
        if first and last and first > last:
            self.add_error("last_day", _("The last day is before the first."))
        return values


class Filters(Days):
    """The filters of a statement, taken from the URL."""

    kind = forms.ChoiceField(required=False, label=_("Kind"))
    field_order = ("kind",)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        kinds = [("", _("Everything")), *((kind, KINDS[kind]) for kind in WALLET_KINDS)]
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]

    def chosen(self) -> StatementFilters:
        """Return the filters that could be read."""
        self.is_valid()
        data = self.cleaned_data
        return StatementFilters(
            data.get("kind", ""), near(data.get("first_day")), near(data.get("last_day"))
        )


@require_safe
@login_required
def wallet(request: HttpRequest) -> HttpResponse:
    held = wallets_of(player_of(request))
    code = request.GET.get("currency", "")
    chosen = next((account for account in held if account.currency_id == code), None)
    if code and chosen is None:
        raise Http404
    chosen = chosen or next(iter(held), None)
    form = Filters(request.GET)
    context: dict[str, object] = {"wallets": held, "chosen": chosen, "rows": [], "form": form}
    context["is_paid_from_outside"] = bool(settings.PAYMENTS)
    if chosen is not None:
        before = read_id(request.GET.get("before", ""))
        page = statement(chosen, before, filters=form.chosen())
        kept = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
        kept["currency"] = chosen.currency_id
        rows, held_here = entry_rows(page.entries), holdings(player_of(request).pk, chosen.currency)
        context |= {
            "rows": rows,
            "days": days_of(rows, is_whole=not (page.before or before or len(kept) > 1)),
            "held": held_here,
            "parts": parts_of(held_here),
            "filtered": len(kept) > 1,
            "older": urlencode(kept | {"before": page.before}) if page.before else "",
            "newest": f"?{urlencode(kept)}" if before is not None else "",
        }
    return render(request, "wallets/wallet.html", context)


class Part(NamedTuple):
    """A share of a player's money; place and width are in thousandths of it."""

    key: str
    words: str | Promise
    amount: int
    at: int
    width: int


PARTS: Final = {
    "wallet": pgettext_lazy("money", "free"),
    "at_tables": _("At tables"),
    "set_aside": _("held for a withdrawal"),
}


def parts_of(held: Holdings) -> list[Part]:
    """The parts that add up to the whole; the free part even where it is empty."""
    parts, at = [], 0
    for key, words in PARTS.items():
        amount: int = getattr(held, key)
        width = 1_000 * amount // held.total if held.total else 0
        if amount or key == "wallet":
            parts.append(Part(key, words, amount, at, width))
            at += width
    return parts


class Day(NamedTuple):
    """A day of a statement; the total is None where the page may lack some of its entries."""

    day: date
    total: int | None
    rows: list[dict[str, Any]]


def days_of(rows: list[dict[str, Any]], *, is_whole: bool) -> list[Day]:
    """The rows by gaming day, newest first; the ends of a page that goes on have no total."""
    grouped = [(day, list(some)) for day, some in groupby(rows, lambda row: day_of(row["time"]))]
    ends = {grouped[0][0], grouped[-1][0]} if grouped and not is_whole else set[date]()
    return [
        Day(day, None if day in ends else sum(row["entry"].amount for row in some), some)
        for day, some in grouped
    ]


def read_id(text: str) -> int | None:
    """Parse the number of an entry or a hand in a URL; return None for anything else."""
    return int(text) if text.isdecimal() and len(text) < 19 else None


def near(day: date | None) -> date | None:
    """Drop days at the ends of the calendar, which have no neighbouring day."""
    return day if day and date(1900, 1, 1) <= day <= date(9000, 1, 1) else None


def entry_rows(entries: list[Entry]) -> list[dict[str, Any]]:
    """Return entries with their words and their links: to a hand or a seat, and to a table."""
    postings = [(entry, entry.transaction) for entry in entries]
    targets = links(
        name for _entry, posting in postings for name in (posting.reference, posting.book_id)
    )
    return [
        {
            "entry": entry,
            "time": posting.time,
            "words": KINDS.get(posting.kind, posting.kind.replace("_", " ")),
            # The house's own reasons have translations; typed reasons do not.
            "reason": gettext(posting.reason) if posting.reason else "",
            "link": targets.get(posting.reference),
            "book": targets.get(posting.book_id),
        }
        for entry, posting in postings
    ]
