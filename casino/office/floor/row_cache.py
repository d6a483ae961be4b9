"""The rows of the floor and their cards, kept in each process between two looks.

A look reads one narrow row a table. A table whose narrow row is as it was is neither read further
nor rendered again, however many people watch the floor.
"""

from collections.abc import Hashable
from datetime import datetime
from typing import Final

from django.db.models import TextField
from django.db.models.functions import Cast
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from casino.office.floor.listing import FloorRow, Passing, passing, read, shown_tables, with_passing
from games.lobby.listing import fingerprint

# `version` rises with all that play changes, stacks and seats among them; forms change the others.
NARROW: Final = (
    "pk",
    "version",
    "status",
    "name",
    "places",
    "private",
    "notice",
    "closure__at",
)
# Nothing tells of a new name of a player: each table is read again after this long.
READ_AGAIN_SECONDS: Final = 300


class Kept:
    """A table's row, its content hash, and its card once a reader has been sent it."""

    def __init__(self, key: tuple[Hashable, ...], row: FloorRow, passed: Passing) -> None:
        self.key = key
        self.bare = row
        self.passed = passed
        self.row = with_passing(row, passed)
        self.digest = fingerprint(self.row)
        self._card: SafeString | None = None

    def card(self) -> SafeString:
        if self._card is None:
            context = {"row": self.row, "digest": self.digest}
            self._card = render_to_string("backoffice/floor/card.html", context)
        return self._card


# By language; a look replaces the whole of one language, so threads need no lock.
_kept: dict[str | None, dict[int, Kept]] = {}


def look(now: datetime) -> list[Kept]:
    """All tables of the floor as they are now, in the reader's language."""
    before = _kept.get(get_language(), {})
    keys = _keys(now)
    known = {pk: before[pk] for pk, key in keys.items() if pk in before and before[pk].key == key}
    bare = {pk: kept.bare for pk, kept in known.items()}
    if unknown := keys.keys() - bare.keys():
        bare |= {row.id: row for row in read(unknown)}
    passed = passing(list(bare.values()), now)
    found = {
        pk: known[pk]
        if pk in known and known[pk].passed == passed[pk]
        else Kept(keys[pk], row, passed[pk])
        for pk, row in bare.items()
    }
    _kept[get_language()] = found
    return list(found.values())


def rows(now: datetime) -> list[FloorRow]:
    return [kept.row for kept in look(now)]


def forget() -> None:
    """For tests, whose tables have the numbers of earlier ones."""
    _kept.clear()


def _keys(now: datetime) -> dict[int, tuple[Hashable, ...]]:
    """By table what its row depends on; the tables are not all read again at the same moment."""
    second = int(now.timestamp())
    narrow = shown_tables().values_list(*NARROW, Cast("options", TextField()))
    return {one[0]: (*one, (second + one[0]) // READ_AGAIN_SECONDS) for one in narrow}
