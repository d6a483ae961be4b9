"""The forms of the desk: payments, counts, transfers, corrections, tills, and players' requests."""

from collections.abc import Iterator
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.forms import CharField, ChoiceField, Form
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from casino.office.desk import cash
from casino.office.desk.denominations import pieces_of
from casino.office.desk.models import NAME_MAX, Till
from casino.office.desk.transfers import OUTSIDE
from wallets.models import Currency
from wallets.office.journalled_admin import Keyed, ReasonForm, key_field
from wallets.office.whole_units import NumberField
from wallets.values.amounts import amount_for_input, as_form_error, read_amount, require_bounds

TYPED_MAX: Final = 30
PIECES_MAX: Final = 1_000_000


def currencies() -> list[Currency]:
    """Return the desk's currencies: real money, or play money if the house has no other."""
    found = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
    money = list(found.filter(kind=Currency.Kind.MONEY))
    return money or list(found)


def counted_in(till: Till) -> list[Currency]:
    """The currencies of the desk, and any other currency in a till."""
    codes = {one.code for one in currencies()} | set(cash.held_by(till))
    return list(Currency.objects.filter(pk__in=codes))


def amount_field(**given: Any) -> CharField:
    given.setdefault("label", _("Amount"))
    widget = UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal", "autocomplete": "off"})
    return CharField(max_length=TYPED_MAX, widget=widget, **given)


def currency_field() -> ChoiceField:
    return ChoiceField(
        label=_("Currency"),
        choices=lambda: [(one.code, one.code) for one in currencies()],
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
    """A player's request for money."""

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
    """The amount, its source and its destination."""

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
    """A new till."""

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
        found = {piece: values.get(_name(currency, piece)) for piece in pieces_of(currency)}
        pieces = {piece: count for piece, count in found.items() if count is not None}
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
