"""Jackpots at live tables: bonus bets fill them, hits are paid out of them, triggers are opened."""

import hashlib
import re
from typing import Any

import pytest
from django.db import transaction

from casino.accounts.staff import appoint
from games.models import Hand, Table
from games.records.audit import differences
from games.records.record import AUDITOR, record
from games.tables.jackpots import pool_amount
from tests.games.house import House
from tests.games.viewers import board_of
from tests.people import client_of
from wallets.models import Account, Jackpot, Trigger
from wallets.money import jackpots
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import show_amount

BONUS = 1_000


def pot(house: House, kind: str, **settings: Any) -> Jackpot:
    return jackpots.create(f"the {kind}", kind, house.currency, actor="operator:1", **settings)


def balance(jackpot: Jackpot) -> int:
    return Account.objects.get(pk=jackpot.pool_id).balance


def bonus_round(house: House, table: Table) -> Hand:
    """Alice bets with a bonus and folds."""
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.act(table, "alice", {"do": "ante", "box": 1, "amount": 1_000, "bonus": BONUS})
    house.act(table, "alice", {"do": "done"})
    table.refresh_from_db()
    if table.turns:
        house.act(table, "alice", {"do": "fold", "box": 1})
    return Hand.objects.filter(table=table, status=Hand.Status.FINISHED).latest("pk")


@pytest.fixture
def table(house: House) -> Table:
    table = house.table("casino_holdem")
    house.sit(house.player("alice"), table, 1)
    return table


def test_a_share_of_each_bonus_bet_fills_the_pool(house: House, table: Table) -> None:
    progressive = pot(house, "progressive", seed=100_000, reserve=5_000, share_bp=1_500)
    table.jackpots.add(progressive)
    for number in (1, 2):
        hand = bonus_round(house, table)
        assert hand.options["jackpot_bp"] == 1_500
        assert list(differences(hand)) == []
        assert balance(progressive) == 105_000 + number * 150
    assert house.total() == 0


def test_without_a_jackpot_nothing_is_set_aside(house: House, table: Table) -> None:
    hand = bonus_round(house, table)
    assert hand.options["jackpot_bp"] == hand.options["mystery_bp"] == 0
    assert hand.settlement is not None
    assert not hand.settlement.get("pools")


def test_a_mystery_prize_falls_at_its_trigger_and_the_next_is_committed(
    house: House, table: Table
) -> None:
    mystery = pot(house, "mystery", seed=20_000, share_bp=100, lowest=20_015, highest=20_015)
    table.jackpots.add(mystery)
    first = bonus_round(house, table)
    trigger = Trigger.objects.get(jackpot=mystery)
    assert (trigger.opened, balance(mystery)) == ("", 20_010)
    second = bonus_round(house, table)
    trigger.refresh_from_db()
    assert hashlib.sha256(trigger.opened.encode()).hexdigest() == trigger.published
    assert trigger.reference == second.reference
    assert balance(mystery) in (5, 20_000)
    assert Trigger.objects.get(jackpot=mystery, opened="").number == 2
    won = [line for line in (second.settlement or {})["lines"] if line["key"] == "mystery"]
    assert [line["amount"] for line in won] == [20_015]
    # Everybody at the table sees it, not only those who open the settlement.
    felt = client_of(house.player("eve")).get(f"/tables/{table.pk}/board/").text
    prize = re.search(r'class="prize tells" data-moment="jackpot">(.*?)</p>', felt, re.S)
    assert prize
    assert re.search(r"wins the mystery prize.*200\.15", prize[1], re.S)
    for hand in (first, second):
        assert list(differences(hand)) == []
    assert house.total() == 0


def test_a_players_record_does_not_give_a_closed_trigger_away(house: House, table: Table) -> None:
    mystery = pot(house, "mystery", seed=20_000, share_bp=100, lowest=30_000, highest=30_000)
    table.jackpots.add(mystery)
    hand = bonus_round(house, table)
    assert record(hand, 1)["context"]["mystery_left"] == AMOUNT_MAX
    assert record(hand, AUDITOR)["context"]["mystery_left"] == 10_000


def test_an_operator_takes_a_jackpot_away_from_the_next_hand_on(house: House, table: Table) -> None:
    progressive = pot(house, "progressive", seed=100_000, reserve=5_000, share_bp=1_500)
    other = jackpots.create("another", "progressive", house.currency, actor="operator:1", seed=7)
    table.jackpots.add(progressive)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.act(table, "alice", {"do": "ante", "box": 1, "amount": 1_000, "bonus": BONUS})
    table.jackpots.set([other])
    house.act(table, "alice", {"do": "done"})
    table.refresh_from_db()
    if table.turns:
        house.act(table, "alice", {"do": "fold", "box": 1})
    hand = Hand.objects.get(status=Hand.Status.FINISHED)
    assert balance(progressive) == 105_000 + 150
    assert balance(other) == 7
    assert list(differences(hand)) == []


def test_a_hit_gets_what_the_pool_shows(house: House, table: Table) -> None:
    progressive = pot(house, "progressive", seed=100_000, reserve=5_000, share_bp=1_500)
    table.jackpots.add(progressive)
    hand = bonus_round(house, table)
    with transaction.atomic():
        assert pool_amount(hand, "progressive") == 100_150


@pytest.mark.always
def test_a_jackpot_has_one_name_and_one_figure_wherever_it_is_shown(
    house: House, table: Table
) -> None:
    for name, kind in (("Grand jackpot", "progressive"), ("Midnight prize", "mystery")):
        jackpot = jackpots.create(
            name, kind, house.currency, actor="operator:1", reserve=100, highest=50_000
        )
        jackpots.fill_up(jackpot)
        table.jackpots.add(jackpot)
    bonus_round(house, table)
    manager = house.player("maria", 0)
    appoint(manager, "managers")
    office, alice = client_of(manager), client_of(house.person("alice"))
    for jackpot in table.jackpots.all():
        figure = show_amount(jackpots.amount(jackpot), house.currency)
        assert figure not in ("0", "")
        pages = {
            "felt": board_of(alice, table),
            "bar": alice.get("/running/").text,
            "lobby": client_of(house.player(f"eve{jackpot.pk}")).get("/").text,
            "floor": office.get("/admin/floor/").text,
            "its page": office.get(f"/admin/wallets/jackpot/{jackpot.pk}/change/").text,
        }
        # The overview has those that must be hit before an amount.
        if jackpot.kind == Jackpot.Kind.MYSTERY:
            pages["overview"] = office.get("/admin/").text
        for place, page in pages.items():
            marked = 'class="stands"' if place == "its page" else jackpot.name
            match = re.search(rf"{marked}[^<\d]*(?:<[^>]*>\s*)*([\d,.]+)", page)
            assert match, place
            assert match[1].removesuffix(".00") == figure, place
        assert not re.search(">[Pp]rogressive jackpot<|>[Mm]ystery prize<", pages["felt"])
