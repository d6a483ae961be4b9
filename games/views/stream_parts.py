"""Making the parts of a table for the streams of a process, at the newest version.

Whether a viewer may still watch is decided anew for each version, by the same function as for a
page. A viewer with a seat, or a reserved one, gets an own part; whether other viewers have one is
up to the rendering. The public part is a stranger's.

As HTML a part is the pieces of its board, each named by the id of its element. The public part has
the pieces that are the same for all viewers, made of what a stranger sees. The own part has the
frame and all others. The whole board of a stranger is made only where someone without a seat looks.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import SynchronousOnlyOperation
from django.utils import timezone, translation
from markupsafe import Markup

from games.boards.pieces.assembly import NO_PIECES, NO_RECORDS, Apart, Piece, assembled
from games.boards.renderings import NOTHING, RENDERINGS, Own, Pieces
from games.boards.seat_view import all_present
from games.boards.shoe_status import kept_parts, reads_of_kept
from games.boards.table_version import holding, reads_of_boards, reads_of_look, version_of
from games.boards.table_view import table_view
from games.live.parts import Audience, Made, Part, Parts, Reader, Wanted, hidden_from_all
from games.models import Hand, Seat, Table
from games.models.combined import Read, read_together
from games.tables.admission import may_watch
from games.tables.formats import format_of
from games.tables.hand_cache import CachedHand
from games.tables.jackpots import ACTIVE_AT
from games.tables.lock import SEATS, seats_at
from games.tables.seating import has_seat
from games.tables.table_cache import TABLE_CACHE, cached_hand
from games.views.board_facts import board_facts
from wallets.values.player import Viewer

T = TypeVar("T")

# A board takes about a millisecond of the event loop.
OWN_AT_ONCE_MAX: Final = 4

log: Final = logging.getLogger(__name__)


class Rows(NamedTuple):
    """A table and its seats at one version."""

    table: Table
    seats: Sequence[Seat]


@kept_parts()
def make_parts(wanted: Wanted) -> Made:
    """The parts of a table for these streams; a fault in one part concerns its readers alone."""
    try:
        with read_together(_reads(wanted)):
            return _made(wanted)
    except Table.DoesNotExist:
        return hidden_from_all(wanted.readers)
    except Hand.DoesNotExist:
        # The round was called off after its table was read.
        return _made(wanted)


def make_at_once(wanted: Wanted) -> Made | None:
    """The same in the event loop; None where it takes a thread.

    That is where something has to be read, or many boards have to be made.
    """
    known = TABLE_CACHE.known(wanted.table_id)
    if known is None or known.version < wanted.version or known.table.hand_id is None:
        return None
    seated = [
        reader for reader in wanted.readers if _is_seated(reader.audience.viewer, known.seats)
    ]
    if len(seated) > OWN_AT_ONCE_MAX:
        return None
    try:
        # The pools are asked for only where a hand is settled.
        if any(read[0] is not ACTIVE_AT for read in _reads(wanted)):
            return None
        return make_parts(wanted)
    except SynchronousOnlyOperation:
        # The database was asked after all.
        return None


def _reads(wanted: Wanted) -> list[Read]:
    """The expected reads, unless the new version is the first of a hand or of a pause."""
    known = TABLE_CACHE.known(wanted.table_id)
    if known is None or known.version < wanted.version:
        return reads_of_look(wanted.table_id)
    reads = _reads_of_boards(known.table, known.live)
    return [*reads, (SEATS, (wanted.table_id,))] if known.table.hand_id is None else reads


def _reads_of_boards(table: Table, live: CachedHand | None) -> list[Read]:
    kept = reads_of_kept(table)
    return [read for read in reads_of_boards(table, live) if read not in kept]


def _made(wanted: Wanted) -> Made:
    rows = _newest(wanted)
    live = cached_hand(rows.table) if rows.table.hand_id is not None else None
    with read_together(_reads_of_boards(rows.table, live)), holding(*rows):
        return _parts_of(wanted.readers, rows)


def _parts_of(readers: Iterable[Reader], rows: Rows) -> Made:
    audiences = {reader.audience[:2] for reader in readers}
    public = {form: _unless_faulty(partial(_public, *form, rows)) for form in audiences}
    made: dict[int, Parts] = {}
    hidden = set[int]()
    for reader in readers:
        admitted = _unless_faulty(partial(_may_watch, reader.audience, rows))
        if admitted is False:
            hidden.add(reader.number)
        shared = public[reader.audience[:2]] if admitted else None
        own = _unless_faulty(partial(_own, reader, rows)) if shared else None
        if shared is not None and own is not None:
            made[reader.number] = Parts(rows.table.version, shared, own)
    return Made(rows.table.version, made, frozenset(hidden))


def _unless_faulty(make: Callable[[], T]) -> T | None:
    """The result of a function, or None if it fails."""
    try:
        return make()
    except SynchronousOnlyOperation:
        raise
    except Exception:
        log.exception("a part of a table could not be made")
        return None


def _newest(wanted: Wanted) -> Rows:
    """The rows of this process's copy, which is brought up to date if it is too old.

    Between two hands the seats are read again: which players the next hand waits for depends on who
    is there, and that makes no version.
    """
    copy = TABLE_CACHE.known(wanted.table_id)
    is_old = copy is None or copy.version < wanted.version
    if copy is None or is_old:
        copy = TABLE_CACHE.newest(wanted.table_id)
    table = copy.own_table()
    if is_old or table.hand_id is not None:
        return Rows(table, copy.own_seats(table))
    return Rows(table, seats_at(table))


def _may_watch(audience: Audience, rows: Rows) -> bool:
    return may_watch(audience.viewer, rows.table, audience.invitation, rows.seats)


def _public(name: str, language: str, rows: Rows) -> Part:
    """The public part, which all streams of this version and language share."""
    return version_of(*rows).once(
        ("streamed", name, language),
        lambda: Part(RENDERINGS[name].public(*rows, language)),
    )


def _is_seated(viewer: Viewer, seats: Sequence[Seat]) -> bool:
    return viewer.is_authenticated and has_seat(viewer, seats)


def _own(reader: Reader, rows: Rows) -> Part:
    name, language, viewer, _invitation = reader.audience
    rendering = RENDERINGS[name]
    if _is_seated(viewer, rows.seats):
        return Part(rendering.own(viewer, *rows, timezone.now(), language))
    if not viewer.is_authenticated:
        # Strangers share one part, so that its differences are worked out once, too.
        return version_of(*rows).once(
            ("without a seat", name, language),
            lambda: Part(
                rendering.without_seat(viewer, *rows, language, NOTHING).pieces, is_shared=True
            ),
        )
    sent = Own(reader.own.pieces, reader.own.made_of)
    return Part(*rendering.without_seat(viewer, *rows, language, sent), is_shared=True)


# The piece with the form to sit down, and its inputs except the viewer.
SEAT_PIECE: Final = "my-seat"
SEAT: Final = attrgetter("number", "player_id", "reserved_for_id", "leaves")
# The page renews the heading of an organiser by itself: the frame has its place alone.
HEADING: Final = Markup('<aside id="event-heading" data-same></aside>')


class StreamHtml:
    """The rendering `html`."""

    def public(self, table: Table, seats: Sequence[Seat], language: str) -> Pieces:
        with translation.override(language):
            return {key: piece.sent for key, piece in shared_pieces(table, seats).items()}

    def own(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
    ) -> Pieces:
        with translation.override(language):
            shared = shared_pieces(table, seats)
            return board_for(viewer, table, seats, now, shared=shared).sent

    def without_seat(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], language: str, sent: Own
    ) -> Own:
        """Strangers share one part; others have a form to sit down, made where seats changed."""
        with translation.override(language):
            pieces = version_of(table, seats).once(
                ("html of a stranger", language),
                lambda: self.own(AnonymousUser(), table, seats, timezone.now(), language),
            )
            if not viewer.is_authenticated:
                return Own(pieces)
            made_of = table.status, tuple(map(SEAT, seats))
            form = sent.pieces.get(SEAT_PIECE) if sent.made_of == made_of else None
            if form is None:
                made = board_for(viewer, table, seats, timezone.now(), "my_seat.html")
                form = made.sent[SEAT_PIECE]
        return Own({**pieces, SEAT_PIECE: form}, made_of)


def shared_pieces(table: Table, seats: Sequence[Seat]) -> Mapping[str, Piece]:
    """The pieces that all boards share, in the active language: made once, of a stranger's view."""

    def make() -> Mapping[str, Piece]:
        now = timezone.now()
        board = board_for(AnonymousUser(), table, seats, now, shared=None)
        return {key: board.made[key] for key in board.made if key in board.alike}

    return version_of(table, seats).once(("shared pieces", translation.get_language()), make)


def board_for(
    viewer: Viewer,
    table: Table,
    seats: Sequence[Seat],
    now: datetime,
    template: str = "board.html",
    shared: Mapping[str, Piece] | None = NO_PIECES,
) -> Apart:
    """A viewer's board, of which the shared pieces are not made again; None makes these alone."""
    # Offline players are announced separately, because they make no version.
    snapshot = table_view(viewer, table, now, seats, all_present(seats))
    heading = "" if format_of(table).heading_version() is None else HEADING
    facts: dict[str, Any] = {
        **board_facts(viewer, snapshot, now),
        "heading": heading,
        "now": None,
    }
    version = version_of(table, seats)
    whose = template, viewer.pk, translation.get_language(), shared is None
    made = assembled(template, facts, shared, version.before.get(whose, NO_RECORDS))
    version.boards[whose] = made.records
    return made
