"""The forms of the desk, and what its pages share: their frame, and sending a verb."""

from collections.abc import Iterator
from typing import Any, Final

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.forms import CharField, ChoiceField, Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from casino.accounts.models import Player
from casino.office.desk import cash, requests
from casino.office.desk.models import NAME_MAX, Receipt, Till
from casino.office.desk.paying import pieces_of
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.shifts import MANAGE, own_shift
from casino.office.desk.verbs import OUTSIDE
from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.office.journalled_admin import Keyed, ReasonForm, key_field, submit_form
from wallets.office.whole_units import NumberField
from wallets.values.amounts import amount_for_input, as_form_error, read_amount, require_bounds
from wallets.values.days import day_of, end_of
from wallets.values.errors import Refused
from wallets.values.player import player_of

TYPED_MAX: Final = 30
PIECES_MAX: Final = 1_000_000


def currencies() -> list[Currency]:
    """Return the desk's currencies: real money, or play money if the house has no other."""
    currencies = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
    money = list(currencies.filter(kind=Currency.Kind.MONEY))
    return money or list(currencies)


def counted_in(till: Till) -> list[Currency]:
    """The currencies of the desk, and any other currency in a till."""
    codes = {currency.code for currency in currencies()} | set(cash.held_by(till))
    return list(Currency.objects.filter(pk__in=codes))


def amount_field(**given: Any) -> CharField:
    given.setdefault("label", _("Amount"))
    widget = UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal", "autocomplete": "off"})
    return CharField(max_length=TYPED_MAX, widget=widget, **given)


def currency_field() -> ChoiceField:
    return ChoiceField(
        label=_("Currency"),
        choices=lambda: [(currency.code, currency.code) for currency in currencies()],
        widget=UnfoldAdminSelectWidget,
    )


class InCurrency:
    """A form with an amount that is read in the currency that it names."""

    cleaned_data: dict[str, Any]
    least = 1

    def clean(self) -> dict[str, object]:
        values: dict[str, Any] = super().clean() or self.cleaned_data  # type: ignore[misc]
        currency = Currency.objects.filter(pk=values.get("currency", "")).first()
        if currency is not None and "amount" in values:
            try:
                with as_form_error():
                    values["amount"] = read_amount(values["amount"], currency, least=self.least)
            except ValidationError as error:
                self.add_error("amount", error)  # type: ignore[attr-defined]
        values["in"] = currency
        return values


class PayForm(InCurrency, ReasonForm):
    """An amount across the desk, and what for."""

    field_order = ("currency", "amount", "reason")
    currency = currency_field()
    amount = amount_field()
    currency.widget.attrs["aria-label"] = _("Currency")
    amount.widget.attrs["autofocus"] = True


class RequestForm(InCurrency, Keyed, Form):
    currency = ChoiceField(label=_("Currency"))
    amount = CharField(label=_("Amount"), max_length=TYPED_MAX)
    key = key_field()

    def __init__(self, codes: list[str], *arguments: Any, **given: Any) -> None:
        super().__init__(*arguments, **given)
        self.fields["currency"].choices = [(code, code) for code in codes]  # type: ignore[attr-defined]
        self.fields["amount"].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}


def ends() -> list[tuple[int, str]]:
    tills = [(till.pk, str(till)) for till in Till.objects.order_by("is_vault", "name")]
    return [*tills, (OUTSIDE, gettext("Outside the house"))]


class TransferForm(InCurrency, ReasonForm):
    field_order = ("source", "target", "currency", "amount", "reason")
    source = ChoiceField(label=_("From"), choices=ends, widget=UnfoldAdminSelectWidget)
    target = ChoiceField(label=_("To"), choices=ends, widget=UnfoldAdminSelectWidget)
    currency = currency_field()
    amount = amount_field()


class CorrectForm(ReasonForm):
    """The right amount of a receipt."""

    field_order = ("amount", "reason")
    amount = amount_field(label=_("Right amount"), help_text=_("0 undoes the whole receipt."))

    def __init__(self, currency: Currency, *arguments: Any, **given: Any) -> None:
        super().__init__(*arguments, **given)
        self.currency = currency

    def clean_amount(self) -> int:
        with as_form_error():
            return read_amount(self.cleaned_data["amount"], self.currency, least=0)


class TillForm(ReasonForm):
    field_order = ("name", "reason")
    name = CharField(label=_("Name"), max_length=NAME_MAX, widget=UnfoldAdminTextInputWidget)


class CountForm(ReasonForm):
    """A count: for each currency its notes and coins, or the sum; and words about a variance.

    Without words the count has the `usual` reason, with which no variance is posted.
    """

    def __init__(self, till: Till, *arguments: Any, usual: str = "", **given: Any) -> None:
        super().__init__(*arguments, **given)
        self.till, self.usual = till, usual
        self.fields["reason"].required = False
        self.currencies = counted_in(till)
        for currency in self.currencies:
            self.fields[f"sum-{currency.code}"] = amount_field(
                label=_("Counted in {currency}").format(currency=currency.code), required=False
            )
            for piece in pieces_of(currency):
                self.fields[_name(currency, piece)] = NumberField(
                    label=amount_for_input(piece, currency),
                    required=False,
                    min_value=0,
                    max_value=PIECES_MAX,
                    widget=UnfoldAdminIntegerFieldWidget,
                )

    def clean_reason(self) -> str:
        return self.cleaned_data["reason"] or self.usual

    def parts(self) -> Iterator[dict[str, object]]:
        """For the page: each currency with its pieces and its sum."""
        for currency in self.currencies:
            yield {
                "currency": currency,
                "expected": cash.cash_in(self.till, currency),
                "sum": self[f"sum-{currency.code}"],
                "pieces": [
                    {"value": piece, "field": self[_name(currency, piece)]}
                    for piece in pieces_of(currency)
                ],
            }

    def clean(self) -> dict[str, object]:
        values: dict[str, object] = super().clean() or self.cleaned_data
        values["counted"], values["pieces"] = {}, {}
        for currency in self.currencies:
            self._read(currency, values)
        return values

    def _read(self, currency: Currency, values: dict[str, Any]) -> None:
        name = f"sum-{currency.code}"
        counts = {piece: values.get(_name(currency, piece)) for piece in pieces_of(currency)}
        pieces = {piece: count for piece, count in counts.items() if count is not None}
        total = sum(piece * count for piece, count in pieces.items())
        try:
            with as_form_error():
                typed = values.get(name)
                counted = read_amount(typed, currency, least=0) if typed else None
            if pieces and counted not in (None, total):
                raise ValidationError(_("The notes and coins do not add up to this sum."))
            with as_form_error():
                require_bounds(total, currency, least=0)
        except ValidationError as error:
            self.add_error(name, error)
            return
        if counted is None and not pieces:
            # The desk asks for every currency that the till holds.
            return
        values["counted"][currency.code] = total if counted is None else counted
        values["pieces"][currency.code] = {str(piece): n for piece, n in pieces.items() if n}


def _name(currency: Currency, piece: int) -> str:
    return f"piece-{currency.code}-{piece}"


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
    players = people.filter(username__istartswith=text)
    number = text.upper().removeprefix("P-")
    if number.isdecimal() and len(number) < 19:
        players = players | people.filter(pk=int(number))
    return list(players.order_by("username")[:FOUND_MAX])
