"""Many post at once: the total never moves, and no player pays with money that is not there."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction
from django.db.models import Min, Sum

from tests.people import BY_TEST
from tests.waiting import until
from tests.wallets.paying import pay
from wallets.audit.reconciliation import reconcile
from wallets.models import Account, Book, Currency, Jackpot, Transaction
from wallets.money import cashier, jackpots
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.values.errors import Conflict, Overdrawn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

WORKERS = 8


def at_once(work: Callable[[int], Any], count: int, workers: int = WORKERS) -> list[Any]:
    """Do the work for each number in a thread with its own connection; return the exceptions."""
    start = threading.Barrier(workers)

    def run(mine: Sequence[int]) -> list[Any]:
        results: list[Any] = []
        start.wait()
        try:
            for number in mine:
                try:
                    results.append(work(number))
                except Exception as error:
                    results.append(error)
        finally:
            connections.close_all()
        return results

    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(run, [range(first, count, workers) for first in range(workers)])
        return [result for part in parts for result in part]


@pytest.fixture
def wallets(euro: Currency) -> list[Account]:
    for name in range(6):
        cashier.deposit(
            f"player:{name}", euro, 1_000, key=uuid4(), actor="cashier:carol", reason="at the desk"
        )
    return [account(Account.Kind.PLAYER, f"player:{name}", euro) for name in range(6)]


def test_the_total_never_moves(wallets: list[Account]) -> None:
    stop = threading.Event()
    seen: list[dict[str, Any]] = []

    def watch() -> None:
        try:
            while not stop.is_set():
                seen.append(Account.objects.aggregate(total=Sum("balance")))
                players = Account.objects.filter(kind=Account.Kind.PLAYER)
                seen.append(players.aggregate(total=Sum("balance") - 6_000, least=Min("balance")))
        finally:
            connections.close_all()

    def transfer(number: int) -> Any:
        chance = Random(number)
        source, target, third = chance.sample(wallets, 3)
        amount = chance.randrange(2, 600)
        legs = [Leg(source.pk, -amount), Leg(target.pk, amount - 1), Leg(third.pk, 1)]
        return post(uuid4(), "transfer", legs, book=f"table:{number % 3}", **BY_TEST)

    watcher = threading.Thread(target=watch)
    watcher.start()
    results = at_once(transfer, 80)
    stop.set()
    watcher.join()
    refused = [result for result in results if isinstance(result, Exception)]
    assert {type(exception) for exception in refused} <= {Overdrawn}
    assert len(refused) < 80
    assert seen
    assert all(sums["total"] == 0 and sums.get("least", 0) >= 0 for sums in seen)
    assert Transaction.objects.filter(kind="transfer").count() == 80 - len(refused)
    assert not list(reconcile(everything=True))


def test_fifty_buy_ins_from_one_wallet(euro: Currency, alice: Account) -> None:
    def sit(number: int) -> Any:
        given: Any = {"key": uuid4(), "book": f"table:{number}"} | BY_TEST
        return cashier.buy_in("player:alice", f"seat:{number}", euro, 30_00, **given)

    results = at_once(sit, 50)
    assert sum(isinstance(result, Overdrawn) for result in results) == 47
    stacks = Account.objects.filter(kind=Account.Kind.STACK, balance__gt=0)
    assert list(stacks.values_list("balance", flat=True)) == [30_00] * 3
    assert Account.objects.get(pk=alice.pk).balance == 10_00


def test_a_key_repeated_at_once_is_posted_once(euro: Currency, alice: Account) -> None:
    key = uuid4()

    def pay_in(_number: int) -> Any:
        return cashier.deposit(
            "player:alice", euro, 7, key=key, actor="cashier:carol", reason="at the desk"
        )

    results = at_once(pay_in, 24)
    assert sorted(result.created for result in results) == [False] * 23 + [True]
    assert len({result.transaction for result in results}) == 1
    assert Account.objects.get(pk=alice.pk).balance == 100_07


def test_a_key_used_at_once_for_different_postings(wallets: list[Account]) -> None:
    key = uuid4()

    def work(number: int) -> Any:
        source, target = wallets[number % 3], wallets[3 + number % 3]
        return pay(source, target, 10, key, book=f"table:{number % 3}")

    results = at_once(work, 24)
    posted = [result for result in results if not isinstance(result, Exception)]
    assert [posting.created for posting in posted].count(True) == 1
    assert len(posted) == 8
    assert all(isinstance(result, Conflict) for result in results if isinstance(result, Exception))
    assert Transaction.objects.filter(kind="payment").count() == 1
    assert not list(reconcile(everything=True))


def test_an_account_and_a_book_are_opened_once(euro: Currency) -> None:
    def open_and_post(number: int) -> Any:
        house, rake = (account(kind, "table:1", euro) for kind in ("house", "rake"))
        return pay(house, rake, number + 1)

    results = at_once(open_and_post, 24)
    assert all(result.created for result in results)
    assert Account.objects.count() == 2
    assert Book.objects.get().position == 24


def test_opposite_transfers_do_not_lock_each_other_out(wallets: list[Account]) -> None:
    def swap(number: int) -> Any:
        payer, other = wallets[:2] if number % 2 else wallets[1::-1]
        return pay(payer, other, 1, book=f"table:{number % 4}")

    assert all(posting.created for posting in at_once(swap, 48))


def test_another_table_does_not_wait(wallets: list[Account]) -> None:
    """A posting whose transaction is still open holds up its own book and accounts alone."""
    with transaction.atomic():
        pay(wallets[0], wallets[1], 1)
        # One writer at a time is how SQLite works; the door must at least open again.
        if connection.vendor != "sqlite":
            other = at_once(lambda _: pay(wallets[2], wallets[3], 1, book="table:2"), 1, workers=1)
            assert other[0].created
    assert Book.objects.get(pk="table:1").position == 1


def somebody_waits() -> bool:
    """Whether another connection waits for a lock; where there is one writer at a time, it does."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def test_a_pool_is_filled_up_while_a_prize_is_paid_out_of_it(transactional_db: None) -> None:
    """A hit holds the pool when it commits the next trigger, and filling up wants both too."""
    euro = Currency.objects.create(code="EUR", name="Euro", exponent=2)
    settings: dict[str, Any] = {"seed": 100, "lowest": 200, "highest": 200}
    pot = jackpots.create("Dragon", "mystery", euro, actor="operator:olga", **settings)
    Jackpot.objects.filter(pk=pot.pk).update(seed=150)
    fallen = jackpots.commit(pot, published="a" * 64, secret=b"first")
    bank = account(Account.Kind.HOUSE, "table:1", euro)
    paid = threading.Event()

    def fill_up() -> None:
        try:
            paid.wait()
            jackpots.fill_up(pot)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        filling = pool.submit(fill_up)
        with transaction.atomic():
            pay(pot.pool, bank, 90)
            paid.set()
            until(somebody_waits)
            jackpots.open_trigger(fallen, opened="first", reference="hand:1")
            jackpots.commit(pot, published="b" * 64, secret=b"second")
        filling.result()
    assert jackpots.amount(pot) == 150
