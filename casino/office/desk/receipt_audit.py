"""Check receipts: each says what its posting moved, and no posting or number is without one."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from casino.office.desk import shifts
from casino.office.desk.cash import VARIANCE
from casino.office.desk.models import Receipt, Till
from casino.office.desk.receipts import number_of
from casino.office.desk.verbs import KIND as TRANSFER
from games.records.audit_rows import chunks
from wallets.models import Account, Entry, Transaction
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.money.cashier import CORRECTION, HOUSE
from wallets.staff.cash_verbs import DEPOSIT, WITHDRAWAL
from wallets.values.days import ONE_DAY, start_of
from wallets.values.registry import Registry

AT_ONCE: Final = 2_000
# Clocks of machines differ, and a request may wait for locks.
APART_MAX: Final = timedelta(hours=1)
Kind = Account.Kind


class Side(NamedTuple):
    """An account, by what its row says and not by its number."""

    kind: str
    owner: str
    currency: str


class Posting(NamedTuple):
    number: int
    key: UUID
    kind: str
    actor: str
    reason: str
    time: datetime
    amounts: dict[Side, int]
    # The balance of each account after it.
    left: dict[Side, int]


def read(rows: QuerySet[Transaction]) -> Iterator[Posting]:
    columns = rows.order_by("pk").values_list("pk", "key", "kind", "actor", "reason", "time")
    for some in chunks(columns.iterator(chunk_size=AT_ONCE), AT_ONCE):
        amounts: dict[int, dict[Side, int]] = defaultdict(dict)
        left: dict[int, dict[Side, int]] = defaultdict(dict)
        entries = Entry.objects.filter(transaction__in=[row[0] for row in some])
        for number, kind, owner, currency, amount, after in entries.values_list(
            "transaction",
            "account__kind",
            "account__owner",
            "account__currency",
            "amount",
            "balance_after",
        ):
            amounts[number][Side(kind, owner, currency)] = amount
            left[number][Side(kind, owner, currency)] = after
        for row in some:
            yield Posting(*row, amounts[row[0]], left[row[0]])


def by_number(numbers: Iterable[int]) -> dict[int, Posting]:
    return {
        posting.number: posting
        for posting in read(Transaction.objects.filter(pk__in=list(numbers)))
    }


def by_key(keys: Iterable[UUID]) -> dict[UUID, Posting]:
    return {
        posting.key: posting for posting in read(Transaction.objects.filter(key__in=list(keys)))
    }


def cash_of(till: Till | int | None, currency: str) -> Side:
    """The side of a till, of the vault, or of what is outside the house."""
    number = till.pk if isinstance(till, Till) else till
    return Side(Kind.ISSUE, f"till:{number}" if number else HOUSE, currency)


def variance_of(currency: str) -> Side:
    return Side(Kind.HOUSE, VARIANCE, currency)


def is_apart(one: datetime, other: datetime) -> bool:
    """Whether two records of the same act are of different times."""
    return abs(one - other) > APART_MAX


# The kind of the posting behind each kind of receipt.
KINDS: Final[dict[str, str]] = {
    Receipt.Kind.DEPOSIT: DEPOSIT,
    Receipt.Kind.WITHDRAWAL: WITHDRAWAL,
    Receipt.Kind.CORRECTION: CORRECTION,
    Receipt.Kind.TRANSFER: TRANSFER,
    Receipt.Kind.VARIANCE: shifts.VARIANCE,
}
OF_PLAYERS: Final = (Receipt.Kind.DEPOSIT, Receipt.Kind.WITHDRAWAL, Receipt.Kind.CORRECTION)


def receipts() -> Iterator[str]:
    """Receipts that say something else than the ledger."""
    rows = Receipt.objects.select_related("shift", "corrects").order_by("pk")
    for some in chunks(rows.iterator(chunk_size=AT_ONCE), AT_ONCE):
        postings = by_number(receipt.posting for receipt in some)
        for receipt in some:
            posting = postings.get(receipt.posting)
            if posting is None:
                yield f"receipt {receipt.number}: there is no such posting"
                continue
            for what in (*_of_posting(receipt, posting), *_of_document(receipt)):
                yield f"receipt {receipt.number}: {what}"


def _of_posting(receipt: Receipt, posting: Posting) -> Iterator[str]:
    due = {
        "key": receipt.key,
        "kind": KINDS.get(receipt.kind),
        "actor": player_reference(receipt.cashier_id),
        "reason": receipt.reason,
    }
    for name, value in due.items():
        if getattr(posting, name) != value:
            yield f"its posting has another {name}"
    if is_apart(receipt.at, posting.time):
        yield f"it was posted at {posting.time}"
    cash, other = _sides(receipt, posting)
    if posting.amounts != {cash: -receipt.amount, other: receipt.amount}:
        yield "its posting moved something else"
        return
    held = -posting.left[cash] if receipt.till_id else None
    if receipt.till_after != held:
        yield f"the till held {held} after it"
    if receipt.wallet_after != _wallet(other, posting):
        yield f"the wallet held {_wallet(other, posting)} after it"


def _sides(receipt: Receipt, posting: Posting) -> tuple[Side, Side]:
    """The account of the cash, and the other one."""
    currency = receipt.currency_id
    if receipt.kind == Receipt.Kind.TRANSFER:
        other = cash_of(receipt.to_till_id, currency)
    elif receipt.kind == Receipt.Kind.VARIANCE:
        other = variance_of(currency)
    else:
        other = Side(Kind.PLAYER, player_reference(receipt.player_id or 0), currency)
        aside = other._replace(kind=Kind.ESCROW)
        if receipt.kind == Receipt.Kind.WITHDRAWAL and aside in posting.amounts:
            other = aside
    if receipt.kind == Receipt.Kind.CORRECTION and not receipt.till_id:
        return variance_of(currency), other
    return cash_of(receipt.till_id, currency), other


def _wallet(side: Side, posting: Posting) -> int | None:
    """What the player's wallet held then, which pays nothing if the money had been set aside."""
    if side.kind == Kind.PLAYER:
        return posting.left[side]
    if side.kind != Kind.ESCROW:
        return None
    entries = Entry.objects.filter(
        account__kind=Kind.PLAYER, account__owner=side.owner, account__currency=side.currency
    )
    before = entries.filter(transaction__lt=posting.number).order_by("-pk").first()
    return before.balance_after if before else 0


def _of_document(receipt: Receipt) -> Iterator[str]:
    """What does not fit in the receipt alone, and with its shift and the receipt it corrects."""
    if receipt.number != number_of(receipt.kind, receipt.day, receipt.serial):
        yield "it has the number of another receipt"
    # At whatever hour the house's days began then.
    if not start_of(receipt.day - ONE_DAY) <= receipt.at < start_of(receipt.day + 2 * ONE_DAY):
        yield f"it is of the day {receipt.day}, and was written at {receipt.at}"
    if (receipt.player_id is not None) != (receipt.kind in OF_PLAYERS):
        yield "a player is named, or lacking"
    yield from _of_shift(receipt)
    corrected = receipt.corrects
    if (corrected is not None) != (receipt.kind == Receipt.Kind.CORRECTION):
        yield "it corrects nothing, or must not"
    elif corrected is not None and (corrected.player_id, corrected.currency_id) != (
        receipt.player_id,
        receipt.currency_id,
    ):
        yield "it corrects a receipt of another player or currency"


def _of_shift(receipt: Receipt) -> Iterator[str]:
    shift = receipt.shift
    if shift is None:
        if receipt.kind in (Receipt.Kind.DEPOSIT, Receipt.Kind.WITHDRAWAL, Receipt.Kind.VARIANCE):
            yield "it belongs to no shift"
        return
    if shift.till_id != receipt.till_id:
        yield "it belongs to a shift at another till"
    own = receipt.kind in (Receipt.Kind.DEPOSIT, Receipt.Kind.WITHDRAWAL)
    if own and shift.cashier_id != receipt.cashier_id:
        yield "it belongs to another cashier's shift"


def numbers() -> Iterator[str]:
    """Gaming days on which a number is lacking, and receipts out of their order."""
    rows = Receipt.objects.order_by("day", "serial").only("number", "day", "serial", "posting")
    for day, some in groupby(rows.iterator(chunk_size=AT_ONCE), key=attrgetter("day")):
        last = 0
        for due, receipt in enumerate(some, 1):
            if receipt.serial != due:
                yield f"receipt {receipt.number}: number {due} of {day} is lacking before it"
                break
            if receipt.posting <= last:
                yield f"receipt {receipt.number}: it was posted before the number before it"
            last = receipt.posting


# The postings that are about other documents than the desk's, by key, with their kinds: those who
# write such documents register them, and check that each says the same.
DOCUMENTS: Final = Registry[Callable[[], Mapping[UUID, str]]]("documents of postings")


def documented() -> dict[UUID, str]:
    kinds: dict[UUID, str] = {}
    for documents in DOCUMENTS.values():
        kinds |= documents()
    return kinds


def postings() -> Iterator[str]:
    """Postings that no receipt is about; without a till, a deposit is in the journal."""
    elsewhere = documented()
    of_desk = Transaction.objects.filter(kind__in=KINDS.values())
    receipt = Receipt.objects.filter(key=OuterRef("key"), posting=OuterRef("pk"))
    without = Counter[tuple[str, str, str, int, str]]()
    for posting in read(of_desk.exclude(Exists(receipt))):
        if elsewhere.get(posting.key) == posting.kind:
            continue
        at_desk = _without_till(posting)
        if at_desk is None:
            yield f"posting {posting.key} ({posting.kind}) has no receipt"
        else:
            without[at_desk] += 1
    said = Counter[tuple[str, str, str, int, str]]()
    entries = JournalEntry.objects.filter(verb__in=(DEPOSIT, WITHDRAWAL)).order_by("position")
    for verb, subject, after, actor in entries.values_list("verb", "subject", "after", "actor"):
        said[verb, subject, after.get("currency"), after.get("amount"), actor] += 1
    for kind, player, currency, amount, actor in without - said:
        yield f"a {kind} of {amount} {currency} by {actor} for {player} has no document"
    for kind, player, currency, amount, actor in said - without:
        yield f"a {kind} of {amount} {currency} by {actor} for {player} has no posting"


def _without_till(posting: Posting) -> tuple[str, str, str, int, str] | None:
    """A payment into the house's own cash, or out of it, as its journal entry says it."""
    if posting.kind not in (DEPOSIT, WITHDRAWAL) or len(posting.amounts) != 2:
        return None
    sides = sorted(posting.amounts, key=lambda side: side.kind == Kind.ISSUE)
    player, cash = sides
    if cash != cash_of(None, cash.currency) or player.kind not in (Kind.PLAYER, Kind.ESCROW):
        return None
    amount = posting.amounts[player]
    if (amount > 0) != (posting.kind == DEPOSIT):
        return None
    return posting.kind, player.owner, player.currency, abs(amount), posting.actor


CHECKS = (receipts, numbers, postings)
