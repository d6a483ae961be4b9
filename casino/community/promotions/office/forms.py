"""The form of a draft: its fields follow from the kind's values, so a new kind has its form."""

from datetime import date
from decimal import Decimal
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from django.core.exceptions import ValidationError
from django.forms import (
    CharField,
    CheckboxSelectMultiple,
    ChoiceField,
    DateField,
    Field,
    Form,
    HiddenInput,
    MultipleChoiceField,
)
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.community.promotions.models import TITLE_MAX
from casino.community.promotions.pages.terms import FEATS, KIND_NAMES, WINDOWS
from casino.community.promotions.rules.declaration import AMOUNT_MAX, KINDS, Declaration
from casino.community.promotions.rules.kinds import BASIS_POINTS
from games.rules.catalogue import GAMES
from games.words.naming import game_name
from tournaments.models import Template
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import AmountField, NumberField
from wallets.values.amounts import amount_for_input, as_form_error, read_amount
from wallets.values.days import day_of, end_of, start_of

LABELS: Final[dict[str, Any]] = {
    "games": _("Games (none: all)"),
    "goal": _("Goal"),
    "pay": _("Reward"),
    "what": _("What counts"),
    "feat": _("Feat"),
    "window": _("Period"),
    "share_bp": _("Share in percent"),
    "loss_min": _("Net loss at least"),
    "most": _("At most"),
    "shares_bp": _("Shares in percent, one for each level"),
    "days": _("Days"),
    "first_hour": _("First hour"),
    "last_hour": _("Last hour"),
    "points_times": _("Points count times"),
    "rake_back_bp": _("Share of the rake in percent"),
    "by": _("Ranked by"),
    "prizes": _("Prizes, the largest first"),
    "hands_min": _("Hands at least"),
    "given_for": _("Given for"),
    "deposit_min": _("Deposit at least"),
    "times": _("To wager, times the bonus"),
    "event": _("Ticket to"),
    "first": _("First task"),
    "second": _("Second task"),
    "third": _("Third task"),
    "all_three": _("All three of a day"),
    "whole_week": _("A hand on each day of a week"),
    "bet_max": _("Largest bet that counts"),
    "pay_inviter": _("Reward of the inviter"),
}
CHOICES: Final[dict[str, str | Promise]] = {
    **WINDOWS,
    "hands": _("hands played"),
    "wins": _("hands won"),
    "feat": _("hands won with a feat"),
    "rake": _("rake"),
    "first_hand": _("the first hand"),
    "first_deposit": _("the first deposit"),
    "deposit": _("every deposit"),
}
AMOUNTS: Final = frozenset(
    {
        *("pay", "pay_inviter", "loss_min", "most", "deposit_min", "bet_max", "prizes"),
        *("first", "second", "third", "all_three", "whole_week"),
    }
)
_TEXT: Final = UnfoldAdminTextInputWidget


class NumbersField(CharField):
    """A number, or several with commas between: amounts in whole units, shares in percent."""

    def __init__(
        self, currency: Currency | None, *, is_share: bool, is_one: bool, label: str
    ) -> None:
        super().__init__(label=label, widget=_TEXT)
        self.currency, self.is_share, self.is_one = currency, is_share, is_one

    def prepare_value(self, value: object) -> object:
        if isinstance(value, list | tuple):
            return ", ".join(map(self._shown, value))
        return self._shown(value) if isinstance(value, int) else value

    def to_python(self, value: object) -> Any:
        if self.is_one:
            return self._read(str(value).strip())
        parts = [part.strip() for part in str(value or "").split(",") if part.strip()]
        return [self._read(part) for part in parts]

    def _shown(self, value: int) -> str:
        if self.currency is not None:
            return str(amount_for_input(value, self.currency))
        return f"{value * 100 / BASIS_POINTS:g}" if self.is_share else str(value)

    def _read(self, part: str) -> int:
        with as_form_error():
            if self.currency is not None:
                return read_amount(part, self.currency)
        try:
            number = round(Decimal(part) * BASIS_POINTS / 100) if self.is_share else int(part)
        except (ArithmeticError, ValueError):
            number = None
        if number is None or abs(number) > AMOUNT_MAX:
            raise ValidationError(_("These are not numbers separated by commas."))
        return number


class NewPromotionForm(Form):
    """The kind and the currency of a new promotion."""

    kind = ChoiceField(
        label=_("Kind"), choices=[*KIND_NAMES.items()], widget=UnfoldAdminSelectWidget
    )
    currency = ChoiceField(label=_("Currency"), widget=UnfoldAdminSelectWidget)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        rows = Currency.objects.exclude(kind=Currency.Kind.CHIPS).order_by("code")
        self.fields["currency"].choices = [(row.code, row.name) for row in rows]  # type: ignore[attr-defined]


class TermsForm(ReasonForm):
    """The terms of one kind of promotion, amounts in whole units."""

    name = CharField(label=_("Name"), max_length=TITLE_MAX, widget=_TEXT)
    first_day = DateField(label=_("First day"), widget=_TEXT(attrs={"type": "date"}))
    last_day = DateField(label=_("Last day"), widget=_TEXT(attrs={"type": "date"}))
    revision = NumberField(
        widget=HiddenInput, min_value=0, max_value=10**9, initial=0, required=False
    )

    def __init__(
        self,
        kind: str,
        currency: Currency,
        data: Any = None,
        terms: Declaration | None = None,
        **initial: Any,
    ) -> None:
        self.kind, self.currency = KINDS[kind], currency
        super().__init__(data, initial=initial | (self._initial(terms) if terms else {}))
        for name in ("budget", "player_max", "day_max"):
            bound = AmountField(label=BOUNDS[name], required=name == "budget")
            bound.currency = currency
            self.fields[name] = bound
        usual = {field.name: field.default for field in msgspec.structs.fields(self.kind)}
        for info in msgspec.structs.fields(self.kind):
            field = _field(info.name, info.type, currency)
            field.initial = self.initial.get(info.name, usual[info.name])
            self.fields[info.name] = field
        self.order_fields(["name", *usual, "first_day", "last_day", "budget"])

    def _initial(self, terms: Declaration) -> dict[str, Any]:
        values = {name: getattr(terms.kind, name) for name in terms.kind.__struct_fields__}
        return values | {
            "first_day": day_of(terms.starts).isoformat(),
            "last_day": _last_day(terms).isoformat(),
            "budget": terms.budget,
            "player_max": terms.player_max or None,
            "day_max": terms.day_max or None,
        }

    @property
    def shown(self) -> list[Any]:
        """The fields that staff fill in; the reason stands at the end of the form."""
        return [self[name] for name in self.fields if name not in ("reason", "key", "revision")]

    @property
    def terms(self) -> dict[str, Any]:
        values = self.cleaned_data
        names = [info.name for info in msgspec.structs.fields(self.kind)]
        return {
            "kind": {"type": self.kind.key, **{name: values[name] for name in names}},
            "currency": self.currency.code,
            "starts": start_of(values["first_day"]).isoformat(),
            "ends": end_of(values["last_day"]).isoformat(),
            "budget": values["budget"],
            "player_max": values["player_max"] or 0,
            "day_max": values["day_max"] or 0,
        }


BOUNDS: Final[dict[str, str | Promise]] = {
    "budget": _("Budget"),
    "player_max": _("At most for one player"),
    "day_max": _("At most in one day"),
}


def _last_day(terms: Declaration) -> date:
    last = day_of(terms.ends)
    return last if end_of(last) == terms.ends else date.fromordinal(last.toordinal() - 1)


def _field(name: str, kind: Any, currency: Currency) -> Field:
    """The field of a value of a kind, by its name and its type."""
    label = LABELS[name]
    if name == "games":
        games = [(key, game_name(key)) for key in GAMES]
        return MultipleChoiceField(
            label=label, choices=games, required=False, widget=CheckboxSelectMultiple
        )
    if name == "feat":
        choices = [("", "–"), *FEATS.items()]
        return ChoiceField(
            label=label, choices=choices, required=False, widget=UnfoldAdminSelectWidget
        )
    if name == "event":
        names = Template.objects.filter(retired_at=None).values_list("name", flat=True)
        events = [(each, each) for each in sorted(set(names))]
        return ChoiceField(label=label, choices=events, widget=UnfoldAdminSelectWidget)
    if get_origin(kind) is Literal:
        choices = [(value, CHOICES[value]) for value in get_args(kind)]
        return ChoiceField(label=label, choices=choices, widget=UnfoldAdminSelectWidget)
    return _number_field(name, kind, currency)


def _number_field(name: str, kind: Any, currency: Currency) -> Field:
    label, is_one, is_share = LABELS[name], get_origin(kind) is not tuple, name.endswith("_bp")
    if is_share or not is_one:
        unit = currency if name in AMOUNTS else None
        return NumbersField(unit, is_share=is_share, is_one=is_one, label=label)
    if name in AMOUNTS:
        amount = AmountField(label=label)
        amount.currency = currency
        return amount
    return NumberField(label=label, min_value=0, max_value=10**6, widget=_TEXT)
