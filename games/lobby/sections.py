"""Further sections of the lobby: what a package above the games lists besides the tables.

A package registers a section when the site starts. Lobby and front page show it above the tables,
and are renewed by the lobby's stream when it changes.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol

from games.models.combined import Read
from wallets.values.player import Viewer
from wallets.values.registry import Registry


class Section(Protocol):
    """One section: its template, and what that shows as `content`."""

    template: str
    # "next" among what the reader may do next, "side" beside the tables.
    place: str

    def reads(self, viewer: Viewer, now: datetime) -> Sequence[Read]:
        """Return what `content` asks in any case; it is read in one statement with other parts."""
        ...

    def content(self, viewer: Viewer, now: datetime) -> object:
        """Return what the reader is shown, as values whose `repr` says all; falsy for nothing."""
        ...

    def state(self) -> object:
        """Return what changes for all readers, in a query or two: the lobby's stream asks often."""
        ...


class Shown(NamedTuple):
    template: str
    place: str
    content: Any


SECTIONS: Final = Registry[Section]("section of the lobby")


def reads(viewer: Viewer, now: datetime) -> list[Read]:
    """What the sections ask of the database for this reader."""
    return [read for section in SECTIONS.values() for read in section.reads(viewer, now)]


def shown(viewer: Viewer, now: datetime) -> list[Shown]:
    """The sections that have anything to show to this reader."""
    showns = [
        Shown(section.template, section.place, section.content(viewer, now))
        for section in SECTIONS.values()
    ]
    return [section for section in showns if section.content]


def states() -> list[object]:
    return [section.state() for section in SECTIONS.values()]
