"""The forms of a jackpot: amounts in whole units, shares in percent, and always a reason."""

import re
from copy import copy
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.forms import CharField, Field, ModelChoiceField, ModelForm
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.profiles.options import share_text
from wallets.models import Currency, Jackpot
from wallets.money import gifts, jackpots
from wallets.office.journalled_admin import Keyed, ReasonForm, key_field, reason_field
from wallets.office.stale_forms import AsOpenedField, RefusesStale
from wallets.office.whole_units import AmountField, WholeUnitsForm
from wallets.values.amounts import as_form_error, read_amount
from wallets.values.errors import Refused

PERCENT: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?\s*%?")
# What says nothing about a progressive jackpot: its hits share what it holds.
OF_MYSTERY_PRIZES: Final = ("lowest", "highest")


class PercentField(Field):
    """A share, typed and shown in percent and stored in hundredths of one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=UnfoldAdminTextInputWidget, **options)

    def prepare_value(self, value: object) -> object:
        return share_text(value) if isinstance(value, int) else value

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values:
            return None
        if isinstance(value, int):
            return value
        found = PERCENT.fullmatch(str(value).strip())
        share = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else -1
        if not 0 <= share <= 10_000:
            raise ValidationError(_("A share is 0 to 100 percent, with two decimals at most."))
        return share

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return self.to_python(data) != initial
        except ValidationError:
            return True


SETTINGS: Final = ("seed", "reserve", "share_bp", "lowest", "highest", "active")


class _JackpotForm(gifts.ConfirmsGifts, Keyed, WholeUnitsForm, ModelForm):  # type: ignore[type-arg]
    """A jackpot's settings and the reason for them: saving moves the house's money immediately.

    If a bet that feeds it would favour players, the form shows the edge and asks for confirmation.
    """

    seed = AmountField(least=0, label=_("Seed"), help_text=_("What it shows again after a hit."))
    reserve = AmountField(
        least=0,
        label=_("Reserve"),
        help_text=_("Not shown to players; it pays hits at two tables at once."),
    )
    share_bp = PercentField(label=_("Share of each bonus bet, in percent"))
    lowest = AmountField(label=_("Lowest prize"))
    highest = AmountField(
        label=_("Highest prize"), help_text=_("The prize is hit before it is larger than this.")
    )
    key = key_field()
    gives_away = gifts.confirmation()
    reason = reason_field(_("The ledger stores it with the posting."))

    class Meta:
        model = Jackpot
        fields: ClassVar[tuple[str, ...]] = SETTINGS
        labels: ClassVar = {"active": _("Players play for it")}
        widgets: ClassVar = {"active": UnfoldBooleanSwitchWidget}

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        currency = self._currency()
        if currency is not None and {"seed", "reserve"} <= values.keys():
            try:
                jackpots.check(Jackpot(seed=values["seed"], reserve=values["reserve"]), currency)
            except Refused as refusal:
                self.add_error("seed", refusal.sentence)
        return values

    def currency_of(self, row: Jackpot) -> Currency:
        return row.pool.currency

    def wanted(self) -> dict[str, Any]:
        """The settings that were typed."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields if name in self.fields}


class OpenForm(_JackpotForm):
    """A new jackpot also needs a name, a kind, and a currency in which its pool is opened."""

    field_order = ("name", "kind", "currency")
    currency = ModelChoiceField(
        Currency.objects.exclude(kind=Currency.Kind.CHIPS),
        label=_("Currency"),
        widget=UnfoldAdminSelectWidget,
    )

    class Meta(_JackpotForm.Meta):
        fields = ("name", "kind", *SETTINGS)
        widgets: ClassVar = {
            **_JackpotForm.Meta.widgets,
            "name": UnfoldAdminTextInputWidget,
            "kind": UnfoldAdminSelectWidget,
        }


class ChangeForm(RefusesStale, _JackpotForm):  # type: ignore[misc]
    """The settings of a jackpot that exists: its name is part of its account, and hands were
    played by the rules of its kind."""

    as_opened = AsOpenedField()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.kind == Jackpot.Kind.PROGRESSIVE:
            for name in OF_MYSTERY_PRIZES:
                del self.fields[name]

    def clean(self) -> dict[str, object]:
        values: Any = super().clean()
        if not self.errors:
            self.confirm_gifts(values, gifts.of_jackpot(self.with_settings()))
        return self.cleaned_data

    def with_settings(self) -> Jackpot:
        """The jackpot with what was typed: the instance gets it once the form is valid."""
        wanted: Jackpot = copy(self.instance)
        for name in jackpots.SETTINGS & self.cleaned_data.keys():
            setattr(wanted, name, self.cleaned_data[name])
        return wanted


class DrainForm(ReasonForm):
    """The amount to take out of a pool, and the reason."""

    field_order = ("amount", "reason")
    amount = CharField(label=_("Amount"), max_length=30, widget=UnfoldAdminTextInputWidget)

    def __init__(self, data: QueryDict | None, currency: Currency) -> None:
        super().__init__(data)
        self.currency = currency

    def clean_amount(self) -> int:
        with as_form_error():
            return read_amount(self.cleaned_data["amount"], self.currency)
