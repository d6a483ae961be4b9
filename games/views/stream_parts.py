"""Making the parts of a table for the streams of a process, at the newest version.

Whether a viewer may still watch is decided anew for each version, by the same function as for a
page. An own part goes to a viewer who sits, for whom a seat is reserved, or who had one before: it
then says why they no longer do. All others get the public part alone, which is a stranger's.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar

from django.utils import timezone

from games.boards.renderings import rendering_of
from games.boards.table_version import version_of
from games.live.parts import NOTHING, Audience, Made, Part, Parts, Reader, Wanted, hidden_from_all
from games.models import Seat, Table
from games.tables.access import may_watch
from games.tables.copies import COPIES
from games.tables.lock import seat_of, seats_at
from games.tables.reservations import reservation_of

T = TypeVar("T")

log: Final = logging.getLogger(__name__)


class Rows(NamedTuple):
    """A table and its seats at one version."""

    table: Table
    seats: Sequence[Seat]


def make_parts(wanted: Wanted) -> Made:
    """The parts of a table for these streams; a fault in one part concerns its readers alone."""
    try:
        rows = _newest(wanted)
    except Table.DoesNotExist:
        return hidden_from_all(wanted.readers)
    audiences = {reader.audience[:2] for reader in wanted.readers}
    public = {form: _unless_faulty(partial(_public, *form, rows)) for form in audiences}
    made: dict[int, Parts] = {}
    hidden = set[int]()
    for reader in wanted.readers:
        admitted = _unless_faulty(partial(_may_watch, reader.audience, rows))
        if admitted is False:
            hidden.add(reader.number)
        shared = public[reader.audience[:2]] if admitted else None
        own = _unless_faulty(partial(_own, reader, rows)) if shared else None
        if shared is not None and own is not None:
            made[reader.number] = Parts(rows.table.version, shared, own)
    return Made(rows.table.version, made, frozenset(hidden))


def _unless_faulty(make: Callable[[], T]) -> T | None:
    """What a function returns, or None if it fails."""
    try:
        return make()
    except Exception:
        log.exception("a part of a table could not be made")
        return None


def _newest(wanted: Wanted) -> Rows:
    """The rows of this process's copy, which is brought up to date if it is too old.

    Between two hands the seats are read again: which players the next hand waits for depends on who
    is there, and that makes no version.
    """
    copy = COPIES.known(wanted.table_id)
    if copy is None or copy.version < wanted.version:
        copy = COPIES.newest(wanted.table_id)
    table = copy.own_table()
    return Rows(table, seats_at(table) if table.hand_id is None else copy.own_seats(table))


def _may_watch(audience: Audience, rows: Rows) -> bool:
    return may_watch(audience.viewer, rows.table, audience.invitation, rows.seats)


def _public(name: str, language: str, rows: Rows) -> Part:
    """The public part, which all streams of this version and language share."""
    return version_of(*rows).once(
        ("streamed", name, language),
        lambda: Part(rendering_of(name).public(*rows, language)),
    )


def _own(reader: Reader, rows: Rows) -> Part:
    name, language, viewer, _invitation = reader.audience
    if not viewer.is_authenticated:
        return NOTHING
    has_seat = seat_of(viewer, rows.seats) or reservation_of(viewer, rows.seats)
    if not has_seat and not reader.had_own:
        return NOTHING
    return Part(rendering_of(name).own(viewer, *rows, timezone.now(), language))
