"""The public chain: seals, locks, reveals and results in one line of hashes.

Tables write their entries without waiting for one another, and a linker puts them in order soon
after. Each head is the hash of the head before it and the entry, so a change of older entries is
noticed by all who have seen a later head.
"""

import json
from collections.abc import Callable, Container, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction

from games.models import ChainEntry, shoe_of
from games.models.prepared import Insert, UpdateRows
from games.rules.errors import Unreadable
from games.rules.shoe import CHAIN_START, chain_on, from_hex

# How many entries one transaction links.
LINKS_MAX = 500
# How many entries one download holds.
LINES_MAX = 10_000
# How many of the newest entries the page shows.
SHOWN = 20


INSERT_ENTRIES: Final = Insert(ChainEntry)
WRITE_LINKS: Final = UpdateRows(ChainEntry, ("position", "head", "shoe"))


def add(kind: str, body: dict[str, object], now: datetime) -> None:
    """Add an entry, which the linker soon puts in its place."""
    INSERT_ENTRIES([ChainEntry(kind=kind, body=body, made_at=now, shoe=shoe_of(body))])


def link() -> int:
    """Link waiting entries and return their number; a second linker waits for the first."""
    with transaction.atomic():
        # Every linker locks the first entry. The last one would not do: after the wait it may no
        # longer be the last, as the other linker has linked more.
        list(ChainEntry.objects.select_for_update().filter(position=0))
        last = ChainEntry.objects.exclude(position=None).order_by("-position").first()
        position = last.position + 1 if last and last.position is not None else 0
        head = from_hex(last.head) if last else CHAIN_START
        waiting = list(ChainEntry.objects.filter(position=None).order_by("pk")[:LINKS_MAX])
        for entry in waiting:
            head = chain_on(head, published_entry(entry))
            entry.position, entry.head = position, head.hex()
            entry.shoe = shoe_of(entry.body)
            position += 1
        WRITE_LINKS(waiting)
        return len(waiting)


def published_entry(entry: ChainEntry) -> dict[str, object]:
    return published_form(entry.kind, entry.made_at, entry.body)


def published_form(kind: str, made_at: datetime, body: object) -> dict[str, object]:
    return {"kind": kind, "at": made_at.isoformat(), "body": body}


def latest() -> list[ChainEntry]:
    """The newest entries of the chain, with their public heads."""
    return list(ChainEntry.objects.exclude(position=None).order_by("-position")[:SHOWN])


def lines(after: int) -> Iterator[str]:
    """The chain after a position, one entry a line, as it is hashed; at most `LINES_MAX` lines."""
    linked = ChainEntry.objects.filter(position__gt=after).order_by("position")[:LINES_MAX]
    for entry in linked.iterator(chunk_size=1_000):
        place = {"position": entry.position, "head": entry.head}
        yield json.dumps(place | {"entry": published_entry(entry)}, ensure_ascii=False) + "\n"


def ends_after(position: int) -> int | None:
    """The position after which the next lines begin; None if there are no more."""
    last = position + LINES_MAX
    return last if ChainEntry.objects.filter(position__gt=last).exists() else None


def end() -> tuple[int, str]:
    last = ChainEntry.objects.exclude(position=None).order_by("-position").first()
    if last is None or last.position is None:
        return -1, CHAIN_START.hex()
    return last.position, last.head


class Walk(NamedTuple):
    # A sentence for each broken link, with the time of its entry.
    broken: list[tuple[str, datetime]]
    # The heads at the wanted positions, up to the end of the chain.
    heads: dict[int, str]


def walk(
    wanted: Container[int] = (), progress: Callable[[int], object] = lambda done: None
) -> Walk:
    """Follow the chain from its beginning."""
    broken, heads, head, position = [], {}, CHAIN_START, 0
    linked = ChainEntry.objects.exclude(position=None).order_by("position")
    for entry in linked.iterator(chunk_size=1_000):
        head = chain_on(head, published_entry(entry))
        if entry.position != position or entry.head != head.hex():
            sentence = f"entry {entry.pk} does not follow the one before it"
            broken.append((sentence, entry.made_at))
            head = _claimed_head(entry, head)
            position = entry.position or position
        if entry.shoe != shoe_of(entry.body):
            broken.append((f"entry {entry.pk} is kept with another shoe", entry.made_at))
        if position in wanted:
            heads[position] = entry.head
        position += 1
        progress(position)
    return Walk(broken, heads)


def _claimed_head(entry: ChainEntry, computed: bytes) -> bytes:
    """The head that an entry claims, or the computed one if the claim is not a hash."""
    try:
        return from_hex(entry.head)
    except Unreadable:
        return computed


def differences() -> list[str]:
    """A sentence for each broken link of the chain, from its beginning."""
    return [sentence for sentence, _at in walk().broken]
