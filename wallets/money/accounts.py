"""Find an account, or open it.

Every posting begins with this, so the two statements are written out: the ORM would take several
times as long to build them as the database to answer.
"""

from typing import Final

from django.db import connection

from wallets.models import OWNER_MAX, Account, Currency

_COLUMNS: Final = ("id", "kind", "owner", "currency_id", "balance")
_SELECT: Final = """SELECT id, kind, owner, currency_id, balance FROM wallets_account
    WHERE kind = %s AND owner = %s AND currency_id = %s"""
_INSERT: Final = """INSERT INTO wallets_account (kind, owner, currency_id, balance)
    VALUES (%s, %s, %s, 0) ON CONFLICT DO NOTHING
    RETURNING id, kind, owner, currency_id, balance"""


def account(kind: str, owner: str, currency: Currency | str) -> Account:
    """Return the one account of an owner for a purpose; two concurrent callers get the same row."""
    return _row(_SELECT, kind, owner, currency) or new_account(kind, owner, currency)


def new_account(kind: str, owner: str, currency: Currency | str) -> Account:
    """Open an account and return it: one statement, as it is not looked for first.

    If another transaction has opened it, that one is returned.
    """
    if not 1 <= len(owner) <= OWNER_MAX or not owner.isprintable():
        raise ValueError(f"{owner!r} cannot own an account")
    new = _row(_INSERT, kind, owner, currency)
    return new or Account.objects.get(kind=kind, owner=owner, currency=currency)


def _row(statement: str, kind: str, owner: str, currency: Currency | str) -> Account | None:
    code = currency if isinstance(currency, str) else currency.code
    with connection.cursor() as cursor:
        cursor.execute(statement, [Account.Kind(kind).value, owner, code])
        row = cursor.fetchone()
    return None if row is None else Account.from_db(connection.alias, _COLUMNS, row)
