"""The forms of a game's options, and of a draft with the settings of its tables."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.forms import (
    BooleanField,
    CharField,
    ChoiceField,
    Field,
    Form,
    HiddenInput,
    Select,
    Widget,
)
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.models import Profile
from games.models.profiles import AMOUNTS, SETTINGS, SWITCHES
from games.profiles.differences import bounds_of, column, label_of
from games.profiles.drafts import faults
from games.profiles.options import (
    DECIDED_ELSEWHERE,
    Option,
    defaults,
    options_of,
    read,
    share_text,
    show,
    words_of_choice,
    write,
)
from games.words.naming import GAME_NAMES
from wallets.models import Currency
from wallets.office.journalled_admin import reason_field
from wallets.office.whole_units import AmountField, NumberField
from wallets.values.errors import Refused

TEMPLATE: Final = "admin/games/options.html"
SWITCH: Final = {True: "yes", False: "no"}


class OptionsWidget(Widget):
    """All options of one game; until the game is known, a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.game = ""
        self.currency = Currency()
        self.errors: dict[str, str] = {}
        # The initial values of the options: they fill in what a form leaves out.
        self.before: dict[str, object] = {}

    def value_from_datadict(self, data: Mapping[str, object], files: object, name: str) -> object:
        return {
            option.name: str(data[key])
            for option in self.options()
            if (key := f"{name}-{option.name}") in data
        }

    def value_omitted_from_data(self, data: object, files: object, name: str) -> bool:
        return False

    def id_for_label(self, id_: str) -> str:
        return ""

    def options(self) -> tuple[Option, ...]:
        return options_of(self.game) if self.game else ()

    def render(
        self, name: str, value: object, attrs: object = None, renderer: object = None
    ) -> SafeString:
        typed: dict[str, object] = value if isinstance(value, dict) else {}
        rows = [self._row(name, option, typed.get(option.name)) for option in self.options()]
        return render_to_string(TEMPLATE, {"rows": rows, "name": name})

    def _row(self, name: str, option: Option, typed: object) -> dict[str, object]:
        key = f"{name}-{option.name}"
        shown = typed if isinstance(typed, str) else self._text(option)
        widget = _select(option) if option.kind in ("choice", "switch") else _input(option)
        attrs = {"id": f"id_{key}"}
        if option.name in self.errors:
            attrs |= {"aria-invalid": "true", "aria-describedby": f"id_{key}_error"}
        return {
            "id": f"id_{key}",
            "label": option.label,
            "help": option.help,
            "bounds": self._bounds(option),
            "input": widget.render(key, shown, attrs),
            "error": self.errors.get(option.name, ""),
        }

    def _text(self, option: Option) -> str:
        value = self.before[option.name]
        if option.kind == "switch":
            return SWITCH[bool(value)]
        return write(option, value, self.currency)

    def _bounds(self, option: Option) -> str:
        """The bounds as people read them, where they say anything."""
        if option.kind == "percent":
            return f"{share_text(option.least)}–{share_text(option.most)} %"
        if option.kind == "number":
            return f"{option.least}–{option.most}"
        return self.currency.code if option.kind == "amount" else ""


def _select(option: Option) -> Select:
    if option.kind == "switch":
        choices = [(SWITCH[value], show(option, value, Currency())) for value in (True, False)]
    else:
        choices = [(str(value), words_of_choice(option, value)) for value in option.choices]
    widget: Select = UnfoldAdminSelectWidget(choices=choices)
    return widget


def _input(option: Option) -> Widget:
    widget: Widget = UnfoldAdminTextInputWidget(
        attrs={
            "autocomplete": "off",
            "inputmode": "text" if option.kind == "segments" else "decimal",
        }
    )
    return widget


class OptionsField(Field):
    """The options of a game as one value: JSON as the rules read it."""

    widget: Any = OptionsWidget

    def __init__(self, *, whole: bool = False, **given: Any) -> None:
        super().__init__(required=False, **given)
        # Whether every option is written out, or only what differs from the rules' defaults.
        self.whole = whole
        self.stored: dict[str, object] = {}

    def __deepcopy__(self, memo: Any) -> "OptionsField":
        copied: OptionsField = super().__deepcopy__(memo)
        copied.widget = deepcopy(self.widget, memo)
        return copied

    def set_up(self, game: str, currency: Currency | None, stored: Mapping[str, object]) -> None:
        """Say which game it is, in which money, and what the options are now."""
        self.stored = dict(stored)
        self.widget.game = game
        self.widget.currency = currency or Currency()
        if game:
            self.widget.before = defaults(game) | self.stored

    def prepare_value(self, value: object) -> object:
        """Stored options are in the widget already; what was typed is shown again."""
        typed = isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
        return value if typed else None

    def lines_of(self, value: Any) -> dict[str, str]:
        """Each option by its label, as people read it."""
        if not self.widget.game:
            return {}
        return dict(in_words(self.widget.game, value or {}, self.widget.currency))

    def clean(self, value: Any) -> dict[str, object]:
        widget = self.widget
        widget.errors, values = {}, dict[str, Any]()
        for option in widget.options():
            if option.name not in value:
                values[option.name] = widget.before[option.name]
                continue
            try:
                values[option.name] = read(option, value[option.name], widget.currency)
            except Refused as refusal:
                widget.errors[option.name] = refusal.sentence
        if widget.errors:
            labels = {option.name: option.label for option in widget.options()}
            raise ValidationError(
                [
                    gettext("{label}: {sentence}").format(label=labels[name], sentence=sentence)
                    for name, sentence in widget.errors.items()
                ]
            )
        return self._kept(values)

    def _kept(self, found: dict[str, object]) -> dict[str, object]:
        if self.whole:
            return found
        usual = defaults(self.widget.game) if self.widget.game else {}
        elsewhere = {
            name: value for name, value in self.stored.items() if name in DECIDED_ELSEWHERE
        }
        return elsewhere | {
            name: value
            for name, value in found.items()
            if name in self.stored or value != usual[name]
        }

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return self.clean(data) != self.stored
        except ValidationError:
            return True


def in_words(game: str, options: Mapping[str, object], currency: Currency) -> list[tuple[str, str]]:
    """Every option by its label, as people read it."""
    values = defaults(game) | dict(options)
    return [
        (option.label, show(option, values[option.name], currency)) for option in options_of(game)
    ]


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
        money.choices = [(kind.code, f"{kind.code} · {kind.name}") for kind in kinds]


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
