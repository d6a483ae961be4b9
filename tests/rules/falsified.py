"""Honest records, and files with one value falsified."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from games.rules.cards import composition
from tests.rules.proved import AUDITOR, Record, record
from tests.rules.verdicts import holds

GOOD: dict[str, Record] = {
    "one deck": record(composition()),
    "the first version": record(version=1),
    "jokers": record(composition(jokers=True), labels={"wild": 51}),
    "eight decks": record(composition(8), first=300, round_number=40),
    "last round": record(round_number=256),
    "no draws": record(labels={}),
    "draws left empty": record(labels={}, digested=False)
    | {"context": {"wild": None, "wheel": None}},
    "a viewer": record(first=5, hidden=(0, 1, 2, 11)),
    "a viewer of nothing": record(hidden=tuple(range(12))),
    "an auditor": record(reader=AUDITOR),
    "an older hand": record(digested=False),
}
TAKEN_BACK = {**GOOD["one deck"], "void": "operator: a spilt drink"}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to everything within."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in parts:
        yield (*path, name)
        if isinstance(part, dict | list):
            yield from places(part, (*path, name))


def another(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        if value in ("player", "timeout", "bot", "house"):
            return "bot" if value == "player" else "player"
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    return "2c" if value is None else None


def falsified(file: Record) -> Iterator[tuple[str, Record]]:
    """A file with each of its values changed, deleted, given twice, or exchanged with the next."""
    for path in places(file):
        for kind in ("changed", "deleted", "doubled", "exchanged"):
            copy = deepcopy(file)
            inner: Any = copy
            for part in path[:-1]:
                inner = inner[part]
            last = path[-1]
            if kind == "changed":
                inner[last] = another(inner[last])
            elif kind == "deleted":
                del inner[last]
            elif isinstance(inner, dict):
                continue
            elif kind == "doubled":
                inner.insert(last, inner[last])
            elif last + 1 < len(inner) and inner[last] != inner[last + 1]:
                inner[last], inner[last + 1] = inner[last + 1], inner[last]
            else:
                continue
            yield f"{'.'.join(map(str, path))} {kind}", copy


def unnoticed(tmp_path: Path, changes: Iterable[tuple[str, Record]], *beside: Record) -> set[str]:
    return {what for what, altered in changes if holds(tmp_path, altered, *beside)}


def says_the_same(what: str) -> bool:
    """Draws and openings name what they are of: neither their order nor a second one says more.

    A record may leave its format out.
    """
    place, kind = what.split()
    named = place.rpartition(".")[0] in ("shoe.draws", "shoe.openings")
    return (named and kind in ("doubled", "exchanged")) or what == "format deleted"
