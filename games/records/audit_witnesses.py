"""What outside witnesses have signed, against the anchors: each signature, their order, no gap."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import groupby
from typing import Final

from django.utils import timezone

from games.models import Anchor, WitnessedAnchor
from games.shoes import anchors, witnesses
from wallets.storage.signing import canonical, is_signed

# An anchor that a witness has not signed after this time is missing.
LATE: Final = timedelta(minutes=30)


def findings(hashes: Mapping[int, str]) -> Iterator[str]:
    """All differences; `hashes` are those of the lines in the file, by number of the anchor."""
    rows = WitnessedAnchor.objects.select_related("anchor").order_by("witness", "place")
    signed: dict[str, set[int]] = {one.key: set() for one in witnesses.configured()}
    for key, group in groupby(rows.iterator(chunk_size=1_000), lambda row: row.witness):
        yield from _line(key, group, hashes, signed.setdefault(key, set()))
    old = Anchor.objects.filter(made_at__lt=timezone.now() - LATE).order_by("number")
    numbers = list(old.values_list("number", flat=True))
    for one in witnesses.configured():
        first = min(signed[one.key], default=numbers[-1] if numbers else 0)
        missing = [
            number for number in numbers if number >= first and number not in signed[one.key]
        ]
        if missing:
            yield f"witness {one.key[:8]} has not signed anchor {missing[0]}"


def _line(
    key: str, rows: Iterator[WitnessedAnchor], hashes: Mapping[int, str], numbers: set[int]
) -> Iterator[str]:
    """The signatures of one witness: valid, of these anchors, and each after the one before."""
    place, previous = 0, anchors.NO_ANCHOR
    for row in rows:
        place, number = place + 1, row.anchor.number
        what = f"witness {key[:8]}, place {row.place}"
        try:
            said = json.loads(row.statement)
            good = is_signed(witnesses.KIND, said, row.signature, key)
        except (ValueError, TypeError, AttributeError):
            good = False
        if not good or canonical(said).decode() != row.statement:
            yield f"{what}: it has not signed this"
            previous = ""
            continue
        numbers.add(number)
        if (row.place, said["place"]) != (place, place) or said["previous"] != previous:
            yield f"{what}: this is not what it signed after the one before"
            place = row.place
        if (said["number"], said["anchor"]) != (number, hashes.get(number)):
            yield f"{what}: it has signed another anchor {said['number']}"
        previous = anchors.hash_of(row.statement)
