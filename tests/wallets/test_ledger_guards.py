"""What the database itself forbids to every writer."""

import json
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from tests.append_only import triggers_set_aside
from tests.wallets.paying import pay
from wallets.models import (
    Account,
    Book,
    Currency,
    Entry,
)
from wallets.money.accounts import account

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


FORBIDDEN = {
    "an entry changed": "UPDATE wallets_entry SET amount = amount + 1",
    "an entry deleted": "DELETE FROM wallets_entry",
    "a transaction changed": "UPDATE wallets_transaction SET reason = 'another'",
    "a transaction deleted": "DELETE FROM wallets_transaction",
    "a balance changed": "UPDATE wallets_account SET balance = balance + 1",
    "an owner changed": "UPDATE wallets_account SET owner = 'player:mallory' WHERE kind = 'player'",
    "a kind changed": "UPDATE wallets_account SET kind = 'house'",
    "an account deleted": "DELETE FROM wallets_account",
    "an account opened with money in it": """INSERT INTO wallets_account
        (kind, owner, currency_id, balance) VALUES ('player', 'player:mallory', 'EUR', 1)""",
    "an entry alone": """INSERT INTO wallets_entry
        (transaction_id, account_id, amount, balance_after)
        SELECT 999999, id, 1, balance + 1 FROM wallets_account WHERE kind = 'player'""",
    "an entry added to a transaction": """INSERT INTO wallets_entry
        (transaction_id, account_id, amount, balance_after)
        SELECT t.id, a.id, 1, a.balance + 1 FROM wallets_account AS a, wallets_transaction AS t
        WHERE NOT EXISTS (SELECT 1 FROM wallets_entry AS e
            WHERE e.transaction_id = t.id AND e.account_id = a.id)""",
    "a book deleted": "DELETE FROM wallets_book",
    "a book renamed": "UPDATE wallets_book SET name = name || ':another'",
    "a transaction in no book": """INSERT INTO wallets_transaction
        (key, kind, book_id, position, reference, reason, actor, time, digest, previous, hash)
        SELECT '0a0b0c0d-0e0f-0a0b-0c0d-0e0f0a0b0c0d', kind, 'table:nowhere', 1, reference, reason,
        actor, time, digest, previous, hash FROM wallets_transaction LIMIT 1""",
    "a balance made up": """INSERT INTO wallets_entry
        (transaction_id, account_id, amount, balance_after)
        SELECT 999999, id, CASE kind WHEN 'player' THEN 1 ELSE -1 END, 5 FROM wallets_account""",
}


@transaction.atomic
def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
    # What an engine checks only at the end is looked at now.
    connection.check_constraints()


@pytest.mark.parametrize("sql", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_the_database_forbids(sql: str, alice: Account, bob: Account) -> None:
    pay(alice, bob, 1)
    before = list(Account.objects.values()), list(Entry.objects.values())
    with pytest.raises(DatabaseError):
        execute(sql)
    assert before == (list(Account.objects.values()), list(Entry.objects.values()))


@pytest.mark.parametrize("amounts", [[-1, 2], [-1], [], [0, 0], [None, None]])
def test_the_door_posts_nothing_that_does_not_balance(
    amounts: list[int | None], alice: Account, bob: Account
) -> None:
    """`post` asks for nothing of the kind; SQLite has no such door."""
    texts = dict.fromkeys(("reference", "reason", "actor"), "")
    body = {"key": str(uuid4()), "kind": "payment", "book": "table:1", **texts}
    legs = {"accounts": [alice.pk, bob.pk][: len(amounts)], "amounts": amounts}
    before = list(Account.objects.order_by("pk").values())
    with pytest.raises(DatabaseError):
        execute(f"INSERT INTO wallets_post (body) VALUES ('{json.dumps(body | legs)}')")
    assert before == list(Account.objects.order_by("pk").values())


@pytest.mark.parametrize("order", [(1, 0), (0, 0)])
def test_the_door_takes_accounts_once_and_in_order(
    order: tuple[int, int], alice: Account, bob: Account
) -> None:
    texts = dict.fromkeys(("reference", "reason", "actor"), "")
    body = {"key": str(uuid4()), "kind": "payment", "book": "table:1", **texts}
    legs = {"accounts": [(alice.pk, bob.pk)[place] for place in order], "amounts": [-1, 1]}
    with pytest.raises(DatabaseError):
        execute(f"INSERT INTO wallets_post (body) VALUES ('{json.dumps(body | legs)}')")
    assert not Book.objects.filter(name="table:1").exists()


def test_the_database_forbids_to_empty_the_ledger(alice: Account) -> None:
    word = "TRUNCATE" if connection.vendor == "postgresql" else "DELETE FROM"
    with pytest.raises(DatabaseError, match="refused"):
        execute(f"{word} wallets_entry")
    assert Entry.objects.exists()


@pytest.mark.parametrize("kind", Account.NEVER_OWING)
def test_no_account_of_players_goes_below_zero_even_without_its_guards(
    kind: str, euro: Currency
) -> None:
    """Wallets, stacks, what is set aside and prize pools have a CHECK of their own."""
    held = account(kind, "table:1", euro)
    update = f"UPDATE wallets_account SET balance = %d WHERE id = {held.pk}"
    with triggers_set_aside(connection):
        with pytest.raises(IntegrityError, match="account_not_overdrawn"):
            execute(update % -1)
        execute(update % 0)
