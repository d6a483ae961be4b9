"""The office's pages: all payments, one of them with its decisions, and the differences."""

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.desk.receipts import SEE_ALL
from casino.office.payments import verbs
from casino.office.payments.chargebacks import BEAR, GIVE_BACK, TAKE_BACK
from casino.office.payments.conditions import disputed
from casino.office.payments.models import Difference, Payment
from casino.office.payments.verbs import (
    BOOK,
    EXPLAIN,
    MANAGE,
    PAY,
    PAY_IN,
    PAY_OUT,
    RECEIVE,
    REFUND,
    REFUSE,
    paid_otherwise,
    way_of,
)
from games.words.refusals import sentence_of
from wallets.office.journalled_admin import ReasonForm, submit_form, to_proposal
from wallets.office.staff_pages import MONEY, Menu, office_page, staff_page
from wallets.staff import approvals, journal
from wallets.values.errors import Refused
from wallets.values.player import Viewer, player_of

SHOWN: Final = 50
Status, Way = Payment.Status, Payment.Way
# What waits for a member of staff, beside chargebacks.
WAITS: Final = Q(status__in=(Status.ASKED, Status.DIFFERS)) | Q(
    status=Status.STARTED, provider="transfer"
)
# Without a provider there is no entry in the menu; payments of earlier days keep their pages.
MENU: Final = Menu(
    MONEY,
    "credit_card",
    15,
    waiting=lambda _viewer: _waiting(Payment.objects.all()).count(),
)


def _payments() -> QuerySet[Payment]:
    return Payment.objects.select_related("player", "currency", "source").order_by("-pk")


def _waiting(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    return payments.filter(WAITS | Q(pk__in=disputed().values("pk")))


@staff_page(
    "payments",
    "payments/",
    _("Payments"),
    PAY_OUT,
    SEE_ALL,
    menu=MENU if settings.PAYMENTS else None,
)
@require_safe
def payments_page(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, and the latest payments; a search by player or reference."""
    text = request.GET.get("q", "").replace("\0", "").strip()[:100]
    rows = _payments()
    if text:
        named = Q(player__username__istartswith=text) | Q(provider_reference=text)
        number = text.upper().removeprefix("P").removeprefix("T")
        if number.isdecimal() and len(number) < 19:
            named |= Q(pk=int(number))
        rows = rows.filter(named)
    return office_page(
        request,
        "payments/payments.html",
        _("Payments"),
        text=text,
        waiting=[] if text else _rows(_waiting(_payments())),
        rows=_rows(rows),
        differences=Difference.objects.filter(closed_at=None).count(),
    )


def _rows(payments: QuerySet[Payment]) -> list[tuple[Payment, str | Promise, str]]:
    return [(payment, way_of(payment), paid_otherwise(payment)) for payment in payments[:SHOWN]]


@staff_page("office-payment", "payments/<int:number>/", _("One payment"), PAY_OUT, SEE_ALL)
@require_http_methods(["GET", "HEAD", "POST"])
def payment_page(request: HttpRequest, number: int) -> HttpResponse:
    """One payment: who, how much, how far, and what a member of staff may do now."""
    member, payment = player_of(request), get_object_or_404(_payments(), pk=number)
    offers = _offers(member, payment)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        wanted = next((name for name in offers if name in request.POST), "")
        try:
            answer = _decided(request, form, payment, wanted)
            if answer is not None:
                return answer
        except Refused as refusal:
            form.add_error(None, sentence_of(refusal))
    proposals = approvals.waiting(timezone.now()).filter(subject=payment.reference)
    return office_page(
        request,
        "payments/payment.html",
        str(payment),
        payment=payment,
        way=way_of(payment),
        paid=paid_otherwise(payment),
        target=payment.target if member.has_perm(PAY_OUT) else "",
        offers=[(name, words) for name, words in offers.items()],
        proposals=list(proposals),
        form=form,
    )


def _offers(member: Viewer, payment: Payment) -> dict[str, str | Promise]:
    """The verbs that fit this payment and this member, with the words of their buttons."""
    offers: dict[str, str | Promise] = {}
    if payment.way == Way.OUT and payment.status == Status.ASKED and member.has_perm(PAY_OUT):
        return {
            PAY: _("Pay out") if payment.source_id else _("I have made the transfer"),
            REFUSE: _("Refuse: the player reads the reason"),
        }
    if payment.is_open_transfer:
        if member.has_perm(PAY_IN):
            offers[RECEIVE] = _("The transfer has arrived")
        if member.has_perm(PAY_OUT):
            offers[REFUSE] = _("Refuse: the player reads the reason")
    if payment.status == Status.DIFFERS:
        if member.has_perm(PAY_IN) and payment.paid_currency == payment.currency_id:
            offers[BOOK] = _("Book what was paid")
        if member.has_perm(PAY_OUT):
            offers[REFUND] = _("Return it to the payer")
    if payment.status == Status.DISPUTED and member.has_perm(PAY_OUT):
        offers[TAKE_BACK] = _("Take it back from the wallet")
        offers[BEAR] = _("The house bears it")
    if payment.is_owed and member.has_perm(PAY_OUT):
        offers[GIVE_BACK] = _("Return what was taken")
    return offers


def _decided(
    request: HttpRequest, form: ReasonForm, payment: Payment, wanted: str
) -> HttpResponse | None:
    if wanted == REFUSE:
        reason = form.cleaned_data["reason"]
        verbs.refuse(player_of(request), payment.pk, reason, timezone.now())
    elif wanted:
        submitted = submit_form(request, form, wanted, {"payment": payment.pk})
        if submitted.proposal:
            return to_proposal(request, submitted.proposal)
    else:
        return None
    messages.success(request, journal.words_of(wanted))
    return redirect("office-payment", payment.pk)


@staff_page(
    "payment-differences",
    "payments/differences/",
    _("Differences with providers"),
    PAY_OUT,
    SEE_ALL,
)
@require_safe
def differences_page(request: HttpRequest) -> HttpResponse:
    rows = Difference.objects.select_related("payment").order_by("-pk")
    return office_page(
        request,
        "payments/differences.html",
        _("Differences with providers"),
        standing=list(rows.filter(closed_at=None)[:SHOWN]),
        settled=list(rows.exclude(closed_at=None)[:SHOWN]),
    )


@staff_page(
    "payment-difference",
    "payments/differences/<int:number>/",
    _("One difference"),
    PAY_OUT,
    SEE_ALL,
)
@require_http_methods(["GET", "HEAD", "POST"])
def difference_page(request: HttpRequest, number: int) -> HttpResponse:
    """A difference that no later list will settle is explained, once."""
    member = player_of(request)
    rows = Difference.objects.select_related("payment__player")
    difference = get_object_or_404(rows, pk=number)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            verbs.explain(member, number, form.cleaned_data["reason"], timezone.now())
        except Refused as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            messages.success(request, journal.words_of(EXPLAIN))
            return redirect("payment-differences")
    return office_page(
        request,
        "payments/difference.html",
        str(difference),
        difference=difference,
        may_explain=difference.closed_at is None and member.has_perm(MANAGE),
        form=form,
    )
