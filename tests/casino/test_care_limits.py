"""Limits that players set for themselves: stricter at once, looser after a second yes."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from casino.care import limits
from casino.care.limits import Wanted
from casino.care.models import PlayerLimit
from games.models import HandSeat, Seat
from games.tables import seating
from games.words.refusals import sentence_of
from tests.games.house import House
from tests.people import BY_TEST, client_of
from wallets.models import Currency
from wallets.money import cashier
from wallets.values.errors import Refused

HOUR = timedelta(hours=1)
ADDRESS = "/players/limits/"


def wanted(house: House, kind: str, value: int | None, period: str = "day") -> Wanted:
    return Wanted(kind, period, None if kind == "session" else house.currency, value)


def loser(house: House, amount: int) -> Player:
    """A player whom a hand has cost so much: what counts is the result of their seat in it."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    alice = house.person("alice")
    lost = HandSeat.objects.filter(player=alice, hand=table.hand)
    lost.update(status="finished", net=-amount, ended_at=house.now)
    Seat.objects.filter(player=alice).update(left_at=house.now)
    return alice


def held(player: Player) -> list[int | None]:
    return [limit.value for limit in limits.in_force(player.pk)]


def test_a_stricter_limit_acts_at_once_and_ends_a_looser_one_that_waits(house: House) -> None:
    alice, bob, now = house.player("alice"), house.player("bob"), house.now
    for value in (500, 300):
        assert limits.ask(alice, wanted(house, "deposit", value), now).confirmed_at == now
    assert held(alice) == [300]
    row = limits.ask(alice, wanted(house, "deposit", 900), now)
    for verb in (limits.confirm, limits.withdraw):
        with pytest.raises(Refused):
            verb(bob, row.pk, now + 25 * HOUR)
    limits.ask(alice, wanted(house, "deposit", 100), now)
    assert limits.waiting(alice.pk) == []
    with pytest.raises(Refused):
        limits.confirm(alice, row.pk, now + 25 * HOUR)
    row = limits.ask(alice, wanted(house, "deposit", None), now)
    limits.withdraw(alice, row.pk, now)
    assert held(alice) == [100]


@pytest.mark.always
@pytest.mark.parametrize("looser", [900, None])
def test_a_looser_limit_waits_a_day_and_for_a_second_yes(house: House, looser: int | None) -> None:
    alice, now = house.player("alice"), house.now
    limits.ask(alice, wanted(house, "deposit", 500), now)
    row = limits.ask(alice, wanted(house, "deposit", looser), now)
    with pytest.raises(Refused, match="24 hours"):
        limits.confirm(alice, row.pk, now + 23 * HOUR)
    assert held(alice) == [500]
    limits.confirm(alice, row.pk, now + 24 * HOUR)
    assert held(alice) == ([] if looser is None else [looser])


def test_a_limit_that_makes_no_sense_is_refused(house: House) -> None:
    alice, euro = house.player("alice"), house.currency
    for given in (
        Wanted("hope", "day", euro, 1), Wanted("loss", "year", euro, 1),
        Wanted("loss", "day", euro, -1), Wanted("loss", "day", euro, 10**16),
        Wanted("session", "day", None, 24 * 60 + 1),
    ):  # fmt: skip
        with pytest.raises(Refused):
            limits.ask(alice, given, house.now)
    for period, days in (("day", 1), ("week", 7), ("month", 28)):
        assert limits.ask(alice, Wanted("session", period, None, days * 24 * 60), house.now)
        with pytest.raises(Refused):
            limits.ask(alice, Wanted("session", period, None, days * 24 * 60 + 1), house.now)
    for given in (Wanted("loss", "day", None, 1), Wanted("session", "day", euro, 1)):
        with pytest.raises(Refused, match="needs a currency"):
            limits.ask(alice, given, house.now)


def pay_in(player: Player, currency: Currency, amount: int, key: Any = None) -> Any:
    owner = f"player:{player.pk}"
    return cashier.deposit(owner, currency, amount, key=key or uuid4(), **BY_TEST)


@pytest.mark.always
def test_deposits_stop_at_the_lowest_limit(house: House) -> None:
    alice, key = house.player("alice", money=0), uuid4()
    limits.ask(alice, wanted(house, "deposit", 500, "day"), timezone.now())
    limits.ask(alice, wanted(house, "deposit", 300, "month"), timezone.now())
    pay_in(alice, house.currency, 200, key)
    with pytest.raises(Refused) as refused:
        pay_in(alice, house.currency, 101)
    assert refused.value.code == "deposit_limit"
    assert "has 1 left of their own limit" in sentence_of(refused.value)
    pay_in(alice, house.currency, 100)
    # What was paid in before the limit was reached is only said again.
    assert not pay_in(alice, house.currency, 200, key).created
    assert house.wallet(alice).balance == 300


def test_deposits_in_another_currency_are_free(house: House) -> None:
    alice = house.player("alice", money=0)
    euro = Currency.objects.create(code="EUR", name="euro")
    limits.ask(alice, wanted(house, "deposit", 0), timezone.now())
    assert pay_in(alice, euro, 5_000).created
    with pytest.raises(Refused):
        pay_in(alice, house.currency, 1)


def test_nobody_can_lose_more_than_their_limit(house: House) -> None:
    """All the money at tables can be lost, so it counts before it is."""
    alice, table = house.player("alice"), house.table("blackjack")
    limits.ask(alice, wanted(house, "loss", 40_000), house.now)
    with pytest.raises(Refused) as refused:
        house.sit(alice, table, 1, 40_001)
    assert refused.value.code == "loss_limit"
    assert "Bring at most 400 to the tables" in sentence_of(refused.value)
    house.sit(alice, table, 1, 40_000)
    with pytest.raises(Refused):
        house.sit(alice, house.table("blackjack"), 1, 10_000)
    with pytest.raises(Refused):
        seating.top_up(alice, table.pk, 1, "one", house.now)
    seating.leave(alice, table.pk, house.now)
    house.sit(alice, table, 1, 30_000)


def test_losses_count_and_end_with_the_day(house: House) -> None:
    alice = loser(house, 30_000)
    assert limits.net(alice.pk, "PLAY", house.now - HOUR) == -30_000
    limits.ask(alice, wanted(house, "loss", 40_000), house.now)
    table = house.table("blackjack")
    with pytest.raises(Refused):
        house.sit(alice, table, 1, 10_001)
    house.pass_time(24 * 3600)
    house.sit(alice, table, 1, 40_000)


def test_who_tightens_the_limit_at_the_table_is_not_dealt_in(house: House) -> None:
    alice, table = house.player("alice"), house.table("blackjack")
    house.sit(alice, table, 1, 40_000)
    limits.ask(alice, wanted(house, "loss", 20_000), house.now)
    house.pass_time(60)
    house.be_seen(table)
    page = client_of(alice).get(f"/tables/{table.pk}/")
    assert "the limit you set for your losses" in page.content.decode()


@pytest.mark.always
def test_money_taken_to_tables_counts_each_time(house: House) -> None:
    alice, table = house.player("alice"), house.table("blackjack")
    limits.ask(alice, wanted(house, "stake", 60_000, "week"), house.now)
    house.sit(alice, table, 1, 50_000)
    seating.leave(alice, table.pk, house.now)
    with pytest.raises(Refused) as refused:
        house.sit(alice, table, 1, 10_001)
    assert refused.value.code == "stake_limit"
    assert "You have 100 left" in sentence_of(refused.value)
    house.sit(alice, table, 1, 10_000)


def test_time_at_two_tables_counts_once(house: House) -> None:
    alice = house.player("alice")
    limits.ask(alice, wanted(house, "session", 30), house.now)
    for _ in range(2):
        house.sit(alice, house.table("blackjack"), 1)
    house.pass_time(29 * 60)
    assert limits.minutes_played(alice.pk, house.now - HOUR, house.now) == 29
    house.sit(alice, house.table("blackjack"), 1)
    house.pass_time(60)
    with pytest.raises(Refused) as refused:
        house.sit(alice, house.table("blackjack"), 1)
    assert refused.value.code == "time_limit"


def test_yesterdays_time_does_not_count(house: House) -> None:
    alice, table = house.player("alice"), house.table("blackjack")
    house.sit(alice, table, 1)
    house.pass_time(3600)
    seating.leave(alice, table.pk, house.now)
    house.pass_time(24 * 3600)
    limits.ask(alice, wanted(house, "session", 30), house.now)
    house.sit(alice, table, 1)


@pytest.mark.always
def test_limits_read_together_are_used_as_each_by_itself(house: House) -> None:
    player = loser(house, 5_000)
    pay_in(player, house.currency, 700)
    now = house.now + timedelta(hours=1)
    for kind in limits.Kind.values:
        for period in limits.Period.values:
            limits.ask(player, wanted(house, kind, 1_000, period), now)
    held = limits.in_force(player.pk)
    together = limits.used_by_limits(player.pk, held, now)
    assert together == {limit.pk: limits.used(player.pk, limit, now) for limit in held}
    assert len(held) == 12
    assert len({*together.values()}) > 3
    assert limits.used_by_limits(player.pk, [], now) == {}


def typed(**changed: Any) -> dict[str, Any]:
    form = {"kind": "loss", "period": "day", "currency": "PLAY", "value": "12.50", "set": 1}
    return form | changed


@pytest.mark.always
def test_the_page_sets_a_limit_and_shows_it(house: House) -> None:
    client = client_of(house.player("alice"))
    assert client.post(ADDRESS, typed()).status_code == 302
    assert PlayerLimit.objects.get().value == 1_250
    assert "12.50 PLAY" in client.get(ADDRESS).content.decode()
    client.post(ADDRESS, typed(kind="session", currency="", value="90"))
    assert "90 minutes" in client.get(ADDRESS).content.decode()


@pytest.mark.always
def test_the_page_loosens_a_limit_after_a_second_yes(house: House) -> None:
    client = client_of(house.player("alice"))
    client.post(ADDRESS, typed())
    client.post(ADDRESS, {"lift": PlayerLimit.objects.get().pk})
    row = limits.waiting(PlayerLimit.objects.latest("pk").player_id)[0]
    assert client.post(ADDRESS, {"confirm": row.pk}).status_code == 422
    PlayerLimit.objects.filter(pk=row.pk).update(effective_from=timezone.now())
    assert "Confirm the new limit" in client.get(ADDRESS).content.decode()
    assert client.post(ADDRESS, {"confirm": row.pk}).status_code == 302
    assert limits.in_force(row.player_id) == []


UNREADABLE: list[dict[str, str]] = [
    {"value": ""}, {"value": "-1"}, {"value": "1.234"}, {"value": "=1+1"}, {"value": "9" * 41},
    {"value": "1e3"}, {"currency": "XXX"}, {"currency": ""}, {"kind": "hope"}, {"period": "year"},
    {"kind": "session", "value": "1.5"}, {"kind": "session", "value": "٣"},
    {"kind": "session", "value": "1441"},
]  # fmt: skip


def test_what_cannot_be_read_is_refused_beside_its_field(house: House) -> None:
    client = client_of(house.player("alice"))
    for changed in UNREADABLE:
        response = client.post(ADDRESS, typed(**changed))
        assert response.status_code == 422, changed
        assert 'class="wrong"' in response.text, changed
    for button in ("lift", "confirm", "withdraw"):
        for number in ("0", "-1", "x", "9" * 30, ""):
            assert client.post(ADDRESS, {button: number}).status_code == 422, (button, number)
    assert not PlayerLimit.objects.exists()


def test_a_stranger_signs_in_first(db: None) -> None:
    response = Client().get(reverse("own-limits"))
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("sign-in"))
