"""The parts of the form in the order in which an event is thought out."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from tournaments.office.editor.event_form import OF_KIND, EventForm


class Section(NamedTuple):
    """A part of the form: its fields, of which a kind of event may have none."""

    key: str
    title: str | Promise
    fields: Sequence[BoundField]
    # Whether it is opened only by its heading: most events keep the usual values.
    folded: bool = False


SECTIONS: Final[tuple[tuple[str, str | Promise, tuple[str, ...]], ...]] = (
    ("event", _("Event"), ("name", "kind", "game", "currency")),
    ("price", _("Price and guarantee"), ("stake", "fee", "guarantee")),
    ("players", _("Players and tables"), ("field_min", "field_max", "table_size", "hand_for_hand")),
    ("prizes", _p("a tournament", "Prizes"), ("prizes",)),
    ("levels", _("Levels"), ("starting_chips", "length_by")),
    ("entering", _("Entering late and again"), OF_KIND["freeze_out"]),
    ("knock_out", _("Knock-out and rounds"), OF_KIND["knock_out"]),
    ("duplicate", _("Duplicate rounds"), OF_KIND["duplicate"]),
    ("clocks", _("Clocks"), ("decision_seconds", "betting_seconds", "pause_seconds")),
    ("rules", _("Rules of the game"), ("options",)),
)
FOLDED: Final = ("clocks", "rules")
# How prizes are set decides which fields say more about them.
OF_PRIZES: Final = {"curve": ("paid", "shape"), "amounts": ("amounts",)}


def sections(form: EventForm) -> list[Section]:
    """The sections that this kind of event has."""
    found = []
    for key, title, names in SECTIONS:
        more = OF_PRIZES.get(str(form.data.get("prizes")), ()) if key == "prizes" else ()
        named = [form[name] for name in (*names, *more) if name in form.fields]
        fields = [field for field in named if not field.is_hidden]
        if fields:
            wrong = any(field.errors for field in fields)
            found.append(Section(key, title, fields, key in FOLDED and not wrong))
    return found
