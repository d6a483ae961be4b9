"""Traces of the seats' part in a shoe: receipts, chains that end, what a void publishes."""

from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from games.boards import table_view
from games.models import ChainEntry, Shoe, Table
from games.tables import clock
from tests.games.commit_reveal import (
    NAMES,
    Device,
    commit,
    end,
    reveal,
    sealed_table,
    shoe,
    withhold,
)
from tests.games.evenings import played_once
from tests.games.house import House
from tests.people import client_of
from wallets.storage.signing import is_signed, public_keys
from wallets.values.errors import Refused

evening = played_once(sealed_table)


def shoe_shown_to(house: House, table: Table, name: str) -> Any:
    person = house.person(name)
    return table_view.table_view(person, table_view.table_for(person, table.pk), house.now).shoe


# Receipts


def test_a_reveal_is_answered_with_a_receipt_and_again_with_the_same(
    house: House, table: Table
) -> None:
    given = {name: commit(house, table, name) for name in NAMES[:2]}
    house.until_due(table)
    lying = shoe(table)
    receipt = reveal(house, table, "alice", given["alice"], lying.code)
    assert receipt["statement"] == {
        "shoe": lying.code,
        "seat": 1,
        "seal": lying.seal,
        "lock": lying.lock,
        "commit": lying.seats.get(number=1).commit,
        "reveal_hash": sha256(given["alice"]).hexdigest(),
        "at": house.now.isoformat(),
    }
    assert receipt["key"] == public_keys()[0]
    assert is_signed("receipt", receipt["statement"], receipt["signature"], receipt["key"])
    house.pass_time(1)
    assert reveal(house, table, "alice", given["alice"], lying.code) == receipt
    reveal(house, table, "bob", given["bob"], lying.code)
    house.until(table, lambda table: table.shoe_id != lying.pk)
    assert reveal(house, table, "alice", given["alice"], lying.code) == receipt
    with pytest.raises(Refused):
        reveal(house, table, "alice", bytes(32), lying.code)
    with pytest.raises(Refused):
        reveal(house, table, "carol", given["alice"], lying.code)


def test_a_void_publishes_the_reveals_that_came_with_their_commits(
    house: House, table: Table
) -> None:
    given = {name: commit(house, table, name) for name in NAMES}
    house.until_due(table)
    lying = shoe(table)
    receipt = reveal(house, table, "bob", given["bob"], lying.code)
    house.until_due(table)
    body = ChainEntry.objects.get(kind="void", body__shoe=lying.code).body
    assert body["reason"] == "not revealed by seat 1, 3"
    assert body["reveals"] == {"2": given["bob"].hex()}
    assert body["commits"] == {"2": receipt["statement"]["commit"]}
    published = Client().get(f"/fairness/shoes/{lying.code}.json").json()
    assert (published["status"], published["void"]) == ("void", body["reason"])
    assert {seat["seat"]: seat["reveal"] for seat in published["seats"]} == {
        1: "",
        2: given["bob"].hex(),
        3: "",
    }


@pytest.mark.always
def test_no_reveal_is_published_before_all_have_arrived(house: House, table: Table) -> None:
    given = {name: commit(house, table, name) for name in NAMES[:2]}
    lying = shoe(table)
    address = f"/fairness/shoes/{lying.code}.json"
    published = Client().get(address).json()
    assert (published["seal"], published["lock"], published["seats"]) == (lying.seal, "", [])
    house.until_due(table)
    reveal(house, table, "alice", given["alice"], lying.code)
    published = Client().get(address).text
    secret = list(lying.seats.exclude(reveal="").values_list("reveal", flat=True))
    assert len(secret) == 2
    assert not any(octets in published for octets in secret)
    reveal(house, table, "bob", given["bob"], lying.code)
    published = Client().get(address).text
    assert all(octets in published for octets in secret)


def test_shoe_codes_are_unique_even_after_counters_restart(house: House, table: Table) -> None:
    first = shoe(table)
    Table.objects.filter(pk=table.pk).update(shoes_sealed=0, shoe=None)
    house.until(table, lambda table: table.shoe_id is not None)
    assert shoe(table).code.rpartition("-")[0] == first.code.rpartition("-")[0]
    assert shoe(table).code != first.code


# Ending a chain


@pytest.mark.always
def test_ending_a_chain_before_the_lock_is_not_withholding(house: House, table: Table) -> None:
    end(house, table, "alice", commit(house, table, "alice"))
    assert shoe_shown_to(house, table, "alice").wants_start
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY
    assert shoe(table).seats.get(number=1).by_house
    assert house.seat(table, "alice").house_shoes == 0
    assert not ChainEntry.objects.filter(kind="void").exists()


def test_players_other_page_learns_of_it_and_starts_again(house: House, table: Table) -> None:
    octets = commit(house, table, "alice")
    table.refresh_from_db()
    version = table.version
    end(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.version > version
    # What has ended already is no news.
    end(house, table, "alice", octets)
    again = commit(house, table, "alice")
    # A page that was left later names a chain that is not the seat's.
    end(house, table, "alice", octets)
    end(house, table, "bob", again)
    house.until_due(table)
    # Behind the lock the link is still due.
    end(house, table, "alice", again)
    reveal(house, table, "alice", again)
    assert not shoe(table).seats.get(number=1).by_house


def test_a_chain_ends_with_the_stay_at_a_table(house: House, table: Table) -> None:
    """Otherwise the table would wait in vain for a player with another browser."""
    commit(house, table, "alice")
    house.leave(house.person("alice"), table)
    house.sit(house.person("alice"), table, 1)
    assert shoe_shown_to(house, table, "alice").wants_start
    octets = commit(house, table, "alice")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    reveal(house, table, "alice", octets)
    assert house.seat(table, "alice").house_shoes == 0


# Who withholds, and who does not


def test_the_house_that_slept_through_the_time_to_reveal_blames_nobody(
    house: House, table: Table
) -> None:
    octets = commit(house, table, "alice")
    house.until_due(table)
    lying = shoe(table)
    house.pass_time(30)
    house.be_seen(table)
    clock.tick(table.pk, house.now)
    table.refresh_from_db()
    assert (table.phase, table.shoe_id) == (Table.Phase.REVEAL, lying.pk)
    reveal(house, table, "alice", octets, lying.code)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY


@pytest.mark.always
def test_the_time_to_reveal_is_given_once_more_and_no_third_time(
    house: House, table: Table
) -> None:
    commit(house, table, "alice")
    house.until_due(table)
    lying = shoe(table)
    for _ in range(2):
        house.pass_time(30)
        house.be_seen(table)
        clock.tick(table.pk, house.now)
    lying.refresh_from_db()
    assert lying.status == Shoe.Status.VOID
    assert house.seat(table, "alice").house_shoes == 1


# What the table says


def test_the_table_says_when_the_house_stands_in_and_why(house: House, table: Table) -> None:
    alice = client_of(house.person("alice"))

    def said() -> str:
        page = alice.get(f"/tables/{table.pk}/").text
        _before, mark, after = page.partition('id="mixed-by-house"')
        return after.partition("</p>")[0] if mark else ""

    counts_again = "From the next hand it counts again."
    assert said() == ""
    withhold(house, table, "alice")
    assert shoe_shown_to(house, table, "alice").notice == "voided"
    assert "was replaced before any card was seen" in said()
    assert shoe_shown_to(house, table, "bob").notice == ""
    house.until_due(table)
    assert shoe_shown_to(house, table, "alice").notice == "withheld"
    assert "The room dealt this hand without your device's number, because it came too" in said()
    assert counts_again in said()
    assert shoe_shown_to(house, table, "bob").notice == "no_commit"
    assert counts_again in client_of(house.person("bob")).get(f"/tables/{table.pk}/").text
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    withhold(house, table, "alice")
    house.until_due(table)
    assert shoe_shown_to(house, table, "alice").house_shoes == 2
    assert "After 2 more hands it counts again." in said()


def test_participant_gets_a_receipt_and_no_house_notice(house: House, table: Table) -> None:
    octets = commit(house, table, "alice")
    house.until_due(table)
    reveal(house, table, "alice", octets)
    shown = shoe_shown_to(house, table, "alice")
    assert shown.notice == ""
    assert shown.receipt["statement"]["shoe"] == shoe(table).code
    assert shoe_shown_to(house, table, "bob").receipt is None


def test_a_page_is_answered_in_json(house: House, table: Table) -> None:
    alice, device = client_of(house.person("alice")), Device(house, table, "alice")
    address, tip = f"/tables/{table.pk}/mix/", device.chain[0].hex()
    assert alice.post(address, {"mix": f"start {tip}"}).json() == {"receipt": None}
    house.until_due(table)
    answer = alice.post(address, {"mix": device.link_for(shoe(table))}).json()
    assert answer["receipt"]["statement"]["commit"] == tip
    refused = alice.post(address, {"mix": f"{shoe(table).code} {'0' * 64}"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_reveal_due")
    assert alice.post(address, {"mix": "x" * 99}).status_code == 400


@pytest.mark.always
@pytest.mark.parametrize("program", [False, True])
def test_an_act_is_answered_with_what_its_device_does_not_know_of_the_receipt(
    house: House, table: Table, program: bool
) -> None:
    device = Device(house, table, "alice")
    device.start()
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    device.answer()
    # Chance decides who calls first; a call of the others could end the bidding.
    while "1" not in table.turns:
        (seat,) = table.turns
        house.act(table, NAMES[int(seat) - 1], {"do": "call", "points": 0})
        table.refresh_from_db()
    lying, alice = table.next_shoe, client_of(house.person("alice"))
    assert lying is not None
    sent = {"hand": table.hand_id, "turn": table.turns["1"], "mix": device.link_for(lying)}
    if program:
        body = sent | {"action": {"do": "call", "points": 0}}
        there = f"/api/v1/tables/{table.pk}/act/?streamed=true"
        answer = alice.post(there, body, content_type="application/json")
    else:
        fields = sent | {"played_hand": table.hand_id, "do": "call", "points": "0"}
        answer = alice.post(f"/tables/{table.pk}/act/", fields, headers={"HX-Request": "true"})
    at, signature, key = answer["Mix-Receipt"].split()
    receipt: Any = lying.seats.get(number=1).receipt
    assert (receipt["statement"]["at"], receipt["signature"], receipt["key"]) == (
        at,
        signature,
        key,
    )


# Other tables


@pytest.mark.parametrize("how", ["sits out", "leaves"])
def test_leaving_between_lock_and_deal_counts_as_withholding(house: House, how: str) -> None:
    """Otherwise a player who knows the mix could choose between two deals, or refuse all."""
    table = sealed_table(house, "chinese_poker", (*NAMES, "dave"))
    given = {name: commit(house, table, name) for name in ("alice", "bob")}
    house.until_due(table)
    lying = shoe(table)
    reveal(house, table, "alice", given["alice"], lying.code)
    if how == "sits out":
        reveal_late = given["bob"]
        house.change(table, "bob", sits_out=True)
        reveal(house, table, "bob", reveal_late, lying.code)
    else:
        house.leave(house.person("bob"), table)
        house.until_due(table)
    lying.refresh_from_db()
    assert lying.status == Shoe.Status.VOID
    assert table.seats.get(player__username="bob").house_shoes == 1
    assert house.seat(table, "alice").house_shoes == 0
    # Those who are left go on with the next shoe, after a pause to commit in.
    table.refresh_from_db()
    assert table.phase == Table.Phase.PAUSE


def test_a_seat_of_the_house_that_goes_then_is_not_blamed(house: House) -> None:
    table = sealed_table(house, "chinese_poker", (*NAMES, "dave"))
    octets = commit(house, table, "alice")
    house.until_due(table)
    house.change(table, "bob", sits_out=True)
    reveal(house, table, "alice", octets)
    assert house.seat(table, "bob").house_shoes == 0


@pytest.mark.always
def test_the_keys_of_the_house_are_published(house: House, client: Client) -> None:
    assert client.get("/fairness/keys.json").json() == {"keys": public_keys()}
    page = client.get("/fairness/").text
    assert all(key in page for key in public_keys())
    assert "can abandon the shoe, each time in public" in page
