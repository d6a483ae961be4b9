"""The API's addresses: the lobby, tables, seats and turns; for players and for strangers."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.office.desk import requests
from games.models import Move, Table
from games.models.tables import TIME_BANK
from tests.games.commit_reveal import Device
from tests.games.house import MONEY, House
from tests.games.program import VERBS, Program, bet
from wallets.models import Transaction

# Permissions and methods


def test_a_stranger_can_use_no_verb(stranger: Program, baccarat: Table) -> None:
    before = Transaction.objects.count()
    for verb in VERBS:
        answer = stranger.post(f"tables/{baccarat.pk}/{verb}/", {"seat": 2, "amount": 20_000})
        assert stranger.refused(answer) == (401, "not_signed_in"), verb
        assert stranger.answer_headers["WWW-Authenticate"] == "Bearer"
    assert Transaction.objects.count() == before
    assert not Move.objects.exists()


READ_ONLY = ["hands/", "hands/1/", "hands/1/record/", "wallet/", "wallet/P/"]


@pytest.mark.always
def test_a_stranger_gets_no_hands_and_no_wallet(stranger: Program) -> None:
    for path in READ_ONLY:
        assert stranger.refused(stranger.get(path)) == (401, "not_signed_in"), path


def test_the_lobby_and_open_tables_are_for_everybody(
    house: House, stranger: Program, baccarat: Table
) -> None:
    (shown,) = stranger.get("tables/")["tables"]
    assert (shown["id"], shown["taken"], shown["places"]) == (baccarat.pk, 1, baccarat.places)
    shown = stranger.get(f"tables/{baccarat.pk}/")
    assert shown["view"]["game"] == "baccarat"
    assert (shown["mine"], shown["turn"], shown["choices"]) == (None, None, [])


def test_a_player_without_a_seat_there_changes_nothing(
    house: House, alice: Program, bob: Program, baccarat: Table
) -> None:
    for verb, body in {
        "act": bet(alice, baccarat),
        "top-up": {"amount": 500},
        "sit-out": {},
        "sit-in": {},
        "trustee": {},
        "take-over": {},
        "leave": {},
        "mix": {"mix": f"start {'00' * 32}"},
    }.items():
        answer = bob.post(f"tables/{baccarat.pk}/{verb}/", body)
        assert bob.refused(answer) == (409, "not_seated_here"), verb
    assert not Move.objects.exists()


def test_each_address_takes_its_own_method(alice: Program, baccarat: Table) -> None:
    for verb in ("act", "sit", "leave"):
        for method in ("GET", "PUT", "PATCH", "DELETE"):
            answer = alice.send(method, f"tables/{baccarat.pk}/{verb}/")
            assert alice.refused(answer) == (405, "wrong_method"), (method, verb)
            assert alice.answer_headers["Allow"] == "POST"
    for path in ("tables/", "tables/1/", *READ_ONLY):
        assert alice.refused(alice.post(path)) == (405, "wrong_method"), path


def test_only_json_is_answered(stranger: Program, baccarat: Table) -> None:
    for accepted, status in (("text/html", 406), ("text/html, */*;q=0.1", 200), ("", 200)):
        stranger.headers["Accept"] = accepted
        answer = stranger.get(f"tables/{baccarat.pk}/")
        assert stranger.status == status, accepted
        assert status == 200 or answer["code"] == "not_acceptable"


def test_a_session_changes_something_only_with_its_form_token(
    house: House, alice: Program, baccarat: Table
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(house.person("alice"))
    look = browser.get(f"/api/v1/tables/{baccarat.pk}/")
    assert look.json()["mine"]["number"] == 1
    leave, headers = f"/api/v1/tables/{baccarat.pk}/leave/", {"Idempotency-Key": "one"}
    refused = browser.post(leave, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    browser.get("/lobby/")
    headers["X-CSRFToken"] = browser.cookies["csrftoken"].value
    form = browser.post(leave, headers=headers)
    assert (form.status_code, form.json()["code"]) == (415, "not_json")
    assert alice.get(f"tables/{baccarat.pk}/")["mine"]
    left = browser.generic("POST", leave, headers=headers)
    assert left.status_code == 200
    assert alice.get(f"tables/{baccarat.pk}/")["mine"] is None


def test_a_missing_object_is_not_found(alice: Program) -> None:
    of_hand = ("hands/999999/", "hands/999999/record/")
    for path in ("tables/999999/", *of_hand, "wallet/NONE/", "nothing/", "../v2/"):
        assert alice.refused(alice.get(path))[0] == 404, path


def test_a_private_table_is_hidden_without_its_invitation(
    house: House, alice: Program, stranger: Program
) -> None:
    table = house.table("baccarat", private=True)
    assert alice.get("tables/")["tables"] == []
    for program in (alice, stranger):
        answer = program.get(f"tables/{table.pk}/")
        assert program.refused(answer) == (404, "no_such_table")
        answer = program.get(f"tables/{table.pk}/", invitation="guessed")
        assert program.refused(answer) == (404, "no_such_table")
        answer = program.get(f"tables/{table.pk}/", invitation=table.invitation)
        assert program.status == 200
        # The ticket in it says who was invited.
        assert answer["stream"].startswith(f"/live/tables/{table.pk}/?ticket=")
    body = {"seat": 1, "amount": 20_000}
    assert alice.refused(alice.post(f"tables/{table.pk}/sit/", body)) == (404, "no_such_table")
    alice.post(f"tables/{table.pk}/sit/?invitation={table.invitation}", body)
    assert alice.status == 200
    assert alice.get(f"tables/{table.pk}/")["mine"]["number"] == 1


def test_no_cache_may_keep_an_answer(alice: Program, baccarat: Table) -> None:
    alice.get(f"tables/{baccarat.pk}/")
    assert alice.answer_headers["Cache-Control"] == "private, no-store"


# The lobby


def test_the_lobby_can_be_searched(house: House, alice: Program) -> None:
    for game in ("baccarat", "doudizhu"):
        house.table(game, places=3)
    full = house.table("baccarat", places=1)
    house.sit(house.person("alice"), full, 1)
    house.table("baccarat", status=Table.Status.CLOSED)
    games = [answer["game"] for answer in alice.get("tables/")["tables"]]
    assert games == ["baccarat", "baccarat", "doudizhu"]
    for query, count in (
        ({"game": "doudizhu"}, 1),
        ({"game": "chinese_poker"}, 0),
        ({"free": "true"}, 2),
        ({"free": "false"}, 1),
        ({"currency": "PLAY"}, 3),
        ({"currency": "EUR"}, 0),
        ({"phase": "waiting", "game": "baccarat", "free": "true"}, 1),
    ):
        assert len(alice.get("tables/", **query)["tables"]) == count, query
    for query in ({"game": "whist"}, {"free": "perhaps"}, {"phase": "x"}, {"gmae": "baccarat"}):
        answer = alice.get("tables/", **query)
        assert alice.status == 400
        assert answer["path"] == f"$.{next(iter(query))}"


def test_the_lobby_shows_the_stakes(house: House, alice: Program) -> None:
    house.table("doudizhu", options={"point": 25})
    (listed,) = alice.get("tables/")["tables"]
    assert listed["options"]["point"] == 25
    assert listed["currency"]["code"] == "PLAY"
    assert (listed["buy_in_min"], listed["buy_in_max"], listed["purse_min"]) == (
        10_000,
        100_000,
        1_000,
    )


def test_many_tables_in_the_lobby_cost_no_more_queries_than_one(
    house: House, alice: Program
) -> None:
    counts = []
    # The first request of all notes that its player is there.
    alice.get("tables/")
    for _ in range(2):
        house.table("baccarat")
        with CaptureQueriesContext(connection) as queries:
            alice.get("tables/")
        counts.append(len(queries))
        for _ in range(8):
            house.table("doudizhu")
    assert counts[0] == counts[1]


# A seat, from sitting down to leaving


@pytest.mark.always
def test_a_stay_at_a_table(house: House, alice: Program) -> None:
    table = house.table("baccarat")
    there = f"tables/{table.pk}"
    view = alice.post(f"{there}/sit/", {"seat": 3, "amount": 20_000})
    assert view["mine"] == {
        "number": 3,
        "purse": 20_000,
        "top_up": 0,
        "sits_out": False,
        "sat_out_by_house": False,
        "trustee": False,
        "leaves": False,
        "time_bank": TIME_BANK,
    }
    assert view["free"] == [number for number in range(1, table.places + 1) if number != 3]
    assert alice.post(f"{there}/top-up/", {"amount": 5_000})["mine"]["purse"] == 25_000
    for verb, name, value in (
        ("sit-out", "sits_out", True),
        ("sit-in", "sits_out", False),
        ("trustee", "trustee", True),
        ("take-over", "trustee", False),
    ):
        assert alice.post(f"{there}/{verb}/")["mine"][name] is value
    assert alice.post(f"{there}/leave/")["mine"] is None
    (account,) = alice.get("wallet/")["accounts"]
    assert account["balance"] == MONEY
    page = alice.get("wallet/PLAY/", limit=2)
    assert [entry["amount"] for entry in page["entries"]] == [25_000, -5_000]
    rest = alice.get("wallet/PLAY/", before=page["next"])
    assert [entry["amount"] for entry in rest["entries"]] == [-20_000, MONEY]
    assert rest["next"] is None
    assert [entry["kind"] for entry in rest["entries"]] == ["buy_in", "grant"]


def test_a_wallet_says_what_is_set_aside_and_at_tables(house: House, alice: Program) -> None:
    alice.post(f"tables/{house.table('baccarat').pk}/sit/", {"seat": 1, "amount": 20_000})
    requests.ask(house.person("alice"), house.currency, 400, key=uuid4(), now=house.now)
    (account,) = alice.get("wallet/")["accounts"]
    held = [account[name] for name in ("balance", "set_aside", "at_tables")]
    assert held == [MONEY - 20_400, 400, 20_000]


def test_a_wallet_is_its_owners(house: House, alice: Program, bob: Program) -> None:
    alice.post(f"tables/{house.table('baccarat').pk}/sit/", {"seat": 1, "amount": 20_000})
    assert [entry["amount"] for entry in bob.get("wallet/PLAY/")["entries"]] == [MONEY]


def test_a_wallet_that_holds_too_little_buys_no_seat(house: House, settings: Any) -> None:
    settings.PLAY_MONEY_REFILL = 0
    house.player("carol", 5_000)
    carol, table = Program("carol"), house.table("baccarat")
    answer = carol.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert carol.refused(answer) == (409, "overdrawn")
    answer = carol.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 500})
    assert carol.refused(answer) == (409, "buy_in_bounds")
    assert "10" in answer["sentence"]
    assert not table.seats.exists()


def test_asking_for_a_table_marks_the_player_as_seen(
    house: House, alice: Program, baccarat: Table
) -> None:
    house.pass_time(50)
    alice.get(f"tables/{baccarat.pk}/", known=-1)
    assert house.seat(baccarat, "alice").seen_at == house.now


def test_a_program_with_the_newest_version_gets_an_empty_answer(
    alice: Program, baccarat: Table
) -> None:
    known = alice.get(f"tables/{baccarat.pk}/")["version"]
    assert alice.get(f"tables/{baccarat.pk}/", known=known) is None
    assert alice.status == 204
    alice.post(f"tables/{baccarat.pk}/act/", bet(alice, baccarat))
    assert alice.get(f"tables/{baccarat.pk}/", known=known)["version"] > known


def test_a_program_takes_part_in_the_mixing(house: House, alice: Program) -> None:
    table = house.table("baccarat")
    there = f"tables/{table.pk}"
    alice.post(f"{there}/sit/", {"seat": 1, "amount": 20_000})
    house.until(table, lambda table: table.shoe_id is not None)
    shoe, device = alice.get(f"{there}/")["shoe"], Device(house, table, "alice")
    assert shoe["wants_start"]
    tip = device.chain[0].hex()
    view = alice.post(f"{there}/mix/", {"mix": f"start {tip}"})
    assert (view["shoe"]["wants_start"], view["shoe"]["tip"]) == (False, tip)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    assert alice.get(f"{there}/")["shoe"]["wants_link"]
    wrong = {"mix": f"{shoe['code']} {'08' * 32}"}
    assert alice.refused(alice.post(f"{there}/mix/", wrong)) == (400, "reveal")
    assert table.shoe is not None
    view = alice.post(f"{there}/mix/", {"mix": device.link_for(table.shoe)})
    assert view["phase"] == "play"
    table.refresh_from_db()
    assert house.state(table)[0].shoe.seats.get().by_house is False
    view = alice.post(f"{there}/mix/", {"mix": f"T0-0 {tip}"})
    assert alice.refused(view) == (409, "no_such_shoe")


# Turns


def test_a_stale_turn_is_refused_and_a_repeated_action_is_not(
    house: House, alice: Program, baccarat: Table
) -> None:
    first = bet(alice, baccarat)
    alice.post(f"tables/{baccarat.pk}/act/", first)
    # Another key, the same turn and the same action: it was done.
    alice.post(f"tables/{baccarat.pk}/act/", first)
    assert alice.status == 200
    assert Move.objects.count() == 1
    answer = alice.post(f"tables/{baccarat.pk}/act/", first | {"turn": 7})
    assert alice.refused(answer) == (409, "turn_over")
    answer = alice.post(f"tables/{baccarat.pk}/act/", first | {"hand": 999_999})
    assert alice.refused(answer) == (409, "no_such_hand")
    house.until(baccarat, lambda table: table.hand_id is None)
    late = first | {"action": first["action"] | {"amount": 700}}
    assert alice.refused(alice.post(f"tables/{baccarat.pk}/act/", late)) == (409, "hand_over")
    alice.post(f"tables/{baccarat.pk}/act/", first)
    assert alice.status == 200


@pytest.mark.always
def test_a_refusal_writes_amounts_as_money(house: House, alice: Program) -> None:
    table = house.table("baccarat", options={"min": 2_500})
    house.sit(house.person("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    answer = alice.post(f"tables/{table.pk}/act/", bet(alice, table, amount=100))
    assert alice.refused(answer)[0] == 409
    assert "25" in answer["sentence"]
    assert "2500" not in answer["sentence"].replace(",", "")


def test_a_program_bets_on_the_next_round_before_it_opens(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    house.act(table, "alice", {"do": "done"})
    alice = Program("alice")
    assert alice.get(f"tables/{table.pk}/")["mine"]["time_bank"] == TIME_BANK
    bets = [{"do": "bet", "on": "tie", "amount": 300}]
    for _again in range(2):
        alice.post(f"tables/{table.pk}/next-bets/", {"after": 1, "bets": bets})
        assert alice.status == 200
    table.refresh_from_db()
    assert table.hands_dealt == 2
    assert Move.objects.filter(hand__number=2, action__do="bet").get().action["on"] == "tie"
