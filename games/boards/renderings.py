"""Renderings: the forms in which a stream carries a table, such as JSON for programs.

A rendering is registered under a name when the site starts, and a stream opened with `?as=<name>`
carries it. It has two parts, each of named pieces, so that only those that changed need to be sent.
The public part is made once a version and language for all streams of a process, and is given no
viewer, so it cannot depend on one. The own part is made for one viewer with a seat. A rendering may
have one for viewers without a seat, and says how much of that they can share.
"""

from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from games.models import Seat, Table
from wallets.values.player import Viewer
from wallets.values.registry import Registry

# By name; each value is JSON.
Pieces = Mapping[str, bytes]


class Own(NamedTuple):
    """An own part, and what it is made of that need not be made again where that is equal."""

    pieces: Pieces
    made_of: Hashable = None


NOTHING: Final = Own({})


class Rendering(Protocol):
    """One form of a table; both parts are made of the same rows."""

    def public(self, table: Table, seats: Sequence[Seat], language: str) -> Pieces:
        """The part for all who may watch the table."""
        ...

    def own(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
    ) -> Pieces:
        """The part for this viewer alone, who has a seat or a reservation."""
        ...

    def without_seat(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], language: str, sent: Own
    ) -> Own:
        """The own part of a viewer without a seat, whose stream was last sent another one.

        Strangers share theirs.
        """
        ...


RENDERINGS: Final = Registry[Rendering]("rendering of tables")
