"""Renderings: the forms in which a stream carries a table, such as JSON for programs.

A rendering is registered under a name when the site starts, and a stream opened with `?as=<name>`
carries it. It has two parts, each of named pieces, so that only those that changed need to be sent.
The public part is made once a version and language for all streams of a process, and is given no
viewer, so it cannot depend on one. The own part is made for one viewer with a seat.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from games.models import Seat, Table
from wallets.player import Viewer

# By name; each value is JSON.
Pieces = Mapping[str, bytes]


class Rendering(Protocol):
    """One form of a table; both parts are made of the same rows."""

    def public(self, table: Table, seats: Sequence[Seat], language: str) -> Pieces:
        """The part for everybody who may watch the table."""
        ...

    def own(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
    ) -> Pieces:
        """The part for this viewer alone."""
        ...


_RENDERINGS: Final[dict[str, Rendering]] = {}


def register(name: str, rendering: Rendering) -> None:
    _RENDERINGS[name] = rendering


def is_registered(name: str) -> bool:
    return name in _RENDERINGS


def rendering_of(name: str) -> Rendering:
    return _RENDERINGS[name]
