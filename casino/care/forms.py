"""The forms with which players limit themselves and stay away."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.care import exclusions, limits, reality
from casino.care.models import Exclusion, PlayerLimit
from casino.care.months import Month
from games.web.fields import choice, set_choices
from wallets.models import Account, Currency
from wallets.values.amounts import as_form_error, read_amount

MINUTES_TYPED_MAX = 6


class StatementForm(forms.Form):
    month = choice(_("Month"))
    currency = choice(_("Currency"))

    def __init__(
        self,
        months: Sequence[Month],
        wallets: Sequence[Account],
        month: Month,
        wallet: Account | None,
    ) -> None:
        code = wallet.currency_id if wallet else ""
        super().__init__(initial={"month": month.name, "currency": code}, auto_id="%s")
        set_choices(
            self,
            month=[(one.name, one.name) for one in months],
            currency=[(one.currency_id, one.currency_id) for one in wallets],
        )
        if not wallets:
            del self.fields["currency"]


class LimitForm(forms.Form):
    """A limit: what it limits, for which period, and how much that is."""

    kind = forms.ChoiceField(label=_("What"), choices=PlayerLimit.Kind.choices)
    period = forms.ChoiceField(label=_("Period"), choices=PlayerLimit.Period.choices)
    currency = forms.ModelChoiceField(
        Currency.objects.none(), label=_("Currency"), required=False, empty_label=None
    )
    value = forms.CharField(
        label=_("At most"),
        max_length=40,
        help_text=_("An amount of money; for time, whole minutes."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        currencies = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
        self.fields["currency"].queryset = currencies  # type: ignore[attr-defined]

    def clean(self) -> dict[str, object]:
        data: dict[str, Any] = super().clean() or {}
        if not {"kind", "period", "value"} <= data.keys():
            return data
        if data["kind"] == PlayerLimit.Kind.SESSION:
            data["currency"], data["value"] = None, self._minutes(data["value"])
        elif data.get("currency") is None:
            if "currency" not in self.errors:
                self.add_error("currency", _("A limit of money needs a currency; time has none."))
        else:
            with as_form_error():
                data["value"] = read_amount(data["value"], data["currency"], least=0)
        return data

    def _minutes(self, typed: str) -> int:
        text = typed.strip()
        if not (text.isascii() and text.isdecimal() and len(text) <= MINUTES_TYPED_MAX):
            raise forms.ValidationError(_("Type whole minutes."), code="minutes_unreadable")
        return int(text)

    def wanted(self) -> limits.Wanted:
        data = self.cleaned_data
        return limits.Wanted(data["kind"], data["period"], data["currency"], data["value"])


LENGTHS = {
    (Exclusion.Kind.TIME_OUT, 1): _("Time-out of one day"),
    (Exclusion.Kind.TIME_OUT, 7): _("Time-out of one week"),
    (Exclusion.Kind.TIME_OUT, 14): _("Time-out of two weeks"),
    (Exclusion.Kind.TIME_OUT, 30): _("Time-out of 30 days"),
    (Exclusion.Kind.TIME_OUT, 42): _("Time-out of six weeks"),
    (Exclusion.Kind.SELF_EXCLUSION, 183): _("Self-exclusion for half a year"),
    (Exclusion.Kind.SELF_EXCLUSION, 365): _("Self-exclusion for a year"),
    (Exclusion.Kind.SELF_EXCLUSION, 1825): _("Self-exclusion for five years"),
    (Exclusion.Kind.SELF_EXCLUSION, 0): _("Self-exclusion for good"),
}


class ExclusionForm(forms.Form):
    """The length of a break, with the player's own password as a second thought."""

    length = forms.ChoiceField(label=_("How long"))
    password = forms.CharField(
        label=_("Your password"),
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_("Your password, so that no one else can do this in your name."),
    )

    def __init__(self, *args: Any, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.player = player
        self.fields["length"].choices = [  # type: ignore[attr-defined]
            (f"{kind}-{days}", LENGTHS[kind, days])
            for kind, lengths in exclusions.DAYS.items()
            for days in lengths
        ]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.player.check_password(password):
            raise forms.ValidationError(_("That is not your password."), code="wrong_password")
        return password

    def chosen(self) -> tuple[str, int]:
        kind, _hyphen, days = self.cleaned_data["length"].partition("-")
        return kind, int(days)


INTERVALS = {
    0: _("Never"),
    15: _("Every 15 minutes"),
    30: _("Every 30 minutes"),
    60: _("Every hour"),
    120: _("Every two hours"),
}


class ReminderForm(forms.Form):
    """The interval between reminders of time and money."""

    minutes = forms.TypedChoiceField(
        label=_("Remind me"),
        coerce=int,
        choices=[(minutes, INTERVALS[minutes]) for minutes in reality.MINUTES],
    )
