"""The open streams of a process, each under every name by which news finds it.

A number is what is watched: a table, the lobby, or something with a source of its own. A text says
whose stream it is (`player:12`, `session:…`, `token:…`, or an address until its player is known),
or which heading its table has.
"""

from collections.abc import Iterator

from games.live.watcher import Watcher

Name = int | str


def player_name(player_id: int | None) -> str:
    return f"player:{player_id}"


def heading_name(key: int) -> str:
    """The name of what has versions of its own above a table, as a tournament has."""
    return f"heading:{key}"


class Watchers:
    """Finds streams by their names."""

    def __init__(self) -> None:
        self._under: dict[Name, set[Watcher]] = {}
        self._names: dict[Watcher, set[Name]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self._names))

    def add(self, name: Name, watcher: Watcher) -> int:
        """List a stream under a name, and return how many are listed there."""
        self._under.setdefault(name, set()).add(watcher)
        self._names.setdefault(watcher, set()).add(name)
        return len(self._under[name])

    def remove(self, watcher: Watcher, *names: Name) -> None:
        """Remove a stream from these names, or from all where none is given."""
        listed = self._names.get(watcher, set())
        for name in listed & set(names) if names else set(listed):
            listed.discard(name)
            self._under[name].discard(watcher)
            if not self._under[name]:
                del self._under[name]
        if not listed:
            self._names.pop(watcher, None)

    def under(self, name: Name) -> tuple[Watcher, ...]:
        return tuple(self._under.get(name, ()))

    def watched(self) -> tuple[int, ...]:
        return tuple(name for name in self._under if isinstance(name, int))
