"""The desk itself: what the shift has done, requests, cash between tills, and receipts."""

from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.desk import cash, receipts, requests
from casino.office.desk.models import NUMBER_MAX, Receipt, Shift, Till, WithdrawalRequest
from casino.office.desk.pages.forms import (
    CorrectForm,
    TransferForm,
    page,
    players_named,
    refused,
    send,
)
from casino.office.desk.receipts import SEE_ALL, WORK, as_pdf, paper_lines, search
from casino.office.desk.shifts import own_shift
from casino.office.desk.summary import lines, shows_expected, summaries
from casino.office.desk.verbs import KINDS, VERBS
from wallets.models import Account, Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import DESK, Menu, staff_page
from wallets.staff import approvals
from wallets.staff.journal import by, words_of
from wallets.staff.permitted import money
from wallets.values.errors import Refused
from wallets.values.player import Viewer, player_of


@staff_page("desk", "desk/", _("Cash desk"), WORK, SEE_ALL, menu=Menu(DESK, "payments", 10))
@require_safe
def desk_page(request: HttpRequest) -> HttpResponse:
    """The own shift: its lines, what should be in the till, and who else waits."""
    member = player_of(request)
    return page(request, "desk", _("Cash desk"), **of_shift(member), tills=tills_for(member))


def of_shift(member: Viewer) -> dict[str, object]:
    shift = own_shift(member)
    shift_receipts = lines(shift) if shift else []
    latest = next(
        (receipt.receipt for receipt in shift_receipts if receipt.receipt.player_id), None
    )
    return {
        "lines": shift_receipts,
        "summaries": summaries(shift, shift_receipts) if shift else [],
        "shows": shift is not None and shows_expected(member, shift, shift_receipts),
        "latest": latest,
        "paper": paper_lines(latest) if latest else [],
        "requests": list(requests.waiting()),
        "set_aside": _set_aside(),
        "proposals": _proposals(member),
    }


def _proposals(member: Viewer) -> list[dict[str, object]]:
    """Return the member's open proposals at the desk."""
    verbs = [verb.name for verb in VERBS]
    own = approvals.waiting(timezone.now()).filter(verb__in=verbs, maker=by(member).reference)
    return [
        {"proposal": proposal, "verb": words_of(proposal.verb)} for proposal in own.order_by("-pk")
    ]


def _set_aside() -> list[str]:
    """The money of players that waits: for the desk, or for a second person."""
    players = Account.objects.filter(kind=Account.Kind.ESCROW, owner__startswith="player:")
    held = players.filter(balance__gt=0).values("currency")
    sums = held.annotate(sum=Sum("balance")).order_by("currency")
    known = Currency.objects.in_bulk([row["currency"] for row in sums])
    return [money(row["sum"], known[row["currency"]]) for row in sums]


def tills_for(member: Viewer) -> list[dict[str, object]]:
    """Every till and what it holds, for those who see more than their own."""
    if not member.has_perm(SEE_ALL):
        return []
    shifts = {shift.till_id: shift for shift in Shift.objects.filter(closed_at=None)}
    known = Currency.objects.in_bulk()
    cash.vault()
    return [
        {
            "till": till,
            "shift": shifts.get(till.pk),
            "holds": [money(amount, known[code]) for code, amount in cash.held_by(till).items()],
        }
        for till in Till.objects.order_by("is_vault", "name")
    ]


@staff_page("desk-find", "desk/find/", _("Search at the desk"), WORK, SEE_ALL)
@require_safe
def find_page(request: HttpRequest) -> HttpResponse:
    """One search: players by name or number, receipts by number, player or amount."""
    text = request.GET.get("q", "")[:100]
    matches = search(player_of(request), text) if text.strip() else []
    people = players_named(text)
    if len(matches) == 1 and not people:
        return redirect("desk-receipt", matches[0].number)
    title = _("Search at the desk")
    return page(request, "found", title, text=text, players=people, receipts=matches)


@staff_page("desk-transfer", "desk/transfer/", _("Between tills"), WORK, begins="desk-transfer")
@require_http_methods(["GET", "HEAD", "POST"])
def transfer_page(request: HttpRequest) -> HttpResponse:
    cash.vault()
    form = TransferForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        arguments = {
            "source": int(values["source"]),
            "target": int(values["target"]),
            "currency": values["currency"],
            "amount": values["amount"],
        }
        answer = send(request, form, "desk.transfer", arguments, _("Moved."))
        if answer:
            return answer
    note = _("A colleague counts the cash again and approves.")
    return page(request, "ask", _("Between tills"), form=form, note=note, submit=_("Move cash"))


@staff_page(
    "desk-requests",
    "desk/requests/",
    _("Requests"),
    WORK,
    SEE_ALL,
    menu=Menu(DESK, "request_quote", 20),
)
@require_safe
def requests_page(request: HttpRequest) -> HttpResponse:
    member = player_of(request)
    return page(request, "requests", _("Requests"), **of_shift(member))


@staff_page("desk-request", "desk/requests/<int:number>/", _("A withdrawal"), "wallets.withdraw")
@require_http_methods(["GET", "HEAD", "POST"])
def request_page(request: HttpRequest, number: int) -> HttpResponse:
    """Pay one request, or refuse it."""
    member = player_of(request)
    rows = WithdrawalRequest.objects.select_related("player", "currency", "receipt")
    withdrawal_request = get_object_or_404(rows, pk=number)
    shift = own_shift(member)
    sent = request.POST if request.method == "POST" else None
    form = ReasonForm(sent, initial={"reason": gettext("Cash at the desk")})
    if sent is not None and form.is_valid():
        if "refuse" in sent:
            try:
                requests.refuse(member, number, form.cleaned_data["reason"], timezone.now())
            except Refused as refusal:
                refused(form, refusal)
            else:
                return redirect("desk-requests")
        else:
            arguments = {"request": number, "till": shift.till_id if shift else 0}
            answer = send(request, form, requests.PAY, arguments, _("Paid out."))
            if answer:
                return answer
    return page(request, "request", _("A withdrawal"), found=withdrawal_request, form=form)


@staff_page(
    "desk-receipts",
    "desk/receipts/",
    pgettext_lazy("desk", "Receipts"),
    WORK,
    SEE_ALL,
    menu=Menu(DESK, "receipt", 30),
)
@require_safe
def receipts_page(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:100]
    matches = receipts.search(player_of(request), text)
    return page(request, "receipts", pgettext_lazy("desk", "Receipts"), text=text, receipts=matches)


def _receipt(request: HttpRequest, number: str) -> Receipt:
    rows = receipts.visible_to(player_of(request)).select_related(
        "corrects", "player", "till", "to_till", "currency"
    )
    fits = len(number) <= NUMBER_MAX and "\0" not in number
    receipt = rows.filter(number=number).first() if fits else None
    if receipt is None:
        raise Http404
    return receipt


@staff_page("desk-receipt", "desk/receipts/<str:number>/", _("One receipt"), WORK, SEE_ALL)
@require_http_methods(["GET", "HEAD", "POST"])
def receipt_page(request: HttpRequest, number: str) -> HttpResponse:
    """A receipt as it is printed, or as a file: the second one and all later ones are copies."""
    receipt, member = _receipt(request, number), player_of(request)
    if request.method == "POST":
        if member.has_perm(receipts.WORK):
            receipts.print_one(member, receipt, timezone.now())
            if "pdf" in request.POST:
                return _file(_receipt(request, number))
        return redirect(f"{reverse('desk-receipt', args=[receipt.number])}?print=1")
    # A payment that a colleague approved has the key of its proposal.
    return page(
        request,
        "receipt",
        _("Receipt {number}").format(number=receipt.number),
        receipt=receipt,
        paper=paper_lines(receipt),
        prints="print" in request.GET,
        corrections=receipt.corrections.order_by("pk"),
        may_correct=receipt.kind in KINDS and member.has_perm(receipts.WORK),
    )


def _file(receipt: Receipt) -> HttpResponse:
    answer = HttpResponse(as_pdf(receipt), content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="{receipt.number}.pdf"'
    return answer


@staff_page(
    "desk-correct",
    "desk/receipts/<str:number>/correct/",
    _("Correct a receipt"),
    WORK,
    begins="desk-receipts",
)
@require_http_methods(["GET", "HEAD", "POST"])
def correct_page(request: HttpRequest, number: str) -> HttpResponse:
    """Take what the receipt should have said; a colleague must approve it."""
    receipt = _receipt(request, number)
    if receipt.kind not in KINDS:
        raise Http404
    form = CorrectForm(receipt.currency, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        arguments = {"receipt": receipt.pk, "right": form.cleaned_data["amount"]}
        answer = send(request, form, "desk.correct", arguments, _("Corrected."))
        if answer:
            return answer
    title = _("Correct receipt {number}").format(number=receipt.number)
    note = _("A colleague must approve it. The difference is added to the wallet or taken from it.")
    return page(
        request, "ask", title, form=form, note=note, submit=_("Propose the correction"),
        amount=receipts.effective(receipt), currency=receipt.currency,
    )  # fmt: skip
