"""What the references of postings lead to: other rooms say it, as money does not know them.

A room registers a function for the first word of its references, such as `hand` of `hand:12`. It is
given all references of a page at once, and answers with links for those it knows.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Link(NamedTuple):
    """Where a reference leads, and in which words."""

    address: str
    words: str


Finder = Callable[[list[str]], dict[str, Link]]
_finders: dict[str, Finder] = {}


def register(kind: str, finder: Finder) -> None:
    _finders[kind] = finder


def links(references: Iterable[str]) -> dict[str, Link]:
    """The links of those references that lead somewhere."""
    by_kind: dict[str, list[str]] = {}
    for reference in sorted(set(references)):
        by_kind.setdefault(reference.partition(":")[0], []).append(reference)
    found: dict[str, Link] = {}
    for kind, some in by_kind.items():
        if kind in _finders:
            found |= _finders[kind](some)
    return found
