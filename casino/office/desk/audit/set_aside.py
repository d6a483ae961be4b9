"""Check what is set aside for withdrawals: requests of players, and proposals that wait."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from casino.office.desk.audit.postings import AT_ONCE, Kind, Posting, Side, by_key, is_apart
from casino.office.desk.models import Receipt, WithdrawalRequest
from casino.office.desk.requests import release_key
from games.records.chunks import chunks
from wallets.models import Transaction
from wallets.models.holders import player_reference
from wallets.models.staff_models import Proposal
from wallets.money.cashier import RELEASED, SET_ASIDE
from wallets.staff import approvals
from wallets.staff.cash_verbs import CashVerb, returned_key, set_aside_key

Status = WithdrawalRequest.Status
RETURNED: Final = (Status.REFUSED, Status.CANCELLED)


def requests() -> Iterator[str]:
    """Requests that say something else than the ledger."""
    rows = WithdrawalRequest.objects.select_related("receipt").order_by("pk")
    for some in chunks(rows.iterator(chunk_size=AT_ONCE), AT_ONCE):
        keys = {one.pk: (one.key, release_key(one)) for one in some}
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
    found = Proposal.objects.filter(verb__in=verbs).order_by("pk")
    return found.iterator(chunk_size=AT_ONCE)


def proposals() -> Iterator[str]:
    """Proposals whose money is not set aside, paid or returned as their status says."""
    for some in chunks(_proposals(), AT_ONCE):
        keys = {one.pk: (set_aside_key(one.key), returned_key(one.key), one.key) for one in some}
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
    due: dict[UUID, str] = {}
    for request in WithdrawalRequest.objects.only("key").iterator(chunk_size=AT_ONCE):
        due |= {request.key: SET_ASIDE, release_key(request): RELEASED}
    for proposal in _proposals():
        due |= {set_aside_key(proposal.key): SET_ASIDE, returned_key(proposal.key): RELEASED}
    found = Transaction.objects.filter(kind__in=(SET_ASIDE, RELEASED)).order_by("pk")
    for key, kind in found.values_list("key", "kind").iterator(chunk_size=AT_ONCE):
        if due.get(key) != kind:
            yield f"posting {key} ({kind}) belongs to no request and no proposal"


CHECKS = (requests, proposals, postings)
