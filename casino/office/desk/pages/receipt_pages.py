"""Receipts: the list, one of them on paper, and its correction."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.desk import receipts
from casino.office.desk.corrections import KINDS
from casino.office.desk.models import NUMBER_MAX, Receipt
from casino.office.desk.pages.forms import CorrectForm
from casino.office.desk.pages.parts import page, send
from casino.office.desk.paper import as_pdf, paper_lines
from casino.office.desk.receipts import SEE_ALL, WORK
from wallets.office.staff_pages import DESK, Menu, staff_page
from wallets.values.player import player_of


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
    found = receipts.search(player_of(request), text)
    return page(request, "receipts", pgettext_lazy("desk", "Receipts"), text=text, receipts=found)


def _receipt(request: HttpRequest, number: str) -> Receipt:
    rows = receipts.visible_to(player_of(request)).select_related(
        "corrects", "player", "till", "to_till", "currency"
    )
    fits = len(number) <= NUMBER_MAX and "\0" not in number
    found = rows.filter(number=number).first() if fits else None
    if found is None:
        raise Http404
    return found


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
