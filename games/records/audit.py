"""The audit of hands: some hundred at a time, each shoe proved once for all its hands.

During play, the audit may read one row just before a hand ends and its neighbour just after. So it
reads a hand with findings a second time before it reports them.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import QuerySet

from games.models import ChainEntry, Hand, Shoe
from games.records.audit_hand import Examined
from games.records.audit_rows import HAND, Known, Proved, chunks, gather, gather_shoes, in_words
from wallets.values.days import end_of, start_of

# How many hands are read at once, and how many proved shoes are remembered for their other hands.
HANDS: Final = 300
SHOES: Final = 600


class Wrong(NamedTuple):
    """A hand and what is wrong with it; `hand` is None if its row cannot be read."""

    number: int
    hand: Hand | None
    findings: list[str]


class Auditor:
    """One run of the audit, with what it has read and proved already."""

    def __init__(self) -> None:
        self._known = Known()
        self._proved: OrderedDict[str, Proved] = OrderedDict()
        self._wrong_shoes: dict[str, None] = {}
        self._since = first_digest()

    def hands(self, numbers: Iterable[int]) -> Iterator[Wrong]:
        """The findings about each of these hands, in their order."""
        for some in chunks(numbers, HANDS):
            for number, (hand, findings) in zip(some, self._examined(some), strict=True):
                yield self._again(number, hand) if findings else Wrong(number, hand, findings)

    def _again(self, number: int, hand: Hand | None) -> Wrong:
        """Read a hand and its shoe a second time, and examine them again."""
        if hand is not None:
            self._proved.pop(hand.shoe_id, None)
        return Wrong(number, *self._examined([number])[0])

    def shoes(self) -> Iterator[tuple[str, list[str]]]:
        """The findings about shoes that were read since the last call."""
        while self._wrong_shoes:
            code, _ = self._wrong_shoes.popitem()
            self._proved.pop(code, None)
            proved = self._prove_all([code])[code]
            self._wrong_shoes.pop(code, None)
            if proved.findings:
                yield code, proved.findings

    def other_shoes(self, day: date | None = None) -> Iterator[tuple[str, list[str]]]:
        """The findings about shoes from which no hand was played; of one day, if it is given."""
        others = Shoe.objects.filter(hands=None).order_by("pk")
        if day is not None:
            others = others.filter(sealed_at__gte=start_of(day), sealed_at__lt=end_of(day))
        for some in chunks(list(others.values_list("pk", flat=True)), HANDS):
            self._prove_all(some)
            yield from self.shoes()

    def _examined(self, numbers: Sequence[int]) -> list[tuple[Hand | None, list[str]]]:
        """Examine a batch of hands, or each by itself if one of their rows cannot be read."""
        try:
            hands = Hand.objects.in_bulk(numbers)
            materials = gather(list(hands.values()), self._known)
        except Exception as fault:
            if len(numbers) > 1:
                return [result for number in numbers for result in self._examined([number])]
            return [(None, [f"it cannot be read: {in_words(fault)}"])]
        proved = self._prove_all([hand.shoe_id for hand in hands.values()])
        findings = {
            material.hand.pk: list(
                Examined(
                    material, proved[material.hand.shoe_id], self._known, self._since
                ).findings()
            )
            for material in materials
        }
        # If a hand has been deleted since its number was read, the count of its table reports it.
        return [(hands.get(number), findings.get(number, [])) for number in numbers]

    def _prove_all(self, codes: Sequence[str]) -> dict[str, Proved]:
        """The proved shoes by their codes; one unreadable shoe does not stop the others."""
        lacking = list(dict.fromkeys(code for code in codes if code not in self._proved))
        for code, proved in self._read(lacking).items():
            self._proved[code] = proved
            if proved.findings:
                self._wrong_shoes[code] = None
        proveds = {code: self._proved[code] for code in codes}
        for code in proveds:
            self._proved.move_to_end(code)
        while len(self._proved) > SHOES:
            self._proved.popitem(last=False)
        return proveds

    def _read(self, codes: Sequence[str]) -> dict[str, Proved]:
        if not codes:
            return {}
        try:
            there = gather_shoes(codes)
        except Exception as fault:
            if len(codes) > 1:
                return {
                    shoe: proved for code in codes for shoe, proved in self._read([code]).items()
                }
            return {codes[0]: Proved(None, f"it cannot be read: {in_words(fault)}")}
        return {code: Proved(there.get(code)) for code in codes}


def first_digest() -> ChainEntry | None:
    """The first entry that has a digest of its hand; older entries have none."""
    entries = ChainEntry.objects.filter(kind=HAND, body__has_key="digest")
    return entries.order_by("pk").first()


def audit(hands: QuerySet[Hand, object]) -> Iterator[tuple[Hand | None, list[str]]]:
    """Each hand with its findings; those about a shoe come with the first hand played from it."""
    auditor = Auditor()
    for wrong in auditor.hands(hands.values_list("pk", flat=True)):
        of_shoes = [
            f"the shoe {code}: {sentence}"
            for code, findings in auditor.shoes()
            for sentence in findings
        ]
        yield wrong.hand, wrong.findings + of_shoes


def differences(hand: Hand) -> Iterator[str]:
    """All findings about one hand, as sentences."""
    for _hand, findings in audit(Hand.objects.filter(pk=hand.pk)):
        yield from findings
