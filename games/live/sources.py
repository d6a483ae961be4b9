"""Streams besides those of tables and the lobby: events that a package above the games runs.

A package registers a source for its kind when the site starts. One hub and one channel carry the
versions of everything: what is no table is watched under a negative number.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from games.live import announcing
from wallets.values.player import Viewer
from wallets.values.registry import Registry


class Source(Protocol):
    """The answers about one kind of things that have versions."""

    def version_for(self, viewer: Viewer, number: int) -> int | None:
        """The version of a thing; None where the viewer may not watch it, or it does not exist."""
        ...

    def versions_of(self, numbers: Iterable[int]) -> Mapping[int, int]:
        """The versions of many things, in one query."""
        ...


# The names stand in addresses; how many kinds there can be is part of the numbers.
KINDS_MAX: Final = 8
PATH: Final = re.compile(r"/live/([a-z]+)/([1-9][0-9]{0,15})/")

# By the kind of things that a source answers for: `/live/<kind>/<number>/` is their stream.
SOURCES: Final = Registry[Source]("source of streams")


def stream_path(name: str, number: int) -> str:
    """Return the address where a browser listens for the versions of a thing."""
    return f"/live/{name}/{number}/"


def announce(name: str, number: int, version: int) -> None:
    """Announce the new version of a thing; call it after the commit. It never fails."""
    announcing.announce(key_of(name, number), version)


def key_of(name: str, number: int) -> int:
    """The number under which a thing is watched."""
    return -(number * KINDS_MAX + list(SOURCES).index(name))


def watched_at(path: str) -> int | None:
    """Return the number of the thing that an address listens to; None if there is none."""
    match = PATH.fullmatch(path)
    if match is None or match[1] not in SOURCES:
        return None
    return key_of(match[1], int(match[2]))


def version_for(viewer: Viewer, key: int) -> int | None:
    name, number = _named(key)
    return SOURCES[name].version_for(viewer, number)


def versions_of(keys: Iterable[int]) -> dict[int, int]:
    """The versions of things of all kinds, in one query for each kind."""
    wanted = defaultdict(list)
    for key in keys:
        name, number = _named(key)
        wanted[name].append(number)
    return {
        key_of(name, number): version
        for name, numbers in wanted.items()
        for number, version in SOURCES[name].versions_of(numbers).items()
    }


def _named(key: int) -> tuple[str, int]:
    number, kind = divmod(-key, KINDS_MAX)
    return list(SOURCES)[kind], number


NOBODY: Final = MappingProxyType[int, frozenset[int]]({})
NOWHERE: Final = frozenset[int]()


class HouseNews(NamedTuple):
    """Where players sit, what the jackpots show, and why the house opens no new hand."""

    # The tables of each player, and the players at each table.
    tables: Mapping[int, frozenset[int]] = NOBODY
    players: Mapping[int, frozenset[int]] = NOBODY
    # Amounts by jackpot, as JSON.
    pools: bytes = b"{}"
    # The code of the reason; empty while hands are opened.
    notice: str = ""

    def sits_of(self, player_id: int | None) -> frozenset[int]:
        return NOWHERE if player_id is None else self.tables.get(player_id, NOWHERE)

    def sitting_at(self, table_id: int) -> frozenset[int]:
        return self.players.get(table_id, NOWHERE)
