"""Entries of the public chain: those that concern a shoe, and that of one hand, as a file.

The chain only grows and has no index by hand. Its numbers follow its times, so two binary
searches bound the entries to look at.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _n

from games.models import ChainEntry, Hand, Shoe
from games.records.reversals import KIND as TAKEN_BACK
from games.rules.shoe import CHAIN_START
from games.shoes import chain
from wallets.values.errors import Hidden

FORMAT: Final = "chain-entry/1"
# Entries carry the time at which their transaction began; their numbers come as they are written.
SLACK: Final = timedelta(minutes=1)
# The database cannot store numbers with more digits.
CODE: Final = re.compile(r"T([0-9]{1,18})-H([0-9]{1,18})")


def entries_of(shoe: Shoe, until: datetime | None) -> Iterator[ChainEntry]:
    """The linked entries of the public chain that concern a shoe, in their order."""
    found = _between(shoe.sealed_at, until).filter(body__shoe=shoe.pk)
    yield from found.exclude(position=None).order_by("position")


def entry_file(code: str) -> dict[str, object]:
    """A hand's entry in the chain, with all that is needed to hash it; it is public.

    A reversed hand has a second entry, as `taken_back` in the first.
    """
    hand = _hand(code)
    if not hand.was_paid or hand.ended_at is None:
        raise Hidden("not_in_chain", _n("The public chain holds no result of this hand."))
    end = _linked(hand, "hand", hand.ended_at)
    if hand.reversed_at is not None:
        end["taken_back"] = _linked(hand, TAKEN_BACK, hand.reversed_at)
    return {"format": FORMAT, **end}


def _hand(code: str) -> Hand:
    read = CODE.fullmatch(code)
    if read:
        table, number = map(int, read.groups())
        hand = Hand.objects.filter(table=table, number=number).first()
        if hand is not None and hand.code == code:
            return hand
    raise Hidden("no_such_hand", _n("There is no such hand."))


def _linked(hand: Hand, kind: str, at: datetime) -> dict[str, object]:
    entries = _between(at, at).filter(kind=kind, body__hand=hand.code).exclude(position=None)
    entry = entries.order_by("position").first()
    if entry is None or entry.position is None:
        raise Hidden(
            "not_linked_yet", _n("The result will appear in the public chain within a minute.")
        )
    return linked([entry])[0]


def linked(entries: Sequence[ChainEntry]) -> list[dict[str, object]]:
    """Linked entries, each with its head and the one before it, as hashing them needs."""
    places = [entry.position - 1 for entry in entries if entry.position]
    before = dict(ChainEntry.objects.filter(position__in=places).values_list("position", "head"))
    return [
        {
            "position": entry.position,
            "head": entry.head,
            "previous": before.get((entry.position or 0) - 1, CHAIN_START.hex()),
            "entry": chain.published_entry(entry),
        }
        for entry in entries
    ]


def entry_files(hands: Sequence[Hand]) -> dict[str, dict[str, object]]:
    """The same as `entry_file` for many hands, by their codes, without those not linked yet."""
    wanted = {hand.code for hand in hands}
    reversed_too = {hand.code for hand in hands if hand.reversed_at is not None}
    entries = ChainEntry.objects.filter(
        shoe__in={hand.shoe_id for hand in hands}, kind__in=("hand", TAKEN_BACK)
    ).exclude(position=None)
    rows = [one for one in entries.order_by("position") if one.body.get("hand") in wanted]
    ends: dict[str, dict[str, object]] = {}
    for row, link in zip(rows, linked(rows), strict=True):
        code = row.body["hand"]
        if row.kind == "hand":
            ends.setdefault(code, {"format": FORMAT, **link})
        elif code in ends and code in reversed_too:
            ends[code].setdefault("taken_back", link)
    return {
        code: end for code, end in ends.items() if ("taken_back" in end) == (code in reversed_too)
    }


def _between(since: datetime, until: datetime | None) -> QuerySet[ChainEntry]:
    """All entries that may have been made between two times, and few others."""
    last = ChainEntry.objects.order_by("-pk").first()
    if last is None:
        return ChainEntry.objects.none()

    def made_at(number: int) -> datetime:
        following = ChainEntry.objects.filter(pk__gte=number).order_by("pk")
        return following.values_list("made_at", flat=True)[0]

    numbers = range(last.pk + 1)
    found = ChainEntry.objects.filter(pk__gte=bisect_left(numbers, since - SLACK, key=made_at))
    if until is not None:
        found = found.filter(pk__lt=bisect_left(numbers, until + SLACK, key=made_at))
    return found
