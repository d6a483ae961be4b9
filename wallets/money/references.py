"""The pages behind the references of postings: other packages register them, not the ledger.

A package registers a function for the first word of its references, such as `hand` of `hand:12`.
The function receives all references of a page at once, and returns links for those that it knows. A
package also registers a check for kinds of postings that must belong to one of its rows, such as a
hand.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple
from uuid import UUID

from wallets.values.registry import Registry


class Link(NamedTuple):
    """The address that a reference leads to, and the text of the link."""

    address: str
    words: str


Finder = Callable[[list[str]], dict[str, Link]]
FINDERS: Final = Registry[Finder]("finder of references")

# Takes postings as key, kind and reference; returns the keys of those that belong to nothing.
Check = Callable[[Iterable[tuple[UUID, str, str]]], list[UUID]]
CHECKS: Final = Registry[Check]("check of postings")


def astray(postings: Iterable[tuple[UUID, str, str]]) -> set[UUID]:
    """Return the keys of the postings that should belong to something and do not."""
    by_kind: dict[str, list[tuple[UUID, str, str]]] = {}
    for posting in postings:
        if posting[1] in CHECKS:
            by_kind.setdefault(posting[1], []).append(posting)
    return {key for kind, some in by_kind.items() for key in CHECKS[kind](some)}


def links(references: Iterable[str]) -> dict[str, Link]:
    """Return the links of the references that lead somewhere."""
    by_kind: dict[str, list[str]] = {}
    for reference in sorted(set(references)):
        by_kind.setdefault(reference.partition(":")[0], []).append(reference)
    links: dict[str, Link] = {}
    for kind, some in by_kind.items():
        if kind in FINDERS:
            links |= FINDERS[kind](some)
    return links
