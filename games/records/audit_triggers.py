"""The triggers of mystery prizes against the public chain.

Each trigger is committed once there, before anybody plays for it, and opened once. So the house
cannot draw a trigger again while it is closed, not even by its own functions.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from games.models import ChainEntry
from games.tables.jackpots import COMMITTED, OPENED, trigger_id
from wallets.models import Trigger


def findings() -> Iterator[str]:
    """What is wrong with the triggers since the first one that the chain has."""
    entries = ChainEntry.objects.filter(kind=COMMITTED).order_by("pk")
    first = entries.first()
    committed: dict[str, list[Any]] = {}
    for entry in entries:
        committed.setdefault(entry.body["trigger"], []).append(entry.body["published"])
    opened = {
        entry.body["trigger"]: entry.body["text"]
        for entry in ChainEntry.objects.filter(kind=OPENED)
    }
    there = set()
    for row in Trigger.objects.order_by("pk"):
        name = trigger_id(row.jackpot_id, row.number)
        there.add(name)
        published = committed.get(name, [])
        older = first is None or row.committed_at < first.made_at
        if published != [row.published] and (published or not older):
            yield f"trigger {name} is not the one that the public chain has"
        if row.opened_at and not _opens(row, opened.get(name)) and published:
            yield f"trigger {name} was opened, and the public chain does not say so"
        if row.opened_at is None and name in opened:
            yield f"trigger {name} is closed, and the public chain says that it was opened"
    for name in committed.keys() - there:
        yield f"trigger {name} is in the public chain, and there is none"


def _opens(row: Trigger, text: str | None) -> bool:
    """Whether the opened text is the one in the chain, and that whose hash was published."""
    return text == row.opened and sha256(row.opened.encode()).hexdigest() == row.published
