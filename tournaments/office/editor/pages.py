"""The pages on which an event is made: where to start from, the form by its parts, its outlook."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.forms import BoundField, FileField, Form, ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy as _p
from msgspec import convert
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget

from games.rules.errors import Unreadable
from games.words.refusals import sentence_of
from tournaments.mathematics.presets import PRESETS, SATELLITE, preset
from tournaments.mathematics.structure import Structure, read
from tournaments.models import Template
from tournaments.office.editor.edits import GAME_BEFORE, edit, follow_game, follow_prizes
from tournaments.office.editor.event_form import OF_KIND, EventForm
from tournaments.office.editor.from_structure import data_of, filled
from tournaments.office.editor.outlook import level_starts, outlook
from tournaments.office.editor.rows import Data
from tournaments.office.editor.texts import PRESET_WORDS
from tournaments.office.rehearsals import players_usual
from tournaments.office.verb_forms import Done, carry_out
from tournaments.running import staff_verbs
from wallets.models import Currency
from wallets.office.lists import key_in

Context = dict[str, object]
FILE_BYTES_MAX: Final = 1 << 20
NAME_MAX: Final = 60


class TicketForm(Form):
    """The event to which a satellite sells tickets."""

    ticket = ModelChoiceField(
        label=_l("Ticket to"),
        queryset=Template.objects.filter(retired_at=None).select_related("currency"),
        widget=UnfoldAdminSelectWidget,
        required=False,
        empty_label=_l("any event"),
    )


class ImportForm(Form):
    file = FileField(
        label=_l("Structure file"),
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".json,application/json"}),
        help_text=_l("A file that was exported here, or written as the documentation describes."),
    )

    def structure(self) -> Structure | None:
        """The structure in the file; None, with an error, where it cannot be read."""
        if not self.is_valid():
            return None
        try:
            return read(self.cleaned_data["file"].read(FILE_BYTES_MAX + 1))
        except Unreadable as wrong:
            where = wrong.path.removeprefix("$").lstrip(".")
            said = sentence_of(wrong)
            if where:
                sentence = _("The file cannot be read at {place}: {reason}")
            else:
                sentence = _("This is not a structure file: {reason}")
            self.add_error("file", sentence.format(place=where, reason=said))
            return None


def add_page(request: HttpRequest, context: Context) -> HttpResponse:
    """Where to start from, or the form once that is known."""
    if request.method == "POST" and "import" in request.POST:
        form = ImportForm(request.POST, request.FILES)
        structure = form.structure()
        if structure is None:
            return _start_page(request, context, form)
        return _shown(request, context, EventForm(_opened(structure)))
    if request.method == "POST":
        return _posted(request, context)
    structure = _to_start_from(request)
    if structure is None:
        return _start_page(request, context, ImportForm())
    return _shown(request, context, EventForm(_opened(structure)))


def _to_start_from(request: HttpRequest) -> Structure | None:
    """The structure that an address names: that of a template, or of a preset."""
    source = Template.objects.filter(pk=key_in(request.GET.get("from")) or 0).first()
    if source is not None:
        return convert(source.structure, Structure)
    name = request.GET.get("preset", "")
    return _from_preset(request, name) if name in PRESETS else None


def _from_preset(request: HttpRequest, name: str) -> Structure:
    target = None
    if name == SATELLITE:
        chosen = Template.objects.filter(pk=key_in(request.GET.get("ticket")) or 0)
        target = chosen.select_related("currency").first()
    currency = target.currency if target else _usual_currency()
    title = str(PRESET_WORDS[name].title)
    price = 0
    if target is not None:
        title = _("Satellite: {event}").format(event=target.name)[:NAME_MAX]
        aim = convert(target.structure, Structure)
        price = aim.stake + aim.fee
    return preset(name, title, currency.code, 10**currency.exponent, price or None)


def _usual_currency() -> Currency:
    """The currency of the last template, or play money."""
    last = Template.objects.select_related("currency").order_by("-pk").first()
    if last is not None:
        return last.currency
    kinds = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
    return kinds.order_by("-kind", "code").first() or Currency(code="PLAY")


def _opened(structure: Structure) -> Data:
    """A structure as the form sends it, as if it had just been looked at."""
    data = data_of(structure)
    data[GAME_BEFORE] = structure.game
    return data


def _start_page(request: HttpRequest, context: Context, form: ImportForm) -> HttpResponse:
    started = {
        **context,
        "title": _("New event"),
        "presets": [(name, PRESET_WORDS[name]) for name in PRESETS if name != SATELLITE],
        "satellite": PRESET_WORDS[SATELLITE],
        "ticket_form": TicketForm(),
        "import_form": form,
        "sources": Template.objects.filter(retired_at=None).order_by("name", "-version"),
    }
    return TemplateResponse(request, "admin/tournaments/editor/start.html", started)


def _posted(request: HttpRequest, context: Context) -> HttpResponse:
    data = filled(request.POST.copy())
    follow_game(data)
    follow_prizes(data)
    refusal = edit(data)
    form = EventForm(data)
    answer = _store(request, form) if "store" in request.POST else None
    return answer or _shown(request, context, form, refusal)


def _store(request: HttpRequest, form: EventForm) -> HttpResponse | None:
    """Store the next version of the event's name, and show it, or go on to announcing it."""
    made: list[Template] = []

    def do(values: dict[str, Any], now: datetime) -> object:
        assert form.structure is not None
        made.append(staff_verbs.store(request.user, form.structure, values["reason"], now))
        return made[0]

    done = Done(_("Stored."), reverse("admin:tournaments_template_changelist"))
    answer = carry_out(request, form, do, done)
    if answer is None or not made:
        return answer
    goes_on = request.POST["store"] == "announce"
    return redirect(
        "admin:template-announce" if goes_on else "admin:tournaments_template_change", made[0].pk
    )


def _shown(
    request: HttpRequest, context: Context, form: EventForm, refusal: str = ""
) -> HttpResponse:
    """The form with its outlook, or the part of it that a script asks for."""
    form.is_valid()
    if "store" not in request.POST:
        # Looking needs no reason.
        form.errors.pop("reason", None)
    shown = {**context, **described(form), "refusal": refusal}
    part = request.GET.get("part")
    names = {"outlook": "outlook.html", "form": "editor.html"}
    name = names.get(str(part), "page.html")
    return TemplateResponse(request, f"admin/tournaments/editor/{name}", shown)


def described(form: EventForm) -> dict[str, Any]:
    """The context of the form's templates."""
    structure, name = form.structure, str(form.data.get("name", "")).strip()
    versions = Template.objects.filter(name=name.replace("\0", "")) if name else None
    last = versions.order_by("-version").first() if versions is not None else None
    starts = level_starts(structure) if structure else [""] * len(form.levels)
    return {
        "title": _("A new version of {name}").format(name=last.name) if last else _("New event"),
        "form": form,
        "sections": sections(form),
        "levels": list(zip(form.levels, starts, strict=False)),
        "game_before": form.game_key,
        "currency": form.money,
        "players": players_usual(structure) if structure else "",
        "outlook": outlook(structure, form.money) if structure and form.money else None,
    }


class Section(NamedTuple):
    """A part of the form: its fields, of which a kind of event may have none."""

    key: str
    title: str | Promise
    fields: Sequence[BoundField]
    # Whether it is opened only by its heading: most events keep the usual values.
    folded: bool = False


SECTIONS: Final[tuple[tuple[str, str | Promise, tuple[str, ...]], ...]] = (
    ("event", _l("Event"), ("name", "kind", "game", "currency")),
    ("price", _l("Price and guarantee"), ("stake", "fee", "guarantee")),
    (
        "players",
        _l("Players and tables"),
        ("field_min", "field_max", "table_size", "hand_for_hand"),
    ),
    ("prizes", _p("a tournament", "Prizes"), ("prizes",)),
    ("levels", _l("Levels"), ("starting_chips", "length_by")),
    ("entering", _l("Entering late and again"), OF_KIND["freeze_out"]),
    ("knock_out", _l("Knock-out and rounds"), OF_KIND["knock_out"]),
    ("duplicate", _l("Duplicate rounds"), OF_KIND["duplicate"]),
    ("clocks", _l("Clocks"), ("decision_seconds", "betting_seconds", "pause_seconds")),
    ("rules", _l("Rules of the game"), ("options",)),
)
FOLDED: Final = ("clocks", "rules")
# How prizes are set decides which fields say more about them.
OF_PRIZES: Final = {"curve": ("paid", "shape"), "amounts": ("amounts",)}


def sections(form: EventForm) -> list[Section]:
    """The sections that this kind of event has."""
    sections = []
    for key, title, names in SECTIONS:
        more = OF_PRIZES.get(str(form.data.get("prizes")), ()) if key == "prizes" else ()
        named = [form[name] for name in (*names, *more) if name in form.fields]
        fields = [field for field in named if not field.is_hidden]
        if fields:
            wrong = any(field.errors for field in fields)
            sections.append(Section(key, title, fields, key in FOLDED and not wrong))
    return sections
