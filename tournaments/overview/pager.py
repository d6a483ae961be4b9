"""The page of a long list: which one is shown, and which are beside it."""

from typing import NamedTuple


class Pager(NamedTuple):
    """Pages count from 1."""

    page: int
    pages: int
    # How many lines a page has.
    size: int

    @property
    def start(self) -> int:
        """How many lines are on the pages before."""
        return (self.page - 1) * self.size

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


def pager(lines: int, size: int, page: int | None) -> Pager:
    """The page that was asked for, or else the nearest that there is."""
    pages = max(1, -(-lines // size))
    return Pager(min(max(1, page or 1), pages), pages, size)
