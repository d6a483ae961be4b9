"""The one function that moves money.

`post` makes one balanced transaction or refuses it whole. On PostgreSQL it inserts one row into a
view whose trigger does the rest (`wallets/sql/post_postgresql.sql`); on SQLite the same steps run
here under the write lock. The same tests require the same answers from both.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallets.models import BALANCE_MAX, Account, Book, Entry, Transaction
from wallets.of_record.chain import WITHOUT_POSTINGS, chained, hashed
from wallets.storage import batched_writes
from wallets.storage.signing import canonical
from wallets.values.amounts import read_minor_units, show_amount
from wallets.values.errors import Conflict, Overdrawn, Refused

_TEXTS: Final = {"kind": 32, "book": 64, "reference": 64, "reason": 200, "actor": 64}
# Every posting needs these.
_NEEDED: Final = ("kind", "book", "reason", "actor")
_POST: Final = """INSERT INTO wallets_post (body) VALUES (%s)
    RETURNING code, transaction_id, account_id"""
# The number of a transaction that is still to be written.
NOT_YET: Final = 0


class Leg(NamedTuple):
    """The change of one account in a posting, in minor units."""

    account: int
    amount: int


class Posted(NamedTuple):
    """A transaction in the ledger; `created` is false if the key was repeated."""

    transaction: int
    created: bool


class Movement(NamedTuple):
    """Everything that a key identifies: the same key with another body is a conflict."""

    key: UUID
    kind: str
    book: str
    reference: str
    reason: str
    actor: str
    legs: tuple[Leg, ...]


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
    actor: str,
    reason: str,
    reference: str = "",
) -> Posted:
    """Move money between accounts, or raise `Refused` and move none.

    Every posting says who made it and why. Entries of one account are added up. A repeated key with
    the same body returns the existing transaction. Inside a caller's transaction the posting is
    part of that; post only once in it, because locks are ordered only within one posting. Inside
    `waiting_posting.posting_with` it is made, or refused, together with other writes.
    """
    body = checked(Movement(key, kind, book, reference, reason, actor, tuple(entries)))
    text = body_text(body._asdict(), body.legs)
    if batched_writes.waits(text, _require_posted):
        return Posted(NOT_YET, created=True)
    if connection.vendor == "postgresql":
        answer = _post_in_database(text)
    else:
        answer = _post_here(body, hashed(text))
    if answer.transaction is None or answer.code == "conflict":
        raise _refusal(answer, {})
    return Posted(answer.transaction, answer.code == "posted")


def _require_posted(answer: str) -> None:
    """Raise the refusal in an answer of the database: a code, and the account it is about."""
    code, _space, account = answer.partition(" ")
    if code not in ("posted", "repeated"):
        raise _refusal(_Answer(code, None, int(account) if account else None), {})


def checked(body: Movement) -> Movement:
    """A posting with one leg per account; refuse what no ledger can post."""
    body = body._replace(legs=_merged(body.legs))
    _check_texts(body)
    if body.book in WITHOUT_POSTINGS:
        raise Refused("book", _("The journal's book takes no postings."))
    return body


def is_posted(key: UUID) -> bool:
    """Whether a posting has this key; posting it again moves nothing."""
    return Transaction.objects.filter(key=key).exists()


def body_text(texts: Mapping[str, object], legs: Sequence[tuple[int, int]]) -> str:
    """Return a body as canonical JSON, whose hash is stored; legs are in the order of their
    accounts.
    """
    accounts, amounts = zip(*legs, strict=True)
    body = {name: str(texts[name]) for name in ("key", *_TEXTS)}
    return canonical({**body, "accounts": accounts, "amounts": amounts}).decode()


def _merged(entries: Sequence[Leg]) -> tuple[Leg, ...]:
    """Return one leg per account, in the order of account numbers; refuse what cannot be posted."""
    sums: dict[int, int] = {}
    for account, amount in entries:
        read_minor_units(-amount if type(amount) is int and amount < 0 else amount, account)
        sums[account] = sums.get(account, 0) + amount
    total = sum(sums.values())
    if total:
        raise Refused("unbalanced", _("The entries do not balance: {total} is left."), total=total)
    legs = tuple(Leg(account, amount) for account, amount in sorted(sums.items()) if amount)
    if not legs:
        raise Refused("empty", _("This posting moves nothing."))
    if len(legs) < len(entries):
        for leg in legs:
            read_minor_units(abs(leg.amount), leg.account)
    return legs


def _check_texts(body: Movement) -> None:
    for name, longest in _TEXTS.items():
        text = getattr(body, name)
        # Refuse unencodable characters, and the one that PostgreSQL does not store.
        readable = text.encode(errors="ignore").decode() == text and "\0" not in text
        if len(text) > longest or not readable or (name in _NEEDED and not text.strip()):
            raise Refused(
                "text",
                _("The {name} of a posting is a text of at most {longest} characters."),
                name=name,
                longest=longest,
            )


def _post_in_database(text: str) -> _Answer:
    database: Any = connection
    database.ensure_connection()
    database.validate_no_broken_transaction()
    try:
        # Django's cursor would write values into the text; this way the server keeps the statement.
        with (
            database.wrap_database_errors,
            database.Database.Cursor(database.connection) as cursor,
        ):
            cursor.execute(_POST, [text])
            return _Answer(*cursor.fetchone())
    except IntegrityError as error:
        # Between our lookup and our write, a posting with other accounts used the key.
        if "wallets_transaction_key" in str(error):
            raise _refusal(_Answer("conflict", None, None), {}) from error
        raise


def _post_here(body: Movement, digest: str) -> _Answer:
    """Take the steps of `wallets_post_insert` on a database with one writer at a time."""
    with transaction.atomic():
        book, _new = Book.objects.get_or_create(name=body.book)
        earlier = Transaction.objects.filter(key=body.key).values_list("id", "digest").first()
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
        whose = [str(accounts[leg.account]) for leg in body.legs]
        position, head = book.position + 1, chained(book.head, digest, now, whose)
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
    """Return the first reason against a posting, in the order of `wallets_post_insert`."""
    currency = None
    for leg in legs:
        account = accounts.get(leg.account)
        if account is None:
            return _Answer("unknown_account", None, leg.account)
        after = account.balance + leg.amount
        if currency not in (None, account.currency_id):
            return _Answer("mixed_currencies", None, leg.account)
        if account.kind in Account.NEVER_OWING and after < 0:
            return _Answer("overdrawn", None, leg.account)
        if abs(after) > BALANCE_MAX:
            return _Answer("balance_bounds", None, leg.account)
        currency = account.currency_id
    return None


def refusal_of(legs: Sequence[Leg], accounts: Mapping[int, Account]) -> Refused | None:
    """Return why the accounts as they stand do not allow a posting."""
    answer = _refused(legs, accounts)
    return None if answer is None else _refusal(answer, accounts)


_SENTENCES: Final = {
    "unknown_account": _("There is no such account."),
    "mixed_currencies": _("One posting moves one currency."),
    "conflict": _("The key has been used for another posting."),
}


def _refusal(answer: _Answer, accounts: Mapping[int, Account]) -> Refused:
    if answer.account is not None and answer.code in ("overdrawn", "balance_bounds"):
        # Accounts of a history that is being filled in may not be stored yet.
        account = accounts.get(answer.account) or Account.objects.get(pk=answer.account)
        return overdrawn(account) if answer.code == "overdrawn" else _too_full(account)
    kind = Conflict if answer.code == "conflict" else Refused
    return kind(answer.code, _SENTENCES[answer.code], account=answer.account)


def overdrawn(account: Account) -> Overdrawn:
    """The refusal to take out more than an account holds."""
    held = f"{show_amount(account.balance, account.currency)} {account.currency.unit}"
    sentence = _("There is not enough money in the account: it holds {held}.")
    return Overdrawn("overdrawn", sentence, account=account.pk, held=held)


def _too_full(account: Account) -> Refused:
    most = show_amount(BALANCE_MAX, account.currency)
    sentence = _("The account cannot hold more than {most}.")
    return Refused("balance_bounds", sentence, account=account.pk, most=most)
