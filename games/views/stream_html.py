"""The HTML of a table in a stream: the pieces of its board, each named by the id of its element.

The public part has the frame and the pieces that all viewers see, as a stranger sees them. The own
part of a player has the others, and those of the first that differ for them: a page shows a piece
of the own part, and otherwise that of the public one.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone, translation
from markupsafe import Markup

from games.boards.pieces.assembly import NO_PIECES, NO_RECORDS, OWN, Apart, Piece, assembled
from games.boards.renderings import Own, Pieces
from games.boards.seat_view import all_present
from games.boards.table_version import version_of
from games.boards.table_view import table_view
from games.models import Seat, Table
from games.tables.formats import format_of
from games.views.board_facts import board_facts
from wallets.values.player import Viewer

# The piece with the form to sit down, and its inputs except the viewer.
SEAT_PIECE: Final = "my-seat"
SEAT: Final = attrgetter("number", "player_id", "reserved_for_id", "leaves")
# The page renews the heading of an organiser by itself: the frame has its place alone.
HEADING: Final = Markup('<aside id="event-heading" data-same></aside>')


class PublicBoard(NamedTuple):
    """A stranger's board at one version."""

    # The pieces that all boards share.
    shared: Mapping[str, Piece]
    # The public part, and the part of viewers without a seat.
    public: Pieces
    without_seat: Own


class StreamHtml:
    """The rendering `html`."""

    def public(self, table: Table, seats: Sequence[Seat], language: str) -> Pieces:
        with translation.override(language):
            return public_board(table, seats).public

    def own(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
    ) -> Pieces:
        with translation.override(language):
            board = public_board(table, seats)
            own = board_for(viewer, table, seats, now, shared=board.shared).sent
        return {key: piece for key, piece in own.items() if board.public.get(key) != piece}

    def without_seat(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], language: str, sent: Own
    ) -> Own:
        """Strangers share one part; others have a form to sit down, made where seats changed."""
        with translation.override(language):
            board = public_board(table, seats)
            if not viewer.is_authenticated:
                return board.without_seat
            made_of = table.status, tuple(map(SEAT, seats))
            form = sent.pieces.get(SEAT_PIECE) if sent.made_of == made_of else None
            if form is None:
                made = board_for(viewer, table, seats, timezone.now(), "my_seat.html")
                form = made.sent[SEAT_PIECE]
        return Own({**board.without_seat.pieces, SEAT_PIECE: form}, made_of)


def public_board(table: Table, seats: Sequence[Seat]) -> PublicBoard:
    """The board in the active language, made once for all streams and pages."""

    def make() -> PublicBoard:
        board = board_for(AnonymousUser(), table, seats, timezone.now())
        own = {key for key, piece in board.made.items() if piece.name in OWN}
        sent = board.sent
        return PublicBoard(
            {key: piece for key, piece in board.made.items() if key in board.alike},
            {key: piece for key, piece in sent.items() if key not in own},
            Own({key: sent[key] for key in own}),
        )

    return version_of(table, seats).once(("html", translation.get_language()), make)


def board_for(
    viewer: Viewer,
    table: Table,
    seats: Sequence[Seat],
    now: datetime,
    template: str = "board.html",
    shared: Mapping[str, Piece] = NO_PIECES,
) -> Apart:
    """A viewer's board, of which the shared pieces are not made again."""
    # Offline players are announced separately, because they make no version.
    snapshot = table_view(viewer, table, now, seats, all_present(seats))
    heading = "" if format_of(table).heading_version() is None else HEADING
    facts: dict[str, Any] = {
        **board_facts(viewer, snapshot, now),
        "heading": heading,
        "now": None,
    }
    version = version_of(table, seats)
    whose = template, viewer.pk, translation.get_language()
    made = assembled(template, facts, shared, version.before.get(whose, NO_RECORDS))
    version.boards[whose] = made.records
    return made
