"""The form of a draft, field by field, and the forms of its next steps."""

from collections.abc import Iterator
from typing import Any, Final
from zoneinfo import available_timezones

import msgspec
from django.conf import settings
from django.forms import (
    BooleanField,
    BoundField,
    CharField,
    CheckboxSelectMultiple,
    ChoiceField,
    Field,
    FileField,
    HiddenInput,
    MultipleChoiceField,
    TextInput,
)
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from casino.office.house import marks, transfer
from casino.office.house.content import COLOURS, LINES, PAGES, UNIT_MAX, WORDS, preferences
from casino.office.house.marks import Mark
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import NumberField
from wallets.values import palette
from wallets.values.amounts import as_form_error
from wallets.values.errors import Refused
from wallets.values.house import HouseContent, Palette

ROWS: Final = {"terms": 10, "contacts": 4}


class RevisionForm(ReasonForm):
    """The reason, and the revision of the draft that its sender has seen."""

    revision = NumberField(widget=HiddenInput, min_value=0, max_value=10**9)


class HouseForm(RevisionForm):
    """All that a version says. Fields by languages and currencies are made for those there are."""

    mark = FileField(
        label=WORDS["mark"],
        required=False,
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".svg,.png,image/svg+xml,image/png"}),
        help_text=_(
            "A picture as SVG or PNG. Scripts and whatever else is no drawing are refused."
        ),
    )
    no_mark = BooleanField(
        label=_("Use the usual mark"), required=False, widget=UnfoldBooleanWidget
    )
    languages = MultipleChoiceField(
        label=WORDS["languages"],
        widget=CheckboxSelectMultiple,
        help_text=_("Pages, mails and messages come in these languages only."),
    )
    first = ChoiceField(label=_("The house's own language"), widget=UnfoldAdminSelectWidget)
    zone = ChoiceField(label=WORDS["zone"], widget=UnfoldAdminSelectWidget)

    def __init__(self, content: HouseContent, revision: int, data: Any = None, files: Any = None):
        super().__init__(data, initial=_initial(content) | {"revision": revision})
        if files is not None:
            self.files = files
        self._content = content
        self._groups: dict[str, list[str]] = {
            "mark": ["mark", "no_mark"],
            "place": ["languages", "first", "zone"],
        }
        for name, most in {**LINES, **PAGES}.items():
            for code, language in settings.LANGUAGES:
                label = format_lazy("{} · {}", WORDS[name], language)
                self._add(name, f"{name}.{code}", _text_field(name, label, most))
        for colour, words in COLOURS.items():
            colour_field = CharField(label=words, widget=TextInput(attrs={"type": "color"}))
            self._add("palette", f"palette.{colour}", colour_field)
        for name, choices in preferences().items():
            field = ChoiceField(label=WORDS[name], choices=choices, widget=UnfoldAdminSelectWidget)
            self._add("look", name, field)
        for currency in Currency.objects.exclude(kind=Currency.Kind.CHIPS).order_by("code"):
            for code, language in settings.LANGUAGES:
                label = format_lazy("{} · {}", currency.code, language)
                self._add("units", f"units.{currency.code}.{code}", _line(label, UNIT_MAX))
        offered: Any = self.fields["languages"]
        first: Any = self.fields["first"]
        zones: Any = self.fields["zone"]
        offered.choices = first.choices = settings.LANGUAGES
        zones.choices = [(zone, zone) for zone in sorted(available_timezones())]

    def _add(self, group: str, name: str, field: Field) -> None:
        self.fields[name] = field
        self._groups.setdefault(group, []).append(name)

    def of(self, group: str) -> Iterator[BoundField]:
        return (self[name] for name in self._groups.get(group, ()))

    def groups(self) -> dict[str, list[BoundField]]:
        """The fields of each group, for the page."""
        return {group: list(self.of(group)) for group in self._groups}

    def error_at(self, refusal: Refused, sentence: str) -> None:
        """Show what is refused beside the first field that it is about."""
        names = (refusal.path, *self._groups.get(refusal.path, ()))
        self.add_error(next((name for name in names if name in self.fields), None), sentence)

    def clean_mark(self) -> Mark | None:
        sent = self.cleaned_data.get("mark")
        with as_form_error():
            return marks.read(sent.read(marks.BYTES_MAX + 1)) if sent else None

    @property
    def new_mark(self) -> Mark | None:
        mark: Mark | None = self.cleaned_data["mark"]
        return mark

    @property
    def content(self) -> HouseContent:
        values = self.cleaned_data
        texts: dict[str, Any] = {name: _by_language(values, name) for name in (*LINES, *PAGES)}
        codes = {name.split(".")[1] for name in values if name.startswith("units.")}
        units = {code: _by_language(values, f"units.{code}") for code in codes}
        chosen = [code for code in values["languages"] if code != values["first"]]
        languages = (values["first"], *chosen)
        if languages == tuple(code for code, _name in settings.LANGUAGES):
            languages = ()
        colours = Palette(*(values[f"palette.{name}"] for name in COLOURS))
        zone = values["zone"]
        return HouseContent(
            **texts,
            mark="" if values["no_mark"] else self._content.mark,
            palette=_own(colours),
            felt=_unless(values["felt"], "felt"),
            back=_unless(values["back"], "back"),
            units=units,
            languages=languages,
            zone="" if zone == settings.HOUSE_ZONE else zone,
        )


def _own(colours: Palette) -> Palette:
    """The palette without the colours that are those of the style sheet."""
    built = palette.of_house(Palette())
    own = {
        name: "" if getattr(colours, name) == getattr(built, name) else getattr(colours, name)
        for name in COLOURS
    }
    return Palette(**own)


def _unless(value: str, name: str) -> str:
    """The first choice is the usual one."""
    return "" if value == preferences()[name][0][0] else value


def _text_field(name: str, label: Any, most: int) -> CharField:
    if name in LINES:
        return _line(label, most)
    rows = {"rows": ROWS.get(name, 3)}
    widget = UnfoldAdminTextareaWidget(attrs=rows)
    return CharField(label=label, max_length=most, required=False, widget=widget)


def _line(label: Any, most: int) -> CharField:
    widget = UnfoldAdminTextInputWidget
    return CharField(label=label, max_length=most, required=False, widget=widget)


def _by_language(values: dict[str, Any], name: str) -> dict[str, str]:
    return {
        code: values[f"{name}.{code}"]
        for code, _language in settings.LANGUAGES
        if values.get(f"{name}.{code}")
    }


def _initial(content: HouseContent) -> dict[str, Any]:
    values: dict[str, Any] = {
        f"{name}.{code}": said
        for name in (*LINES, *PAGES)
        for code, said in getattr(content, name).items()
    }
    for currency, text in content.units.items():
        values |= {f"units.{currency}.{code}": said for code, said in text.items()}
    colours = msgspec.structs.asdict(palette.of_house(content.palette))
    values |= {f"palette.{name}": colour for name, colour in colours.items()}
    return values | {
        "felt": content.felt or preferences()["felt"][0][0],
        "back": content.back or preferences()["back"][0][0],
        "languages": list(content.offered),
        "first": content.offered[0],
        "zone": content.zone or settings.HOUSE_ZONE,
    }


class HouseFileForm(RevisionForm):
    """A file that another house, or this one, has exported."""

    file = FileField(
        label=_("File of a house"),
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".json,application/json"}),
    )
    field_order = ("file", "reason")

    def read(self) -> tuple[HouseContent, Mark | None]:
        return transfer.imported(self.cleaned_data["file"].read(transfer.BYTES_MAX))
