"""The audit of the cash desk: every document has its posting, and every posting its document.

The findings are of one moment, so that the desk may go on working.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from casino.office.desk import receipt_audit
from casino.office.desk.models import Count, Receipt, Shift, WithdrawalRequest
from casino.office.desk.receipt_audit import AT_ONCE, Kind, Posting, Side, by_key, is_apart
from casino.office.desk.requests import release_key
from casino.office.desk.shifts import CLOSE, COUNTED, OPEN
from games.records.audit_house import unbroken
from games.records.audit_rows import chunks
from wallets.models import Entry, Transaction
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money.cashier import RELEASED, SET_ASIDE
from wallets.staff import approvals
from wallets.staff.cash_verbs import CashVerb, returned_key, set_aside_key
from wallets.storage.replica import snapshot

Status = WithdrawalRequest.Status
RETURNED: Final = (Status.REFUSED, Status.CANCELLED)


def requests() -> Iterator[str]:
    """Requests that say something else than the ledger."""
    rows = WithdrawalRequest.objects.select_related("receipt").order_by("pk")
    for some in chunks(rows.iterator(chunk_size=AT_ONCE), AT_ONCE):
        keys = {request.pk: (request.key, release_key(request)) for request in some}
        postings = by_key(key for pair in keys.values() for key in pair)
        for request in some:
            kept, returned = (postings.get(key) for key in keys[request.pk])
            for what in (*_kept(request, kept), *_ended(request, returned)):
                yield f"request {request.pk} for a withdrawal: {what}"


def _kept(request: WithdrawalRequest, posting: Posting | None) -> Iterator[str]:
    player = player_reference(request.player_id)
    due = _moved(player, request.currency_id, request.amount)
    if posting is None or (posting.kind, posting.actor) != (SET_ASIDE, player):
        yield "nothing was set aside by the player"
    elif posting.amounts != due:
        yield "something else was set aside"
    elif is_apart(request.made_at, posting.time):
        yield f"the money was set aside at {posting.time}"


def _ended(request: WithdrawalRequest, posting: Posting | None) -> Iterator[str]:
    if (posting is not None) != (request.status in RETURNED):
        yield f"it is {request.status}, and the money was {'' if posting else 'not '}returned"
    player = player_reference(request.player_id)
    if posting is not None:
        due = _moved(player, request.currency_id, -request.amount)
        if posting.kind != RELEASED or posting.amounts != due:
            yield "something else was returned"
        if (posting.actor == player) != (request.status == Status.CANCELLED):
            yield f"it is {request.status}, and the money was returned by {posting.actor}"
        if request.status == Status.REFUSED and posting.reason != request.words:
            yield "the player was told another reason"
    if (request.receipt is not None) != (request.status == Status.PAID):
        yield f"it is {request.status}, with{'' if request.receipt else 'out'} a receipt"
    elif request.receipt is not None and not _pays(request, request.receipt):
        yield f"receipt {request.receipt.number} pays something else"
    if (request.decided_at is None) != (request.status == Status.WAITING):
        yield f"it is {request.status}, and was decided at {request.decided_at}"
    decided = posting.time if posting else request.receipt.at if request.receipt else None
    if request.decided_at and decided and is_apart(request.decided_at, decided):
        yield f"it was decided at {decided}"


def _pays(request: WithdrawalRequest, receipt: Receipt) -> bool:
    """Whether a receipt is of the withdrawal that was asked for."""
    due = (Receipt.Kind.WITHDRAWAL, request.player_id, request.currency_id, -request.amount)
    return (receipt.kind, receipt.player_id, receipt.currency_id, receipt.amount) == due


def _moved(player: str, currency: str, amount: int) -> dict[Side, int]:
    """The amounts if so much was set aside, or returned if it is negative."""
    wallet = Side(Kind.PLAYER, player, currency)
    return {wallet: -amount, wallet._replace(kind=Kind.ESCROW): amount}


def _proposals() -> Iterator[Proposal]:
    """The proposals of verbs that pay out, for which money is set aside."""
    verbs = [
        name
        for name, verb in approvals.registered().items()
        if isinstance(verb, CashVerb) and verb.sets_aside
    ]
    proposals = Proposal.objects.filter(verb__in=verbs).order_by("pk")
    return proposals.iterator(chunk_size=AT_ONCE)


def proposals() -> Iterator[str]:
    """Proposals whose money is not set aside, paid or returned as their status says."""
    for some in chunks(_proposals(), AT_ONCE):
        keys = {
            proposal.pk: (set_aside_key(proposal.key), returned_key(proposal.key), proposal.key)
            for proposal in some
        }
        postings = by_key(key for three in keys.values() for key in three)
        for proposal in some:
            kept, returned, paid = (postings.get(key) for key in keys[proposal.pk])
            arguments = proposal.arguments
            what = (arguments["player"], arguments["currency"], arguments["amount"])
            if kept is None or kept.amounts != _moved(*what):
                yield f"proposal {proposal.pk}: something else was set aside"
            if (paid is not None) != (proposal.status == Proposal.Status.APPROVED):
                yield f"proposal {proposal.pk}: it is {proposal.status}, and its payment is not"
            closed = proposal.status in (Proposal.Status.REJECTED, Proposal.Status.EXPIRED)
            if (returned is not None) != closed:
                yield f"proposal {proposal.pk}: it is {proposal.status}, and its money is not"


def postings() -> Iterator[str]:
    """What was set aside or returned for nothing."""
    due = receipt_audit.documented()
    for request in WithdrawalRequest.objects.only("key").iterator(chunk_size=AT_ONCE):
        due |= {request.key: SET_ASIDE, release_key(request): RELEASED}
    for proposal in _proposals():
        due |= {set_aside_key(proposal.key): SET_ASIDE, returned_key(proposal.key): RELEASED}
    transactions = Transaction.objects.filter(kind__in=(SET_ASIDE, RELEASED)).order_by("pk")
    for key, kind in transactions.values_list("key", "kind").iterator(chunk_size=AT_ONCE):
        if due.get(key) != kind:
            yield f"posting {key} ({kind}) belongs to no request and no proposal"


SET_ASIDE_CHECKS = (requests, proposals, postings)


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
    if [event.actor for event in opened] != [player_reference(shift.cashier_id)]:
        yield "by the journal its cashier did not open it, once"
    if len(closed) != (shift.closed_at is not None):
        yield "the journal and the shift differ about whether it is closed"
    for moment, events in ((shift.opened_at, opened), (shift.closed_at, closed)):
        if moment is not None and any(is_apart(moment, event.at) for event in events):
            yield f"{moment} is not when the journal says"


def _counted(
    shift: Shift, said: dict[str, list[_Event]], counts: dict[tuple[int, str], list[Count]]
) -> Iterator[str]:
    """The counts are those that the journal has."""
    for kind, verb in _VERBS.items():
        there: dict[UUID, dict[str, Any]] = defaultdict(dict)
        for count in counts[shift.pk, kind]:
            between = {"counted": count.counted, "variance": count.variance}
            there[count.key][count.currency_id] = (
                count.counted if kind == Count.Kind.BETWEEN else between
            )
            if kind == Count.Kind.OPENING and (count.key, count.at) != (shift.key, shift.opened_at):
                yield f"count {count.pk} did not open it"
            if kind == Count.Kind.CLOSING and shift.closed_at != max(count.at, shift.opened_at):
                yield f"count {count.pk} did not close it"
            if (
                not shift.opened_at
                <= max(count.at, shift.opened_at)
                <= (shift.closed_at or count.at)
            ):
                yield f"count {count.pk} was made outside of it"
        # A till without cash is opened and closed without a count.
        if list(there.values()) != [event.counted for event in said[verb] if event.counted]:
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
    receipts = Receipt.objects.filter(kind=Receipt.Kind.VARIANCE)
    posted = {key: (shift, amount) for key, shift, amount in
              receipts.values_list("key", "shift", "amount")}  # fmt: skip
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


SHIFT_CHECKS = (shifts, counts)


CHECKS = (*receipt_audit.CHECKS, *SET_ASIDE_CHECKS, *SHIFT_CHECKS)


def findings(_since: date | None = None) -> Iterator[str]:
    """Everything that does not fit; older documents are compared each time, too."""
    with snapshot():
        findings = [sentence for check in CHECKS for sentence in unbroken(check)()]
    yield from findings
