"""The entries of one account, a page at a time, newest first."""

from datetime import date
from typing import Final, NamedTuple

from wallets.models import Account, Entry
from wallets.values.days import ONE_DAY, start_of

PAGE: Final = 50


class Statement(NamedTuple):
    """Entries with their transactions; `before` requests the next page and is None on the last."""

    entries: list[Entry]
    before: int | None


class StatementFilters(NamedTuple):
    """A filter for entries: by kind of posting, and by days of the house."""

    kind: str = ""
    first_day: date | None = None
    last_day: date | None = None


def statement(
    account: Account,
    before: int | None = None,
    limit: int = PAGE,
    filters: StatementFilters = StatementFilters(),  # noqa: B008 - it is frozen
) -> Statement:
    """Return the entries older than a given one, so that new postings do not shift the pages."""
    entries = Entry.objects.filter(account=account).select_related("transaction").order_by("-pk")
    if before is not None:
        entries = entries.filter(pk__lt=before)
    if filters.kind:
        entries = entries.filter(transaction__kind=filters.kind)
    if filters.first_day:
        entries = entries.filter(transaction__time__gte=start_of(filters.first_day))
    if filters.last_day:
        end = start_of(filters.last_day + ONE_DAY)
        entries = entries.filter(transaction__time__lt=end)
    page = list(entries[: limit + 1])
    more = len(page) > limit
    return Statement(page[:limit], page[limit - 1].pk if more else None)
