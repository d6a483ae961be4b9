"""The form of a draft: the options of the game and the settings of its tables, and why."""

from collections.abc import Mapping
from typing import Any

from django.forms import BooleanField, CharField, ChoiceField, Form, HiddenInput
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.models import Profile
from games.models.table_rules import AMOUNTS, SETTINGS, SWITCHES
from games.profiles.checks import faults
from games.profiles.option_form import OptionsField
from games.profiles.table_settings import bounds_of, column, label_of
from games.words.naming import GAME_NAMES
from wallets.models import Currency
from wallets.office.journalled_admin import reason_field
from wallets.office.whole_units import AmountField, NumberField


class NewProfileForm(Form):
    name = CharField(label=_("Name"), max_length=60, widget=UnfoldAdminTextInputWidget)
    game = ChoiceField(label=_("Game"), widget=UnfoldAdminSelectWidget)
    currency = ChoiceField(label=_("Currency"), widget=UnfoldAdminSelectWidget)
    reason = reason_field()

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        games: Any = self.fields["game"]
        games.choices = list(GAME_NAMES.items())
        money: Any = self.fields["currency"]
        kinds = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
        money.choices = [(one.code, f"{one.code} · {one.name}") for one in kinds]


class DraftForm(Form):
    """Everything that a version says; `revision` is the draft that its author has seen."""

    revision = NumberField(widget=HiddenInput, min_value=1, max_value=10**9)
    options = OptionsField(whole=True, label=_("Rules"))
    reason = reason_field()

    def __init__(
        self,
        profile: Profile,
        options: Mapping[str, object],
        settings: Mapping[str, object],
        revision: int,
        data: Any = None,
    ) -> None:
        super().__init__(data, initial={"revision": revision, **settings})
        self.profile = profile
        rules: Any = self.fields["options"]
        rules.set_up(profile.game, profile.currency, options)
        reason = self.fields.pop("reason")
        for name in SETTINGS:
            self.fields[name] = _field_of(name, profile.currency)
        self.fields["reason"] = reason

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        if not self.errors:
            settings = {name: values[name] for name in SETTINGS}
            for field, sentence in faults(self.profile, values["options"], settings):
                self.add_error(field, sentence)
        return values

    @property
    def setting_fields(self) -> list[object]:
        return [self[name] for name in SETTINGS]

    @property
    def content(self) -> tuple[dict[str, object], dict[str, object]]:
        values = self.cleaned_data
        return values["options"], {name: values[name] for name in SETTINGS}


def _field_of(name: str, currency: Currency) -> Any:
    words, help_text = label_of(name), column(name).help_text
    if name in AMOUNTS:
        field = AmountField(label=words, help_text=currency.code)
        field.currency = currency
        return field
    if name in SWITCHES:
        return BooleanField(
            label=words, help_text=help_text, required=False, widget=UnfoldBooleanSwitchWidget
        )
    least, most = bounds_of(name)
    return NumberField(
        label=words,
        help_text=f"{least}–{most}",
        min_value=least,
        max_value=most,
        widget=UnfoldAdminIntegerFieldWidget,
    )
