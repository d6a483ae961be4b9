"""Tournaments for programs: everything that a player does on the pages, by HTTP and JSON."""

import pytest
from django.test import override_settings

from games.rules.event_shoe import EventProtocol
from tests.games.program import Program
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
OCTETS = bytes(range(32))


def program(event: Event, name: str = "alice", **given: int) -> Program:
    event.house.player(name, **given)
    return Program(name)


@pytest.mark.always
def test_the_list_names_what_is_open_played_and_over(event: Event) -> None:
    event.announce(structure())
    first = event.number
    event.open(sit_and_go(levels=[{"point": 1_000}]), 2)
    second = event.number
    stranger = Program()
    listed = stranger.get("tournaments/")["tournaments"]
    assert [row["id"] for row in listed] == [first, second]
    assert listed[0]["stake"] == 1_000
    assert listed[0]["fee"] == 100
    assert not listed[0]["entered"]
    states = {"open": [first], "running": [second], "over": []}
    for state, numbers in states.items():
        rows = stranger.get("tournaments/", state=state)["tournaments"]
        assert [row["id"] for row in rows] == numbers
    assert stranger.get("tournaments/", state="mine")["code"] == "not_signed_in"
    assert stranger.get("tournaments/", state="nothing")["path"] == "$.state"
    event.play()
    assert [
        tournament["id"] for tournament in stranger.get("tournaments/", state="over")["tournaments"]
    ] == [second]


def test_a_program_enters_commits_reveals_and_plays(event: Event) -> None:
    event.announce(structure())
    path = f"tournaments/{event.number}/"
    alice = program(event)
    event.enter(event.people(2))
    before = alice.get(path)
    assert (before["mine"], before["why_not"], before["level"]) == (None, "", 0)
    entered = alice.post(f"{path}register/")
    assert entered["mine"]["state"] == "registered"
    assert entered["mine"]["may"] == ["unregister"]
    assert entered["mine"]["wants"] == "commit"
    assert alice.get(path, known=entered["version"]) is None or alice.status == 204
    number = entered["mine"]["number"]
    shoe = alice.get(f"{path}shoe/")
    protocol = EventProtocol(shoe["id"])
    commit = protocol.commitment(number, OCTETS).hex()
    assert alice.post(f"{path}commit/", {"commit": commit})["mine"]["wants"] == ""
    event.until(lambda: event.row.state == Tournament.State.SEATING)
    assert alice.get(path)["mine"]["wants"] == "reveal"
    locked = alice.get(f"{path}shoe/")
    commits = {
        entrant["entrant"]: bytes.fromhex(entrant["commit"]) for entrant in locked["entrants"]
    }
    assert protocol.lock(bytes.fromhex(shoe["seal"]), commits).hex() == locked["lock"]
    receipt = alice.post(f"{path}reveal/", {"reveal": OCTETS.hex()}, key="")
    assert receipt["statement"]["lock"] == locked["lock"]
    assert alice.post(f"{path}reveal/", {"reveal": OCTETS.hex()}, key="") == receipt
    event.until(event.is_running)
    now = alice.get(path)
    assert now["state"] == "running"
    assert now["stakes"] == {"point": 100, "seconds": 600}
    assert now["mine"]["chips"] == 1_000
    assert alice.get(f"tables/{now['mine']['table']}/")["mine"]["purse"] == 1_000
    places = alice.get(f"{path}places/")
    assert places["count"] == 3
    assert [place["place"] for place in places["places"]] == [1, 2, 3]
    assert len(alice.get(f"{path}places/", offset=1, limit=1)["places"]) == 1


def test_the_same_key_enters_once(event: Event) -> None:
    event.announce(structure())
    alice = program(event)
    path = f"tournaments/{event.number}/register/"
    for _ in range(2):
        assert alice.post(path, key="once")["mine"]["state"] == "registered"
    assert Entry.objects.get().stake_paid == 1_000
    again = alice.post(path)
    assert (alice.status, again["code"]) == (409, "already_entered")
    assert alice.post(path, key="")["code"] == "idempotency_key"


@pytest.mark.parametrize(
    ("verb", "body", "status", "code"),
    [
        ("unregister", {}, 409, "not_entered"),
        ("enter-again", {}, 409, "not_entered"),
        ("add-on", {}, 409, "not_entered"),
        ("register", {"stake": 1}, 400, "unknown_field"),
        ("commit", {"commit": "00"}, 400, None),
        ("commit", {}, 400, "wrong_shape"),
        ("withdraw", {"commit": "00" * 32}, 409, "not_entered"),
    ],
)
def test_refusals_have_codes(
    event: Event, verb: str, body: object, status: int, code: str | None
) -> None:
    event.announce(structure())
    alice = program(event)
    answer = alice.post(f"tournaments/{event.number}/{verb}/", body)
    assert alice.status == status
    assert code in (answer["code"], None)
    assert answer["sentence"]


@override_settings(PLAY_MONEY_REFILL=0)
def test_a_poor_program_enters_nothing(event: Event) -> None:
    event.announce(structure())
    alice = program(event, money=1_050)
    answer = alice.post(f"tournaments/{event.number}/register/")
    assert (alice.status, answer["code"]) == (409, "overdrawn")


@pytest.mark.always
def test_a_stranger_reads_and_does_nothing(event: Event) -> None:
    event.open(structure(), 2)
    stranger = Program()
    path = f"tournaments/{event.number}/"
    assert stranger.get(path)["mine"] is None
    for verb in ("register", "unregister", "enter-again", "add-on", "commit", "reveal"):
        assert stranger.post(f"{path}{verb}/")["code"] == "not_signed_in"
    for part in ("", "places/", "shoe/"):
        assert stranger.get(f"tournaments/999999/{part}")["code"] == "no_such_tournament"
