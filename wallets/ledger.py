"""The one door through which money moves.

`post` makes one balanced transaction or refuses it whole. On PostgreSQL it is one call of a
function inside the database (`wallets/sql/post_postgresql.sql`); on SQLite, which has none, the
same steps are taken here under the write lock. The same tests hold both to the same answers.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallets.errors import Conflict, Overdrawn, Refused
from wallets.models import AMOUNT_MAX, BALANCE_MAX, Account, Book, Entry, Transaction

_TEXTS: Final = {"kind": 32, "book": 64, "reference": 64, "reason": 200, "actor": 64}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Leg(NamedTuple):
    """What a posting is to do to one account, in minor units."""

    account: int
    amount: int


class Posted(NamedTuple):
    """A transaction that stands in the ledger; `created` is false where the key was repeated."""

    transaction: int
    created: bool


class _Body(NamedTuple):
    """All that a key stands for: the same key with another body is a conflict."""

    key: UUID
    kind: str
    book: str
    reference: str
    reason: str
    actor: str
    legs: tuple[Leg, ...]

    @property
    def digest(self) -> str:
        return body_digest(self._asdict(), self.legs)


class _Answer(NamedTuple):
    code: str
    transaction: int | None
    account: int | None


def post(  # noqa: PLR0913 - what a posting is
    key: UUID,
    kind: str,
    entries: Iterable[Leg],
    *,
    book: str,
    reference: str = "",
    reason: str = "",
    actor: str = "",
) -> Posted:
    """Move money between accounts, or raise `Refused` and move none.

    Entries of one account are added up. A repeated key with the same body is answered with the
    transaction that stands. Inside a caller's transaction it is part of that; the caller then
    posts once in it, because locks are ordered within one posting only.
    """
    body = _Body(key, kind, book, reference, reason, actor, _merged(entries))
    _check_texts(body)
    answer = _post_in_database(body) if connection.vendor == "postgresql" else _post_here(body)
    if answer.transaction is None or answer.code == "conflict":
        raise _refusal(answer)
    return Posted(answer.transaction, answer.code == "posted")


def body_digest(texts: Mapping[str, Any], legs: Sequence[tuple[int, int]]) -> str:
    """The hash of a body as canonical JSON; its legs stand in the order of account numbers."""
    body = {name: str(texts[name]) for name in ("key", *_TEXTS)}
    canonical = json.dumps(
        {**body, "entries": [list(leg) for leg in legs]},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return sha256(canonical.encode()).hexdigest()


def chained(previous: str, digest: str, time: datetime) -> str:
    """The hash of a transaction: of the one before it in its book, its body and its time."""
    return sha256(f"{previous}{digest}{_microseconds(time)}".encode()).hexdigest()


def _microseconds(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(microseconds=1)


def _merged(entries: Iterable[Leg]) -> tuple[Leg, ...]:
    """One leg an account, in the order of account numbers; what cannot be posted is refused."""
    sums: dict[int, int] = {}
    total = 0
    for account, amount in entries:
        if type(amount) is not int or not 1 <= abs(amount) <= AMOUNT_MAX:
            raise Refused(
                "amount",
                _("{amount} is not an amount: whole minor units from 1 to {most}."),
                account=account,
                amount=amount,
                most=AMOUNT_MAX,
            )
        sums[account] = sums.get(account, 0) + amount
        total += amount
    if total:
        raise Refused("unbalanced", _("The entries do not balance: {total} is left."), total=total)
    legs = tuple(Leg(account, amount) for account, amount in sorted(sums.items()) if amount)
    if not legs:
        raise Refused("empty", _("Nothing would be moved."))
    for leg in legs:
        if abs(leg.amount) > AMOUNT_MAX:
            raise Refused(
                "amount",
                _("{amount} is not an amount: whole minor units from 1 to {most}."),
                account=leg.account,
                amount=leg.amount,
                most=AMOUNT_MAX,
            )
    return legs


def _check_texts(body: _Body) -> None:
    for name, longest in _TEXTS.items():
        text = getattr(body, name)
        if len(text) > longest or "\0" in text or (name in ("kind", "book") and not text):
            raise Refused(
                "text",
                _("The {name} of a posting is at most {longest} characters."),
                name=name,
                longest=longest,
            )


def _post_in_database(body: _Body) -> _Answer:
    now = timezone.now()
    arguments = (
        *body[:6],
        now,
        str(_microseconds(now)),
        body.digest,
        [leg.account for leg in body.legs],
        [leg.amount for leg in body.legs],
    )
    with connection.cursor() as cursor:
        try:
            cursor.execute(
                "SELECT code, transaction_id, account_id FROM wallets_post("
                "%s, %s, %s, %s, %s, %s, %s, %s, %s, %s::bigint[], %s::bigint[])",
                arguments,
            )
        except IntegrityError as error:
            # Another book's posting has used the key between our look and our writing.
            if "wallets_transaction_key" in str(error):
                raise _refusal(_Answer("conflict", None, None)) from error
            raise
        row = cursor.fetchone()
    return _Answer(*row)


def _post_here(body: _Body) -> _Answer:
    """The steps of `wallets_post`, where the database has no functions but one writer at a time."""
    with transaction.atomic():
        book, _new = Book.objects.get_or_create(name=body.book)
        earlier = Transaction.objects.filter(key=body.key).values_list("id", "digest").first()
        digest = body.digest
        if earlier is not None:
            number, posted = earlier
            return _Answer("repeated" if posted == digest else "conflict", number, None)
        accounts = Account.objects.in_bulk([leg.account for leg in body.legs])
        refused = _refused(body.legs, accounts)
        if refused is not None:
            return refused
        number = (Transaction.objects.aggregate(last=Max("id"))["last"] or 0) + 1
        Entry.objects.bulk_create(
            Entry(
                transaction_id=number,
                account_id=leg.account,
                amount=leg.amount,
                balance_after=accounts[leg.account].balance + leg.amount,
            )
            for leg in body.legs
        )
        now = timezone.now()
        position, head = book.position + 1, chained(book.head, digest, now)
        Transaction.objects.create(
            id=number,
            key=body.key,
            kind=body.kind,
            book=book,
            position=position,
            reference=body.reference,
            reason=body.reason,
            actor=body.actor,
            time=now,
            digest=digest,
            previous=book.head,
            hash=head,
        )
        Book.objects.filter(name=book.name).update(position=position, head=head)
    return _Answer("posted", number, None)


def _refused(legs: Sequence[Leg], accounts: Mapping[int, Account]) -> _Answer | None:
    """The first reason against a posting, in the order in which `wallets_post` looks for them."""
    for leg in legs:
        if leg.account not in accounts:
            return _Answer("unknown_account", None, leg.account)
    if len({account.currency_id for account in accounts.values()}) > 1:
        return _Answer("mixed_currencies", None, None)
    for leg in legs:
        account = accounts[leg.account]
        if account.kind in Account.NEVER_OWING and account.balance + leg.amount < 0:
            return _Answer("overdrawn", None, leg.account)
    for leg in legs:
        if abs(accounts[leg.account].balance + leg.amount) > BALANCE_MAX:
            return _Answer("balance_bounds", None, leg.account)
    return None


_SENTENCES: Final = {
    "unknown_account": _("There is no such account."),
    "mixed_currencies": _("One posting moves one currency."),
    "overdrawn": _("There is not enough money in the account."),
    "balance_bounds": _("The account cannot hold so much."),
    "conflict": _("The key has been used for another posting."),
}
_KINDS: Final[dict[str, type[Refused]]] = {"overdrawn": Overdrawn, "conflict": Conflict}


def _refusal(answer: _Answer) -> Refused:
    kind = _KINDS.get(answer.code, Refused)
    return kind(answer.code, _SENTENCES[answer.code], account=answer.account)
