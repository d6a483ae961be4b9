"""Deposits and withdrawals: who, how much, what it does, and the wait for a second person.

Players ask the desk for money on a page of their own, and cancel it there.
"""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from casino.accounts.models import Player
from casino.office.desk import paying, requests
from casino.office.desk.models import Receipt, Shift
from casino.office.desk.pages.desk_pages import of_shift
from casino.office.desk.pages.forms import (
    PayForm,
    RequestForm,
    currencies,
    page,
    players_named,
    send,
)
from casino.office.desk.paying import DeskCash
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.shifts import own_shift
from casino.office.desk.verbs import VERBS
from games.words.refusals import refused_in, sentence_of
from wallets.models import Currency
from wallets.models.holders import wallets_of
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import staff_page
from wallets.staff import approvals
from wallets.staff.journal import by, words_of
from wallets.values.amounts import read_amount
from wallets.values.errors import Refused
from wallets.values.player import Viewer, player_of


def pay_page(kind: str, title: str | Promise) -> Callable[[HttpRequest], HttpResponse]:
    """Deposit or withdrawal: first the player, then the amount, with a preview of the payment."""
    verb = next(
        verb for verb in VERBS if isinstance(verb, DeskCash) and verb.name == f"desk.{kind}"
    )

    @require_http_methods(["GET", "HEAD", "POST"])
    def answered(request: HttpRequest) -> HttpResponse:
        member, player = player_of(request), chosen(request)
        shift = own_shift(member)
        initial = {
            "reason": _t("Cash at the desk"),
            "amount": request.GET.get("amount", "")[:30],
            "currency": request.GET.get("currency", ""),
        }
        form = PayForm(request.POST if request.method == "POST" else None, initial=initial)
        if player and shift and request.method == "POST" and form.is_valid():
            arguments = paying.verb_arguments(form.cleaned_data, player, shift)
            done = _("Paid in.") if kind == "deposit" else _("Paid out.")
            answer = send(request, form, verb.name, arguments, done)
            if answer:
                return answer
        context: dict[str, object] = {"kind": kind, "player": player}
        # The preview asks the verb itself, so a payment that is done needs none.
        if player and shift:
            context["outlook"] = _outlook(request, verb, player, shift)
            if "part" in request.GET:
                return render(request, "backoffice/desk/pay_outlook.html", context)
        text = request.GET.get("q", "")
        people = [] if player else players_named(text)
        if len(people) == 1:
            return redirect(f"{request.path}?player={people[0].pk}")
        checks = paying.person_checks(member, player, kind, timezone.now()) if player else []
        context |= {"form": form, "person_checks": checks, "text": text, "players": people}
        return page(request, "pay", title, **context, **of_shift(member))

    return answered


def chosen(request: HttpRequest) -> Player | None:
    """The player whom the address names."""
    number = request.GET.get("player", "")
    if not number.isdecimal() or len(number) > 18:
        return None
    return Player.objects.filter(pk=int(number), is_bot=False).first()


def _outlook(
    request: HttpRequest, verb: DeskCash, player: Player, shift: Shift
) -> paying.Outlook | None:
    """Of the typed currency and amount; an amount that cannot be read is none yet."""
    typed = request.POST or request.GET
    known = {currency.code: currency for currency in currencies()}
    currency = known.get(typed.get("currency", "")) or next(iter(known.values()), None)
    if currency is None:
        return None
    amount = _read(typed.get("amount", ""), currency)
    payment = paying.Payment(
        verb, player_of(request), player, shift, currency, amount, timezone.now()
    )
    return paying.outlook(payment)


def _read(typed: str, currency: Currency) -> int:
    try:
        return read_amount(typed[:30], currency)
    except Refused:
        return 0


@staff_page("desk-waiting", "desk/waiting/<int:number>/", _("Waiting at the desk"), WORK, SEE_ALL)
@require_http_methods(["GET", "HEAD", "POST"])
def waiting_page(request: HttpRequest, number: int) -> HttpResponse:
    """The payment that waits for a second person; the page asks again until it is decided."""
    member = player_of(request)
    proposal = _own_proposal(member, number)
    waits = proposal.status == Proposal.Status.PROPOSED and proposal.expires_at > timezone.now()
    if "part" in request.GET:
        headers = {} if waits else {"HX-Refresh": "true"}
        return HttpResponse(status=204, headers=headers)
    initial = {"reason": _t("Withdrawn at the desk")}
    form = ReasonForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        with refused_in(form):
            approvals.take_back(member, proposal.pk, reason=reason, now=timezone.now())
            return redirect("desk-waiting", proposal.pk)
    player = _player_of(proposal)
    return page(
        request,
        "waiting",
        words_of(proposal.verb),
        proposal=proposal,
        waits=waits,
        what=approvals.describe(proposal),
        player=player,
        person_pays=player is not None and proposal.verb != "desk.deposit",
        approvers=approvals.approvers(proposal) if waits else [],
        receipt=Receipt.objects.filter(key=proposal.key).first(),
        form=form,
        again=_again(proposal, player),
    )


def _own_proposal(member: Viewer, number: int) -> Proposal:
    """A proposal that the member has made at the desk."""
    names = [verb.name for verb in VERBS]
    mine = Proposal.objects.filter(verb__in=names, maker=by(member).reference)
    return get_object_or_404(mine, pk=number)


def _player_of(proposal: Proposal) -> Player | None:
    kind, _colon, number = proposal.subject.partition(":")
    if kind != "player" or not number.isdecimal():
        return None
    return Player.objects.filter(pk=int(number)).first()


def _again(proposal: Proposal, player: Player | None) -> str:
    """Where the same is begun once more, after it was refused or has expired."""
    kind = proposal.verb.partition(".")[2]
    if player is None or kind not in ("deposit", "withdrawal"):
        return reverse("desk")
    return f"{reverse(f'desk-{kind}')}?player={player.pk}"


staff_page(
    "desk-deposit",
    "desk/deposit/",
    _("Deposit at the desk"),
    "wallets.deposit",
    begins="desk-deposit",
)(pay_page("deposit", _("Deposit")))
staff_page(
    "desk-withdrawal",
    "desk/withdrawal/",
    _("Withdrawal at the desk"),
    "wallets.withdraw",
    begins="desk-withdrawal",
)(pay_page("withdrawal", _("Withdrawal")))


SHOWN = 30


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdrawals(request: HttpRequest) -> HttpResponse:
    """Show a player's requests for money, and the form for another."""
    player = player_of(request)
    wallets = wallets_of(player)
    sent = request.POST if request.method == "POST" else None
    form = RequestForm([wallet.currency_id for wallet in wallets], sent)
    if sent is not None and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            requests.ask(
                player, values["in"], values["amount"], key=values["key"], now=timezone.now()
            )
            return redirect("withdrawals")
    return _shown(request, form)


@login_required
@require_POST
def cancel_withdrawal(request: HttpRequest, number: int) -> HttpResponse:
    player = player_of(request)
    try:
        requests.cancel(player, number, timezone.now())
    except Refused as refusal:
        form = RequestForm([wallet.currency_id for wallet in wallets_of(player)])
        return _shown(request, form, sentence_of(refusal))
    return redirect("withdrawals")


def _shown(request: HttpRequest, form: RequestForm, refused: str = "") -> HttpResponse:
    player = player_of(request)
    context = {
        "form": form,
        "wallets": wallets_of(player),
        "requests": requests.of_player(player)[:SHOWN],
        "refused": refused,
    }
    status = 409 if refused else 200
    return render(request, "wallets/withdrawals.html", context, status=status)
