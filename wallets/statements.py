"""What has happened to one account, a page at a time, the newest first."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from wallets.models import Account, Entry

PAGE: Final = 50


class Statement(NamedTuple):
    """Entries with their transactions; `before` asks for the next page, none where this is last."""

    entries: list[Entry]
    before: int | None


class Narrowed(NamedTuple):
    """Which entries are asked for: of one kind of posting, of some days (UTC)."""

    kind: str = ""
    first_day: date | None = None
    last_day: date | None = None


def statement(
    account: Account,
    before: int | None = None,
    limit: int = PAGE,
    asked: Narrowed = Narrowed(),  # noqa: B008 - it is frozen
) -> Statement:
    """The entries older than one of them: what is posted meanwhile shifts no page."""
    entries = Entry.objects.filter(account=account).select_related("transaction").order_by("-pk")
    if before is not None:
        entries = entries.filter(pk__lt=before)
    if asked.kind:
        entries = entries.filter(transaction__kind=asked.kind)
    if asked.first_day:
        entries = entries.filter(transaction__time__gte=_start_of(asked.first_day))
    if asked.last_day:
        end = _start_of(asked.last_day) + timedelta(days=1)
        entries = entries.filter(transaction__time__lt=end)
    page = list(entries[: limit + 1])
    more = len(page) > limit
    return Statement(page[:limit], page[limit - 1].pk if more else None)


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
