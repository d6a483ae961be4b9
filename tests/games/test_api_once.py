"""Idempotency keys: what is sent twice is done once, on both engines and by many threads."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games.models import Move, Seat, Table
from games.tables import seating
from games.tables.lock import store_table
from games.web.models import AnsweredRequest
from games.web.tasks import forget_answers
from tests.games.house import MONEY, House
from tests.games.program import Program, bet
from tests.games.simultaneous import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_request_twice_is_done_once_and_answered_the_same(
    house: House, alice: Program
) -> None:
    table = house.table("baccarat")
    house.sit(house.person("alice"), table, 1, 20_000)
    first = alice.post(f"tables/{table.pk}/top-up/", {"amount": 1_000}, key="one")
    assert alice.status == 200
    second = alice.post(f"tables/{table.pk}/top-up/", '{ "amount" : 1000 }', key="one")
    assert alice.status == 200
    assert first == second
    assert house.stack(table, "alice") == 21_000
    alice.post(f"tables/{table.pk}/top-up/", {"amount": 1_000}, key="two")
    assert house.stack(table, "alice") == 22_000


def test_a_key_stands_for_one_request(house: House, alice: Program, baccarat: Table) -> None:
    alice.post(f"tables/{baccarat.pk}/top-up/", {"amount": 500}, key="one")
    assert alice.status == 200
    for path, other in (("top-up", {"amount": 600}), ("leave", None)):
        answer = alice.post(f"tables/{baccarat.pk}/{path}/", other, key="one")
        assert alice.refused(answer) == (409, "key_reused")
    assert house.seat(baccarat, "alice").stack.balance == 50_500


@pytest.mark.parametrize("key", ["", "one", "x" * 65])
def test_hand_and_turn_are_the_key_of_an_act(alice: Program, baccarat: Table, key: str) -> None:
    """The header is accepted and not needed: no row is kept, and no act is done twice."""
    body = bet(alice, baccarat)
    first = alice.post(f"tables/{baccarat.pk}/act/", body, key=key)
    assert alice.status == 200
    again = alice.post(f"tables/{baccarat.pk}/act/", body, key=key)
    assert (alice.status, again["version"]) == (200, first["version"])
    other = body | {"action": body["action"] | {"amount": 600}}
    answer = alice.post(f"tables/{baccarat.pk}/act/", other, key=key)
    assert alice.refused(answer) == (409, "turn_over")
    assert Move.objects.count() == 1
    assert not AnsweredRequest.objects.exists()


def test_an_act_is_answered_with_its_version_where_the_stream_brings_the_table(
    alice: Program, baccarat: Table
) -> None:
    address = f"tables/{baccarat.pk}/act/?streamed=true"
    sent = bet(alice, baccarat)
    for _request in range(2):
        assert (alice.post(address, sent), alice.status) == (None, 204)
        baccarat.refresh_from_db()
        assert alice.answer_headers["Stream-Version"] == str(baccarat.version)
    assert alice.refused(alice.post(address, sent | {"hand": 999999}))[0] == 409


def test_an_act_at_a_table_that_is_hidden_is_refused_as_at_none(
    house: House, alice: Program
) -> None:
    table = house.table("baccarat", private=True)
    body = {"hand": 1, "turn": 0, "action": {"do": "done"}}
    for number in (table.pk, table.pk + 1, 10**18):
        answer = alice.post(f"tables/{number}/act/", body)
        assert alice.refused(answer) == (404, "no_such_table")


def test_a_key_belongs_to_its_player(house: House, alice: Program) -> None:
    house.player("bob")
    bob, table = Program("bob"), house.table("baccarat")
    for number, program in enumerate((alice, bob), 1):
        body = {"seat": number, "amount": 20_000}
        assert program.post(f"tables/{table.pk}/sit/", body, key="one")["mine"]["number"] == number
    assert Seat.objects.count() == 2


def test_a_repeated_request_gets_the_same_refusal(house: House, alice: Program) -> None:
    """Or a program would not know whether its request had been done."""
    table, bob = house.table("baccarat"), house.player("bob")
    seat = house.sit(bob, table, 1)
    body = {"seat": 1, "amount": 20_000}
    first = alice.post(f"tables/{table.pk}/sit/", body, key="one")
    assert alice.refused(first) == (409, "seat_taken")
    house.leave(bob, table)
    assert alice.post(f"tables/{table.pk}/sit/", body, key="one") == first
    assert alice.status == 409
    assert not table.seats.exclude(pk=seat.pk).exists()
    alice.post(f"tables/{table.pk}/sit/", body, key="two")
    assert alice.status == 200


def test_unreadable_input_uses_no_key_up(house: House, alice: Program, baccarat: Table) -> None:
    good = bet(alice, baccarat)
    for bad in (
        good | {"action": {"do": "nothing"}},
        good | {"turn": "0"},
        good | {"more": 1},
    ):
        answer = alice.post(f"tables/{baccarat.pk}/act/", bad, key="one")
        assert alice.status == 400, answer
    assert not AnsweredRequest.objects.exists()
    alice.post(f"tables/{baccarat.pk}/act/", good, key="one")
    assert alice.status == 200
    assert Move.objects.count() == 1


def test_a_request_without_a_usable_key_is_refused(alice: Program, baccarat: Table) -> None:
    for key in ("", "x" * 65, "with\ttab", "schlüssel"):
        answer = alice.post(f"tables/{baccarat.pk}/leave/", key=key)
        assert alice.refused(answer) == (400, "idempotency_key"), key
    assert Seat.objects.filter(left_at=None).exists()


def test_a_place_that_is_kept_is_kept_once(house: House, alice: Program) -> None:
    """The same request again does not keep a place that has been given up since."""
    house.bots(3)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("bob"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    wanted = {"seat": 2, "amount": 20_000}
    assert alice.post(f"tables/{table.pk}/sit/", wanted, key="one")["kept"] == 2
    assert alice.post(f"tables/{table.pk}/leave/")["kept"] is None
    assert alice.post(f"tables/{table.pk}/sit/", wanted, key="one")["kept"] is None


def test_stored_answers_hold_no_word_of_a_refusal(house: House, alice: Program) -> None:
    table = house.table("baccarat")
    house.sit(house.player("bob"), table, 1)
    body = {"seat": 1, "amount": 20_000}
    refused = alice.post(f"tables/{table.pk}/sit/", body, key="refused")
    assert alice.status == 409, refused
    alice.post(f"tables/{table.pk}/sit/", body | {"seat": 2}, key="done")
    assert alice.status == 200
    assert AnsweredRequest.objects.count() == 2
    for row in AnsweredRequest.objects.values():
        kept = " ".join(str(value) for value in row.values())
        assert refused["sentence"] not in kept
        assert refused["code"] not in kept
    assert alice.post(f"tables/{table.pk}/sit/", body, key="refused") == refused


def test_a_repeat_is_answered_with_how_things_stand_now(
    house: House, alice: Program, baccarat: Table
) -> None:
    body = bet(alice, baccarat)
    then = alice.post(f"tables/{baccarat.pk}/act/", body, key="one")
    house.until(baccarat, lambda table: table.hand_id is None)
    now = alice.post(f"tables/{baccarat.pk}/act/", body, key="one")
    assert alice.status == 200
    assert then["version"] < now["version"]
    assert now["phase"] == "pause"


def test_a_player_who_left_a_private_table_does_not_see_it_again(
    house: House, alice: Program
) -> None:
    table = house.table("baccarat", private=True)
    there = f"tables/{table.pk}/"
    alice.get(there)
    assert alice.status == 404
    query = f"?invitation={table.invitation}"
    alice.post(f"{there}sit/{query}", {"seat": 1, "amount": 20_000})
    assert alice.status == 200
    for _ in range(2):
        assert alice.post(f"{there}leave/", key="one") is None
        assert alice.status == 204
    assert house.wallet(house.person("alice")).balance == MONEY
    answer = alice.post(f"{there}leave/", key="two")
    assert alice.refused(answer) == (404, "no_such_table")


def test_a_failure_leaves_neither_key_nor_effect(
    house: House, alice: Program, baccarat: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key is as if it had never been sent, and the repeat does the work."""
    works = store_table

    def breaks(table: Table) -> None:
        works(table)
        raise RuntimeError("the process ends here")

    monkeypatch.setattr(seating, "store_table", breaks)
    answer = alice.post(f"tables/{baccarat.pk}/top-up/", {"amount": 500}, key="one")
    assert alice.refused(answer) == (500, "fault")
    assert house.stack(baccarat, "alice") == 50_000
    assert not AnsweredRequest.objects.exists()
    monkeypatch.setattr(seating, "store_table", works)
    alice.post(f"tables/{baccarat.pk}/top-up/", {"amount": 500}, key="one")
    assert alice.status == 200
    assert house.stack(baccarat, "alice") == 50_500


def test_the_same_request_ten_times_at_once_is_done_once(house: House, alice: Program) -> None:
    table = house.table("baccarat")
    house.sit(house.person("alice"), table, 1, 20_000)

    def top_up() -> tuple[int, Any]:
        program = Program()
        program.headers = dict(alice.headers)
        view = program.post(f"tables/{table.pk}/top-up/", {"amount": 1_000}, key="one")
        return program.status, view["mine"]["purse"]

    answers = at_once(*[top_up] * 10)
    assert answers == [(200, 21_000)] * 10
    assert house.stack(table, "alice") == 21_000
    assert AnsweredRequest.objects.count() == 1
    assert house.total() == 0


def test_one_of_ten_simultaneous_requests_with_one_key_is_done(
    house: House, alice: Program
) -> None:
    table = house.table("baccarat")
    house.sit(house.person("alice"), table, 1, 20_000)

    def top_up(amount: int) -> Callable[[], tuple[int, str]]:
        def send() -> tuple[int, str]:
            program = Program()
            program.headers = dict(alice.headers)
            answer = program.post(f"tables/{table.pk}/top-up/", {"amount": amount}, key="one")
            return program.status, answer.get("code", "")

        return send

    answers = at_once(*[top_up(1_000 + number) for number in range(10)])
    assert sorted(answers) == [(200, "")] + [(409, "key_reused")] * 9
    assert 21_000 <= house.stack(table, "alice") < 21_010


@pytest.mark.always
def test_keys_are_kept_for_a_day_and_then_forgotten(
    house: House, alice: Program, baccarat: Table
) -> None:
    alice.post(f"tables/{baccarat.pk}/sit-out/", key="one")
    house.now += timedelta(hours=23)
    assert forget_answers() == 0
    house.now += timedelta(hours=2)
    assert forget_answers() == 1
    assert not AnsweredRequest.objects.exists()
