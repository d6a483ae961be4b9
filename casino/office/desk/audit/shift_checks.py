"""Check shifts and counts: by the journal, and by what the ledger had in the till."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from casino.office.desk.audit.postings import AT_ONCE, Kind, is_apart
from casino.office.desk.models import Count, Receipt, Shift
from casino.office.desk.shifts import CLOSE, COUNTED, OPEN
from wallets.models import Entry
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry

# A count and a payment at the same time: either may have been first.
NEAR: Final = timedelta(minutes=1)
_VERBS: Final = {Count.Kind.OPENING: OPEN, Count.Kind.BETWEEN: COUNTED, Count.Kind.CLOSING: CLOSE}


class _Event(NamedTuple):
    """An entry of the journal about a shift."""

    actor: str
    at: datetime
    counted: dict[str, Any]


def shifts() -> Iterator[str]:
    """Shifts and their counts, each of which the journal has."""
    entries: dict[tuple[str, str], list[_Event]] = defaultdict(list)
    written = JournalEntry.objects.filter(verb__in=_VERBS.values()).order_by("position")
    columns = written.values_list("verb", "subject", "actor", "at", "after")
    for verb, subject, actor, at, after in columns:
        entries[subject, verb].append(_Event(actor, at, after.get("counted", {})))
    counts: dict[tuple[int, str], list[Count]] = defaultdict(list)
    for count in Count.objects.order_by("pk").iterator(chunk_size=AT_ONCE):
        counts[count.shift_id, count.kind].append(count)
    for shift in Shift.objects.order_by("pk").iterator(chunk_size=AT_ONCE):
        subject = shift.reference
        said = {verb: entries.pop((subject, verb), []) for verb in _VERBS.values()}
        for what in (*_times(shift, said), *_counted(shift, said, counts)):
            yield f"shift {shift.pk}: {what}"
    for subject, verb in entries:
        yield f"{subject}: the journal says {verb}, and there is no such shift"


def _times(shift: Shift, said: dict[str, list[_Event]]) -> Iterator[str]:
    opened, closed = said[OPEN], said[CLOSE]
    if [one.actor for one in opened] != [player_reference(shift.cashier_id)]:
        yield "by the journal its cashier did not open it, once"
    if len(closed) != (shift.closed_at is not None):
        yield "the journal and the shift differ about whether it is closed"
    for moment, events in ((shift.opened_at, opened), (shift.closed_at, closed)):
        if moment is not None and any(is_apart(moment, one.at) for one in events):
            yield f"{moment} is not when the journal says"


def _counted(
    shift: Shift, said: dict[str, list[_Event]], counts: dict[tuple[int, str], list[Count]]
) -> Iterator[str]:
    """The counts are those that the journal has."""
    for kind, verb in _VERBS.items():
        there: dict[UUID, dict[str, Any]] = defaultdict(dict)
        for one in counts[shift.pk, kind]:
            between = {"counted": one.counted, "variance": one.variance}
            there[one.key][one.currency_id] = one.counted if kind == Count.Kind.BETWEEN else between
            if kind == Count.Kind.OPENING and (one.key, one.at) != (shift.key, shift.opened_at):
                yield f"count {one.pk} did not open it"
            if kind == Count.Kind.CLOSING and shift.closed_at != max(one.at, shift.opened_at):
                yield f"count {one.pk} did not close it"
            if not shift.opened_at <= max(one.at, shift.opened_at) <= (shift.closed_at or one.at):
                yield f"count {one.pk} was made outside of it"
        # A till without cash is opened and closed without a count.
        if list(there.values()) != [one.counted for one in said[verb] if one.counted]:
            yield f"its counts ({kind}) are not those of the journal"


def counts() -> Iterator[str]:
    """Counts that expected something else than the ledger had, and variances without a count."""
    held = {key: _Held(*lines) for key, lines in _lines().items()}
    due: dict[UUID, tuple[int, int]] = {}
    rows = Count.objects.select_related("shift__till").order_by("pk")
    for count in rows.iterator(chunk_size=AT_ONCE):
        there = held.get((count.shift.till.reference, count.currency_id), NOTHING)
        if count.expected not in there.about(count.at):
            yield f"count {count.pk}: the till did not hold {count.expected}"
        if count.pieces and sum(int(each) * n for each, n in count.pieces.items()) != count.counted:
            yield f"count {count.pk}: the notes and coins come to another sum"
        if count.variance and count.kind != Count.Kind.BETWEEN:
            due[uuid5(count.key, count.currency_id)] = (count.shift_id, count.variance)
    found = Receipt.objects.filter(kind=Receipt.Kind.VARIANCE)
    posted = {key: (shift, amount) for key, shift, amount in
              found.values_list("key", "shift", "amount")}  # fmt: skip
    for key in due.keys() ^ posted.keys():
        yield f"variance {key} is of no count, or was not posted"
    for key in due.keys() & posted.keys():
        if due[key] != posted[key]:
            yield f"variance {key} is not that of its count"


class _Held(NamedTuple):
    """What a till held in a currency from each moment on."""

    times: list[datetime]
    amounts: list[int]

    def about(self, at: datetime) -> list[int]:
        """The amounts in the till about then; a payment may have come before or after."""
        first, last = bisect_left(self.times, at - NEAR), bisect_right(self.times, at + NEAR)
        return [0, *self.amounts][first : last + 1]


NOTHING: Final = _Held([], [])


def _lines() -> dict[tuple[str, str], tuple[list[datetime], list[int]]]:
    """The amounts of each till and currency, by the times that the receipts say."""
    entries = Entry.objects.filter(account__kind=Kind.ISSUE, account__owner__startswith="till:")
    receipt = Receipt.objects.filter(key=OuterRef("transaction__key")).values("at")[:1]
    timed = entries.annotate(moment=Coalesce(Subquery(receipt), F("transaction__time")))
    times: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    amounts: dict[tuple[str, str], list[int]] = defaultdict(list)
    for owner, currency, moment, balance in (
        timed.order_by("pk")
        .values_list("account__owner", "account__currency", "moment", "balance_after")
        .iterator(chunk_size=AT_ONCE)
    ):
        times[owner, currency].append(moment)
        amounts[owner, currency].append(-balance)
    # Requests may wait for the till in another order than they came.
    return {key: (list(accumulate(some, max)), amounts[key]) for key, some in times.items()}


CHECKS = (shifts, counts)
