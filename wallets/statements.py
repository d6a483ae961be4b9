"""What has happened to one account, a page at a time, the newest first."""

from typing import Final, NamedTuple

from wallets.models import Account, Entry

PAGE: Final = 50


class Statement(NamedTuple):
    """Entries with their transactions; `before` asks for the next page, none where this is last."""

    entries: list[Entry]
    before: int | None


def statement(account: Account, before: int | None = None, limit: int = PAGE) -> Statement:
    """The entries older than one of them: what is posted meanwhile shifts no page."""
    entries = Entry.objects.filter(account=account).select_related("transaction").order_by("-pk")
    if before is not None:
        entries = entries.filter(pk__lt=before)
    page = list(entries[: limit + 1])
    more = len(page) > limit
    return Statement(page[:limit], page[limit - 1].pk if more else None)
