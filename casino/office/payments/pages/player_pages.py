"""The player's pages: pay in, see how a payment is, take money out again."""

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.forms import CharField, ChoiceField, Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from casino.accounts.models import Player
from casino.office.payments import advancing, asking, offered
from casino.office.payments.models import DESTINATION_MAX, Payment
from casino.office.payments.verbs import paid_otherwise, way_of
from games.words.refusals import refused_in, sentence_of
from wallets.models import Currency
from wallets.models.holders import wallets_of
from wallets.office.journalled_admin import Keyed, key_field
from wallets.values.amounts import as_form_error, read_amount, show_amount
from wallets.values.days import in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import player_of

TYPED_MAX: Final = 30
Status, Way = Payment.Status, Payment.Way
OUT: Final = (Way.OUT, Way.CHARGEBACK)


class PayForm(Keyed, Form):
    """A way and a currency, as one choice, and an amount."""

    way = ChoiceField(label=_("Way to pay"))
    amount = CharField(label=_("Amount"), max_length=TYPED_MAX)
    key = key_field()

    def __init__(self, ways: dict[str, tuple[str, Currency]], *given: Any) -> None:
        super().__init__(*given)
        self.ways = ways
        choices = [(name, words) for name, (words, _currency) in ways.items()]
        self.fields["way"].choices = choices  # type: ignore[attr-defined]
        self.fields["amount"].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("way") in self.ways and values.get("amount"):
            with as_form_error():
                values["amount"] = read_amount(values["amount"], self.ways[values["way"]][1])
        return values


class WithdrawForm(PayForm):
    """The same, and for a transfer the account."""

    destination = CharField(
        label=_("Account for a transfer"),
        max_length=DESTINATION_MAX,
        required=False,
        help_text=_("Name, IBAN or account number; only staff who pay you see it."),
    )
    field_order = ("way", "amount", "destination")


def _ways_in() -> dict[str, tuple[str, Currency]]:
    return {
        f"{provider.name}:{currency.code}": (f"{provider.words} · {currency.code}", currency)
        for provider in offered.providers()
        for currency in offered.currencies(provider)
    }


def _ways_out(player: Player) -> dict[str, tuple[str, Currency]]:
    """Back to payments that came so, and by transfer in the currencies of the wallets."""
    ways: dict[str, tuple[str, Currency]] = {}
    for payment, left in asking.sources(player):
        shown = gettext("Back to {way}, paid in on {day}: up to {amount} {currency}").format(
            way=way_of(payment),
            day=date_format(in_house_zone(payment.made_at), "SHORT_DATE_FORMAT"),
            amount=show_amount(left, payment.currency, is_exact=True),
            currency=payment.currency_id,
        )
        ways[f"{payment.provider}:{payment.currency_id}:{payment.pk}"] = (shown, payment.currency)
    if "transfer" in settings.PAYMENTS:
        held = {wallet.currency_id for wallet in wallets_of(player)}
        transfer = offered.provider_of("transfer")
        for currency in offered.currencies(transfer):
            if currency.code in held:
                words = f"{transfer.words} · {currency.code}"
                ways[f"transfer:{currency.code}"] = (words, currency)
    return ways


def _require_on() -> None:
    if not offered.is_on():
        raise Http404


def _player(request: HttpRequest) -> Player:
    return Player.objects.get(pk=player_of(request).pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pay_in(request: HttpRequest) -> HttpResponse:
    """Start a deposit: the next page has the way to the provider."""
    _require_on()
    player, now = _player(request), timezone.now()
    sent = request.POST if request.method == "POST" else None
    form = PayForm(_ways_in(), sent)
    if sent is not None and form.is_valid():
        values = form.cleaned_data
        provider, currency = values["way"].split(":")
        with refused_in(form):
            payment = asking.start(
                player, provider, currency, values["amount"], key=values["key"], now=now
            )
            # The page of the provider is known at once, if it answers.
            payment.refresh_from_db()
            if payment.next_at is not None and not payment.provider_reference:
                advancing.advance(payment, now)
            return redirect("payment", payment.pk)
    return _shown(request, "pay_in", form, payments=_own(player, Way.IN))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pay_out(request: HttpRequest) -> HttpResponse:
    """Ask for a withdrawal; the money is set aside until staff have paid it."""
    _require_on()
    player = _player(request)
    sent = request.POST if request.method == "POST" else None
    form = WithdrawForm(_ways_out(player), sent)
    if sent is not None and form.is_valid():
        values = form.cleaned_data
        provider, currency, *source = values["way"].split(":")
        with refused_in(form):
            asking.ask(
                player,
                provider,
                currency,
                values["amount"],
                source=int(source[0]) if source else None,
                destination=values["destination"],
                key=values["key"],
                now=timezone.now(),
            )
            return redirect("pay-out")
    return _shown(request, "pay_out", form, payments=_own(player, *OUT))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def payment_page(request: HttpRequest, number: int) -> HttpResponse:
    """How a payment is, and the way to its provider; a post asks the provider again."""
    rows = Payment.objects.select_related("currency", "source")
    payment = get_object_or_404(rows, pk=number, player_id=player_of(request).pk)
    if request.method == "POST":
        now = timezone.now()
        if payment.next_at is not None:
            advancing.advance(payment, now)
        return redirect("payment", number)
    opens = payment.status == Status.STARTED and payment.address.startswith("https://")
    context = {
        "payment": payment,
        "way": way_of(payment),
        "opens": opens,
        "paid": paid_otherwise(payment),
        "account": settings.TRANSFER_ACCOUNT if payment.provider == "transfer" else "",
    }
    return render(request, "wallets/payment.html", context)


@login_required
@require_POST
def cancel(request: HttpRequest, number: int) -> HttpResponse:
    player = _player(request)
    try:
        payment = asking.cancel(player, number, timezone.now())
    except Refused as refusal:
        form = WithdrawForm(_ways_out(player))
        payments = _own(player, *OUT)
        return _shown(request, "pay_out", form, payments=payments, refused=sentence_of(refusal))
    return redirect("pay-out" if payment.way == Way.OUT else "pay-in")


def _own(player: Player, *ways: str) -> list[tuple[Payment, str | Promise, str]]:
    return [
        (payment, way_of(payment), paid_otherwise(payment))
        for payment in asking.of_player(player)
        if payment.way in ways
    ]


def _shown(
    request: HttpRequest, name: str, form: Form, *, refused: str = "", **context: object
) -> HttpResponse:
    shared = {"form": form, "wallets": wallets_of(player_of(request)), "refused": refused}
    status = 409 if refused else 200
    return render(request, f"wallets/{name}.html", shared | context, status=status)
