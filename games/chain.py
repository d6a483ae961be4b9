"""The public chain: seals, locks, reveals and results in one line of hashes.

Tables write their entries without waiting for one another. One linker puts them in line soon after:
each head is the hash of the head before it and the entry, so that nothing published before a head
that somebody has seen can be changed unnoticed.
"""

import json
from collections.abc import Iterator

from django.db import transaction

from games.models import ChainEntry
from games.rules.shoe import CHAIN_START, chain_on, from_hex

# So many entries are linked in one transaction.
LINKS_MAX = 500
# So many entries are told at once.
TOLD_MAX = 10_000
# So many of the newest are shown.
SHOWN = 20


def link() -> int:
    """Put waiting entries in line, and say how many; two who link at once do it once."""
    with transaction.atomic():
        # The last link is held: a second linker waits here, and then finds nothing left to do.
        linked = ChainEntry.objects.select_for_update().exclude(position=None)
        last = linked.order_by("-position").first()
        position = last.position + 1 if last and last.position is not None else 0
        head = from_hex(last.head) if last else CHAIN_START
        waiting = list(ChainEntry.objects.filter(position=None).order_by("pk")[:LINKS_MAX])
        for entry in waiting:
            head = chain_on(head, told(entry))
            entry.position, entry.head = position, head.hex()
            position += 1
        ChainEntry.objects.bulk_update(waiting, ["position", "head"])
        return len(waiting)


def told(entry: ChainEntry) -> dict[str, object]:
    """An entry as it is hashed, and as it is published."""
    return {"kind": entry.kind, "at": entry.made_at.isoformat(), "body": entry.body}


def latest() -> list[ChainEntry]:
    """The newest entries of the chain, whose heads anybody may write down."""
    return list(ChainEntry.objects.exclude(position=None).order_by("-position")[:SHOWN])


def lines(after: int) -> Iterator[str]:
    """The chain behind a position, an entry a line, as anybody can hash it; at most `TOLD_MAX`."""
    linked = ChainEntry.objects.filter(position__gt=after).order_by("position")[:TOLD_MAX]
    for entry in linked.iterator(chunk_size=1_000):
        place = {"position": entry.position, "head": entry.head}
        yield json.dumps(place | {"entry": told(entry)}, ensure_ascii=False) + "\n"


def ends_after(position: int) -> int | None:
    """Behind which position to go on after these lines; None where they are all there are."""
    last = position + TOLD_MAX
    return last if ChainEntry.objects.filter(position__gt=last).exists() else None


def differences() -> list[str]:
    """Where the chain does not hold, from its beginning."""
    found, head, position = [], CHAIN_START, 0
    linked = ChainEntry.objects.exclude(position=None).order_by("position")
    for entry in linked.iterator(chunk_size=1_000):
        head = chain_on(head, told(entry))
        if entry.position != position or entry.head != head.hex():
            found.append(f"entry {entry.pk} does not follow the one before it")
            head = from_hex(entry.head)
            position = entry.position or position
        position += 1
    return found
