"""A program that takes part in mixing shoes with the very code that the documentation gives."""

from typing import Any

import pytest

from games.models import ChainEntry, Shoe, ShoeSeat, Table
from games.rules.shoe import ShoeProtocol, from_hex
from tests.documented_functions import functions_for_mixing
from tests.games.house import House
from tests.games.program import Program, play
from wallets.storage.signing import is_signed

OTHER = "0" * 64


@pytest.fixture
def documented() -> dict[str, Any]:
    return functions_for_mixing()


@pytest.fixture
def table(house: House, alice: Program) -> Table:
    """Between two players: the shoe of a lone one is locked as soon as they have a chain."""
    table = house.table("baccarat")
    house.sit(house.person("alice"), table, 1)
    house.sit(house.player("bob"), table, 5)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    return table


def begin(documented: dict[str, Any], alice: Program, table: Table) -> dict[str, Any]:
    view = alice.get(f"tables/{table.pk}/")
    assert view["shoe"]["wants_start"]
    chain: dict[str, Any] = documented["begin"](table.pk, view["mine"]["number"])
    view = send(alice, table, f"start {chain['tip']}")
    assert (view["shoe"]["wants_start"], view["shoe"]["tip"]) == (False, chain["tip"])
    return chain


def send(alice: Program, table: Table, mix: str) -> Any:
    return alice.post(f"tables/{table.pk}/mix/", {"mix": mix})


@pytest.mark.always
def test_a_program_takes_part_and_its_note_agrees(
    documented: dict[str, Any], house: House, alice: Program, table: Table
) -> None:
    chain = begin(documented, alice, table)
    house.until_due(table)
    shoe = alice.get(f"tables/{table.pk}/")["shoe"]
    assert shoe["wants_link"]
    note = documented["note_of"](chain, shoe)
    receipt = send(alice, table, f"{note['shoe']} {note['reveal']}")["shoe"]["receipt"]
    assert receipt["statement"]["lock"] == note["lock"]
    assert is_signed("receipt", receipt["statement"], receipt["signature"], receipt["key"])
    list(play(house, table, [alice], 1))
    [hand] = alice.get("hands/")["hands"]
    assert documented["agrees"](note, alice.get(f"hands/{hand['id']}/record/")["shoe"])
    published = alice.get(f"shoes/{note['shoe']}/")
    assert documented["agrees"](note, published)
    assert published["receipt"] == receipt
    stranger = Program()
    assert stranger.get(f"shoes/{note['shoe']}/")["receipt"] is None
    assert stranger.refused(stranger.get("shoes/T9-9/")) == (404, "no_such_shoe")

    Shoe.objects.filter(pk=note["shoe"]).update(lock=OTHER)
    assert not documented["agrees"](note, alice.get(f"shoes/{note['shoe']}/"))


def another_lock(shoe: Shoe) -> None:
    Shoe.objects.filter(pk=shoe.pk).update(lock=OTHER)


def one_more_seat(shoe: Shoe) -> None:
    """The bytes of a player of the house's own, chosen after the lock was shown to others."""
    player = shoe.seats.get(number=1).player
    ShoeSeat.objects.create(shoe=shoe, number=2, player=player, by_house=False, commit=OTHER)


def another_commit(shoe: Shoe) -> None:
    shoe.seats.update(commit=OTHER)
    lock = ShoeProtocol(shoe.code).lock(from_hex(shoe.seal), {1: from_hex(OTHER)}).hex()
    Shoe.objects.filter(pk=shoe.pk).update(lock=lock)


@pytest.mark.parametrize("cheat", [another_lock, one_more_seat, another_commit])
def test_a_program_sends_its_link_under_no_other_lock(
    documented: dict[str, Any], house: House, alice: Program, table: Table, cheat: Any
) -> None:
    chain = begin(documented, alice, table)
    house.until_due(table)
    assert table.shoe is not None
    cheat(table.shoe)
    view = alice.get(f"tables/{table.pk}/")
    assert documented["note_of"](chain, view["shoe"]) is None
    assert (chain["notes"], len(chain["links"])) == ({}, 256)
    house.until_due(table)
    shoe = Shoe.objects.get(pk=view["shoe"]["code"])
    assert shoe.status == Shoe.Status.VOID
    body = ChainEntry.objects.get(kind="void", body__shoe=shoe.pk).body
    assert chain["links"][-1] not in body["reveals"].values()


def test_no_link_is_given_to_a_second_lock(
    documented: dict[str, Any], house: House, alice: Program, table: Table
) -> None:
    chain, lock_of = begin(documented, alice, table), documented["lock_of"]
    house.until_due(table)
    shoe = alice.get(f"tables/{table.pk}/")["shoe"]
    note = documented["note_of"](chain, shoe)
    second = shoe["commits"] | {"2": OTHER}
    lock = lock_of(note["shoe"], note["seal"], second)
    assert documented["note_of"](chain, shoe | {"commits": second, "lock": lock}) is None
    assert documented["note_of"](chain, shoe) == note
    # "It did not come": a house that asks for it again in the next shoe knows it at its seal.
    again = {"code": "T1-9-9", "seal": OTHER, "commits": shoe["commits"]}
    again["lock"] = lock_of("T1-9-9", OTHER, shoe["commits"])
    assert documented["note_of"](chain, again) is None


def test_a_program_that_stops_ends_its_chain(
    documented: dict[str, Any], house: House, alice: Program, table: Table
) -> None:
    chain = begin(documented, alice, table)
    assert not send(alice, table, f"end {OTHER}")["shoe"]["wants_start"]
    assert send(alice, table, f"end {chain['tip']}")["shoe"]["wants_start"]
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY
    shown = alice.get(f"tables/{table.pk}/")["shoe"]
    assert (shown["notice"], shown["receipt"]) == ("no_commit", None)


def test_the_documented_formulas_are_those_of_the_protocol(documented: dict[str, Any]) -> None:
    octets = {seat: bytes([seat]) * 32 for seat in (1, 4, 6, 10)}
    protocol = ShoeProtocol("T1-1")
    commits = {seat: protocol.commitment(seat, given) for seat, given in octets.items()}
    assert documented["commit_of"](1, 4, octets[4]) == commits[4]
    given = {str(seat): commit.hex() for seat, commit in reversed(commits.items())}
    assert documented["lock_of"]("T1-1", OTHER, given) == protocol.lock(bytes(32), commits).hex()
