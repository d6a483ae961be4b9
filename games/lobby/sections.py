"""Further sections of the lobby: what a package above the games lists beside the tables.

A package registers a section when the site starts. Lobby and front page show it above the tables,
and are renewed by the lobby's stream when it changes.
"""

from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol

from wallets.player import Viewer


class Section(Protocol):
    """One section: its templates, and what they show."""

    # The section itself gets `content`; the head names its styles and scripts.
    template: str
    head: str

    def content(self, viewer: Viewer, now: datetime) -> object:
        """Return what the reader is shown, as values whose `repr` says all; falsy for nothing."""
        ...

    def state(self) -> object:
        """Return what changes for all readers, in a query or two: the lobby's stream asks often."""
        ...


class Shown(NamedTuple):
    """A section for one reader."""

    template: str
    content: Any


_SECTIONS: Final[list[Section]] = []


def register(section: Section) -> None:
    _SECTIONS.append(section)


def shown(viewer: Viewer, now: datetime) -> list[Shown]:
    """The sections that have anything to show to this reader."""
    found = [Shown(one.template, one.content(viewer, now)) for one in _SECTIONS]
    return [one for one in found if one.content]


def heads() -> list[str]:
    """The templates with styles and scripts of all sections."""
    return [one.head for one in _SECTIONS]


def states() -> list[object]:
    return [one.state() for one in _SECTIONS]
