"""Pools, what fills and empties them, and the triggers of mystery prizes."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction

from tests.people import BY_TEST
from wallets import tasks
from wallets.models import Account, Currency, Jackpot, Transaction, Trigger
from wallets.money import jackpots
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE, buy_in
from wallets.money.ledger import Leg, post
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db


def progressive(euro: Currency, **settings: Any) -> Jackpot:
    settings = {"seed": 1_000_00, "reserve": 200_00, **settings}
    return jackpots.create("Dragon", "progressive", euro, actor="operator:olga", **settings)


def play(jackpot: Jackpot, house: Account, into_pool: int) -> None:
    legs = [Leg(jackpot.pool_id, into_pool), Leg(house.pk, -into_pool)]
    post(uuid4(), "hand", legs, book="table:1", reference="hand:1", **BY_TEST)


@pytest.fixture
def table(euro: Currency) -> Account:
    return account(Account.Kind.HOUSE, "table:1", euro)


class TestPool:
    @pytest.mark.always
    def test_starts_with_its_seed_from_the_house(self, euro: Currency) -> None:
        jackpot = progressive(euro)
        posted = Transaction.objects.get()
        assert (posted.kind, posted.actor, posted.reason) == ("seed", "operator:olga", "opened")
        assert jackpots.amount(jackpot) == 1_000_00
        assert account(Account.Kind.HOUSE, HOUSE, euro).balance == -1_200_00

    def test_grows_by_bonus_bets_and_pays_hits(self, euro: Currency, table: Account) -> None:
        jackpot = progressive(euro)
        play(jackpot, table, 5_00)
        assert jackpots.amount(jackpot) == 1_005_00
        play(jackpot, table, -502_50)
        assert jackpots.amount(jackpot) == 502_50
        assert Account.objects.get(pk=table.pk).balance == 497_50

    @pytest.mark.always
    def test_is_filled_up_once_after_a_hit(self, euro: Currency, table: Account) -> None:
        jackpot = progressive(euro)
        play(jackpot, table, -1_000_00)
        assert jackpots.amount(jackpot) == 0
        for _time in range(2):
            tasks.fill_jackpots()
        assert jackpots.amount(jackpot) == 1_000_00
        assert account(Account.Kind.HOUSE, HOUSE, euro).balance == -2_200_00
        play(jackpot, table, 1)
        assert jackpots.fill_up(jackpot) is None

    def test_pays_two_tables_at_once_from_the_reserve(self, euro: Currency, table: Account) -> None:
        jackpot = progressive(euro)
        whole_pool = jackpots.amount(jackpot)
        for _table in range(2):
            play(jackpot, table, -whole_pool)
        assert jackpots.amount(jackpot) == 0
        assert Account.objects.get(pk=jackpot.pool_id).balance == -800_00
        jackpots.fill_up(jackpot, actor="operator:olga")
        assert jackpots.amount(jackpot) == 1_000_00

    def test_resting_jackpot_is_not_filled(self, euro: Currency, table: Account) -> None:
        jackpot = progressive(euro, active=False)
        play(jackpot, table, -1_000_00)
        tasks.fill_jackpots()
        assert jackpots.amount(jackpot) == 0

    @pytest.mark.parametrize(
        "settings", [{"seed": -1}, {"reserve": -1}, {"share_bp": 10_001}, {"lowest": 60_000}]
    )
    def test_refuses_what_makes_no_sense(self, settings: dict[str, Any], euro: Currency) -> None:
        with pytest.raises(ValidationError):
            progressive(euro, **settings)
        assert not Jackpot.objects.exists()

    def test_a_stored_seed_above_the_bound_moves_no_more_than_the_bound(
        self, euro: Currency, settings: Any
    ) -> None:
        """Written past the verbs, or from before the bound was lowered."""
        jackpot = progressive(euro)
        Jackpot.objects.update(seed=900_000_000_000)
        settings.JACKPOT_SEED_MAX = 1_500
        tasks.fill_jackpots()
        assert account(Account.Kind.HOUSE, HOUSE, euro).balance == -1_500_00
        posted = Transaction.objects.latest("pk")
        assert (posted.actor, posted.reason) == ("house", "below its seed")
        with pytest.raises(Refused) as caught:
            jackpots.configure(jackpot, actor="operator:olga", reason="again", seed=1_400_00)
        assert caught.value.code == "seed_bounds"

    @pytest.mark.parametrize("reason", ["", "  ", "x" * 201])
    def test_nobody_moves_money_without_a_reason(self, euro: Currency, reason: str) -> None:
        jackpot = progressive(euro, active=False)
        for ask in (
            lambda: jackpots.configure(jackpot, actor="o", reason=reason, seed=1),
            lambda: jackpots.drain(jackpot, 1, key=uuid4(), actor="o", reason=reason),
            lambda: jackpots.create("Other", "progressive", euro, actor="o", reason=reason),
        ):
            with pytest.raises(Refused) as caught:
                ask()
            assert caught.value.code == "reason"
        assert Transaction.objects.count() == 1

    def test_a_name_is_taken_once(self, euro: Currency) -> None:
        progressive(euro)
        with pytest.raises(ValidationError):
            progressive(euro)


class TestTrigger:
    @pytest.fixture
    def mystery(self, euro: Currency) -> Jackpot:
        return jackpots.create("Lucky", "mystery", euro, actor="operator:olga", seed=50_00)

    def test_is_committed_kept_secret_and_opened(self, mystery: Jackpot) -> None:
        jackpots.commit(mystery, published="ab" * 32, secret=b"123.45 and salt")
        closed = jackpots.trigger(mystery)
        assert closed is not None
        assert (closed.number, closed.published, closed.opened) == (1, "ab" * 32, "")
        assert "123.45" not in closed.sealed
        assert jackpots.secret_of(closed) == b"123.45 and salt"
        assert jackpots.open_trigger(closed, opened="12345:salt", reference="hand:9")
        assert not jackpots.open_trigger(closed, opened="99999:salt", reference="hand:10")
        opened = Trigger.objects.get()
        assert (opened.opened, opened.reference) == ("12345:salt", "hand:9")
        assert jackpots.trigger(mystery) is None

    @pytest.mark.always
    def test_one_is_closed_at_a_time(self, mystery: Jackpot) -> None:
        first = jackpots.commit(mystery, published="a", secret=b"1")
        with pytest.raises(Refused) as caught:
            jackpots.commit(mystery, published="b", secret=b"2")
        assert caught.value.code == "trigger_closed"
        with pytest.raises(IntegrityError), transaction.atomic():
            Trigger.objects.create(jackpot=mystery, number=2, published="b", sealed="")
        jackpots.open_trigger(first, opened="1", reference="hand:1")
        assert jackpots.commit(mystery, published="b", secret=b"2").number == 2

    @pytest.mark.parametrize("change", [{"published": "other"}, {"number": 7}])
    def test_a_committed_trigger_cannot_change(
        self, change: dict[str, Any], mystery: Jackpot
    ) -> None:
        jackpots.commit(mystery, published="a", secret=b"1")
        with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
            Trigger.objects.update(**change)
        with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
            Trigger.objects.all().delete()

    def test_an_opened_trigger_cannot_change(self, mystery: Jackpot) -> None:
        trigger = jackpots.commit(mystery, published="a", secret=b"1")
        jackpots.open_trigger(trigger, opened="1", reference="hand:1")
        with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
            Trigger.objects.update(opened="2")


def test_stacks_and_pools_are_accounts_like_others(euro: Currency, alice: Account) -> None:
    jackpot = progressive(euro)
    buy_in("player:alice", "seat:1", euro, 10_00, key=uuid4(), book="table:1", **BY_TEST)
    assert jackpot.pool.kind == Account.Kind.JACKPOT
    assert jackpot.pool.owner == "jackpot:Dragon"
