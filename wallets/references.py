"""The pages behind the references of postings: other packages register them, not the ledger.

A package registers a function for the first word of its references, such as `hand` of `hand:12`.
The function receives all references of a page at once, and returns links for those that it knows. A
package also registers a check for kinds of postings that must belong to something of its own, such
as a hand.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple
from uuid import UUID


class Link(NamedTuple):
    """The address that a reference leads to, and the text of the link."""

    address: str
    words: str


Finder = Callable[[list[str]], dict[str, Link]]
_finders: dict[str, Finder] = {}

# Takes postings as key, kind and reference; returns the keys of those that belong to nothing.
Check = Callable[[Iterable[tuple[UUID, str, str]]], list[UUID]]
_checks: dict[str, Check] = {}


def register(kind: str, finder: Finder) -> None:
    _finders[kind] = finder


def register_check(kind: str, check: Check) -> None:
    _checks[kind] = check


def astray(postings: Iterable[tuple[UUID, str, str]]) -> set[UUID]:
    """Return the keys of the postings that should belong to something and do not."""
    by_kind: dict[str, list[tuple[UUID, str, str]]] = {}
    for posting in postings:
        if posting[1] in _checks:
            by_kind.setdefault(posting[1], []).append(posting)
    return {key for kind, some in by_kind.items() for key in _checks[kind](some)}


def links(references: Iterable[str]) -> dict[str, Link]:
    """Return the links of the references that lead somewhere."""
    by_kind: dict[str, list[str]] = {}
    for reference in sorted(set(references)):
        by_kind.setdefault(reference.partition(":")[0], []).append(reference)
    found: dict[str, Link] = {}
    for kind, some in by_kind.items():
        if kind in _finders:
            found |= _finders[kind](some)
    return found
