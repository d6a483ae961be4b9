"""Very many transfers in one ledger, while a reader adds its totals up all the time."""

import threading
from random import Random
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connections
from django.db.models import Min, Sum

from tests.people import BY_TEST
from wallets.models import Account, Currency, Transaction
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.values.errors import Conflict, Overdrawn

ACCOUNTS: Final = 40
EACH: Final = 10_000


class Counted(NamedTuple):
    """What came of the transfers, and what a reader saw meanwhile."""

    moved: int
    refused: int
    repeated: int
    conflicts: int
    reads: int
    wrong: int


def _watch(stop: threading.Event, seen: list[tuple[int, int]]) -> None:
    try:
        while not stop.is_set():
            players = Account.objects.filter(kind=Account.Kind.PLAYER, owner__startswith="bank:")
            totals = players.aggregate(sum=Sum("balance"), least=Min("balance"))
            seen.append((totals["sum"], totals["least"]))
            stop.wait(0.005)
    finally:
        connections.close_all()


def transfers(count: int, seed: int) -> Counted:
    """Move money at random; some requests come twice, and some under a key of another."""
    chance = Random(f"bank {seed}")
    euro, _new = Currency.objects.get_or_create(code="EUR", defaults={"name": "euro"})
    issue = account(Account.Kind.ISSUE, "house", euro)
    wallets = [
        account(Account.Kind.PLAYER, f"bank:{number}", euro).pk for number in range(ACCOUNTS)
    ]
    filled = [Leg(wallet, EACH) for wallet in wallets]
    post(
        _key(chance), "deposit", [*filled, Leg(issue.pk, -EACH * ACCOUNTS)], book="bank", **BY_TEST
    )
    stop, seen = threading.Event(), list[tuple[int, int]]()
    reader = threading.Thread(target=_watch, args=(stop, seen))
    reader.start()
    moved = refused = repeated = conflicts = 0
    try:
        for number in range(count):
            source, target = chance.sample(wallets, 2)
            amount, key, book = chance.randrange(1, EACH), _key(chance), f"bank:{number % 5}"
            legs = [Leg(source, -amount), Leg(target, amount)]
            try:
                moved += post(key, "transfer", legs, book=book, **BY_TEST).created
            except Overdrawn:
                refused += 1
                continue
            if number % 20 == 0:
                repeated += not post(key, "transfer", legs, book=book, **BY_TEST).created
            if number % 50 == 0:
                other = [Leg(source, -amount - 1), Leg(target, amount + 1)]
                try:
                    post(key, "transfer", other, book=book, **BY_TEST)
                except Conflict:
                    conflicts += 1
    finally:
        stop.set()
        reader.join()
    assert Transaction.objects.filter(kind="transfer").count() == moved
    wrong = sum(total != EACH * ACCOUNTS or least < 0 for total, least in seen)
    return Counted(moved, refused, repeated, conflicts, len(seen), wrong)


def _key(chance: Random) -> UUID:
    return UUID(int=chance.getrandbits(128), version=4)
