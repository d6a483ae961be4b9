"""Tills and shifts: opening, counting, closing, what one shift did, and a shift as a file."""

import csv
from collections.abc import Iterator
from io import StringIO
from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.desk import shifts
from casino.office.desk.models import Shift, Till
from casino.office.desk.pages.desk_pages import tills_for
from casino.office.desk.pages.forms import CountForm, TillForm, open_till, page, refused, send
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.shifts import MANAGE
from casino.office.desk.summary import (
    ShiftReceipt,
    lines,
    shows_expected,
    summaries,
    with_variances,
)
from casino.web.spreadsheets import guarded
from wallets.models import Currency
from wallets.office.staff_pages import DESK, Menu, staff_page
from wallets.staff import journal
from wallets.staff.approvals import Order
from wallets.values.amounts import amount_for_input
from wallets.values.errors import Refused
from wallets.values.player import Viewer, player_of

SHOWN = 30


@staff_page(
    "desk-tills",
    "desk/tills/",
    _("Tills and shifts"),
    WORK,
    SEE_ALL,
    menu=Menu(DESK, "point_of_sale", 40),
)
@require_safe
def tills_page(request: HttpRequest) -> HttpResponse:
    """The tills, for those who see all; free ones for cashiers; and the latest shifts."""
    member = player_of(request)
    taken = Shift.objects.filter(closed_at=None).values("till")
    free = Till.objects.filter(is_vault=False).exclude(pk__in=taken)
    title = _("Tills and shifts")
    varianceses = with_variances(visible_to(member).select_related("till")[:SHOWN])
    return page(request, "tills", title, free=free, tills=tills_for(member), shifts=varianceses)


def visible_to(member: Viewer) -> QuerySet[Shift]:
    """All shifts for managers and auditors, their own for cashiers."""
    if member.has_perm(SEE_ALL):
        return Shift.objects.all()
    return Shift.objects.filter(cashier_id=member.pk)


@staff_page("desk-shift", "desk/shifts/<int:number>/", _("One shift"), WORK, SEE_ALL)
@require_safe
def shift_page(request: HttpRequest, number: int) -> HttpResponse:
    shift = get_object_or_404(visible_to(player_of(request)).select_related("till"), pk=number)
    member = player_of(request)
    rows = lines(shift)
    counts = shift.counts.select_related("currency")
    title = _("Shift {number}").format(number=shift.pk)
    return page(
        request, "shift", title, one=shift, lines=rows, counts=counts,
        summaries=summaries(shift, rows), shows=shows_expected(member, shift, rows),
    )  # fmt: skip


@staff_page("desk-till-new", "desk/tills/new/", _("Add a till"), MANAGE, begins="desk-till-new")
@require_http_methods(["GET", "HEAD", "POST"])
def new_till_page(request: HttpRequest) -> HttpResponse:
    form = TillForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values, member = form.cleaned_data, player_of(request)
        try:
            shifts.add_till(member, values["name"], values["reason"], timezone.now())
        except Refused as refusal:
            refused(form, refusal)
        else:
            return redirect("desk-tills")
    return page(request, "ask", _("Add a till"), form=form, submit=_("Add a till"))


@staff_page(
    "desk-shift-open", "desk/tills/<int:number>/open/", _("Open a shift"), WORK, begins="desk-tills"
)
@require_http_methods(["GET", "HEAD", "POST"])
def open_page(request: HttpRequest, number: int) -> HttpResponse:
    """Count what is in a till, and begin to work there."""
    till = open_till(number)
    usual = str(shifts.OpenShift.usual)
    form = CountForm(till, request.POST if request.method == "POST" else None, usual=usual)
    if request.method == "POST" and form.is_valid():
        answer = send(request, form, "shift.open", _count(form, till), _("The shift is open."))
        if answer:
            return answer
    title = _("Open a shift at {till}").format(till=till.name)
    return page(request, "count", title, form=form, submit=_("Open the shift"), till=till)


@staff_page("desk-count", "desk/count/", _("Count now"), WORK, begins="desk")
@require_http_methods(["GET", "HEAD", "POST"])
def count_page(request: HttpRequest) -> HttpResponse:
    """A count in between: it moves nothing."""
    member = player_of(request)
    shift = shifts.own_shift(member)
    if shift is None:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = CountForm(shift.till, sent)
    if sent is not None and form.is_valid():
        values = form.cleaned_data
        try:
            shifts.count(
                member, values["counted"], values["pieces"], words=values["reason"],
                key=values["key"], now=timezone.now(),
            )  # fmt: skip
        except Refused as refusal:
            refused(form, refusal)
        else:
            messages.success(request, _("Counted."))
            return redirect("desk")
    return page(request, "count", _("Count now"), form=form, submit=_("Store the count"))


@staff_page(
    "desk-shift-close", "desk/tills/<int:number>/close/", _("Close a shift"), WORK, begins="desk"
)
@require_http_methods(["GET", "HEAD", "POST"])
def close_page(request: HttpRequest, number: int) -> HttpResponse:
    """Count the till for the last time, before its page says what should be there.

    A count that agrees closes the shift. One that differs is stored as it is, so that no later
    count replaces it unseen; then the page shows the expected sum and asks what happened.
    """
    till, usual = open_till(number), str(shifts.CloseShift.usual)
    shift = shifts.shift_at(till)
    member = player_of(request)
    own = shift is not None and shift.cashier_id == member.pk
    if not own and not member.has_perm(shifts.MANAGE):
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = CountForm(till, sent, usual=usual)
    shows = False
    if sent is not None and form.is_valid():
        shows = shift is not None and _shows_variance(member, shift, form)
        if not shows and (answer := _close(request, form, till)):
            return answer
        shows = shift is not None and shifts.is_counted(shift, form.cleaned_data["counted"])
    totals = summaries(shift, lines(shift)) if shift and shows else []
    title = _("Close the shift at {till}").format(till=till.name)
    return page(
        request, "count", title, form=form, till=till, shows=shows, blind=not shows,
        submit=_("Close the shift"), summaries=totals,
    )  # fmt: skip


def _shows_variance(member: Viewer, shift: Shift, form: CountForm) -> bool:
    """Store a count that differs from the ledger, if it is not stored yet."""
    values = form.cleaned_data
    differs = any(variance for _code, variance in shifts.variances(shift.till, values["counted"]))
    if not differs or shifts.is_counted(shift, values["counted"]):
        return False
    order = Order(_count(form, shift.till), member, "", uuid4(), timezone.now())
    try:
        shifts.count_in(shift, order)
    except Refused as refusal:
        refused(form, refusal)
        return False
    return True


def _close(request: HttpRequest, form: CountForm, till: Till) -> HttpResponse | None:
    done = _("The shift is closed.")
    return send(request, form, "shift.close", _count(form, till), done, to="desk-tills")


def _count(form: CountForm, till: Till) -> dict[str, object]:
    values = form.cleaned_data
    return {"till": till.pk, "counted": values["counted"], "pieces": values["pieces"]}


# Cashiers export their own shifts, managers and auditors all.
EXPORTED = journal.register(
    "shift.export", _("Exported a shift"), needs_reason=False, permission=WORK, also=SEE_ALL
)
HEADER = ("at", "receipt", "kind", "player", "second_person", "currency", "cash", "in_the_till")


def _written(amount: int, currency: Currency) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}{amount_for_input(abs(amount), currency)}"


def _row(line: ShiftReceipt, *, shows: bool) -> list[str]:
    receipt = line.receipt
    left = "" if line.left is None or not shows else _written(line.left, receipt.currency)
    texts = (
        receipt.number,
        receipt.kind,
        receipt.player.username if receipt.player else "",
        receipt.second_name,
    )
    return [
        receipt.at.isoformat(),
        *map(guarded, texts),
        receipt.currency_id,
        _written(line.amount, receipt.currency),
        left,
    ]


def rows(member: Viewer, shift: Shift) -> Iterator[str]:
    receipts = lines(shift)
    shows = shows_expected(member, shift, receipts)
    for row in (list(HEADER), *(_row(line, shows=shows) for line in reversed(receipts))):
        text = StringIO()
        csv.writer(text).writerow(row)
        yield text.getvalue()


@staff_page(
    "desk-shift-file", "desk/shifts/<int:number>/shift.csv", _("One shift as a file"), WORK, SEE_ALL
)
@require_safe
def shift_file(request: HttpRequest, number: int) -> StreamingHttpResponse:
    shift = get_object_or_404(visible_to(player_of(request)).select_related("till"), pk=number)
    with transaction.atomic():
        who, after = journal.by(player_of(request)), {"till": shift.till.name}
        journal.write(who, EXPORTED, f"shift:{shift.pk}", before={}, after=after, reason="")
    answer = StreamingHttpResponse(
        rows(player_of(request), shift), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = f'attachment; filename="shift-{shift.pk}.csv"'
    return answer
