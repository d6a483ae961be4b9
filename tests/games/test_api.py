"""The API's addresses: the lobby, tables, seats and turns; for players and for strangers."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Move, Table
from tests.games.house import MONEY, House
from tests.games.program import VERBS, Program, bet
from wallets.models import Transaction

# Who may, and how


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_is_for_who_has_signed_in(
    house: House, stranger: Program, baccarat: Table, verb: str
) -> None:
    before = Transaction.objects.count()
    told = stranger.post(f"tables/{baccarat.pk}/{verb}/", {"seat": 2, "amount": 20_000})
    assert stranger.refused(told) == (401, "not_signed_in")
    assert stranger.answer_headers["WWW-Authenticate"] == "Bearer"
    assert Transaction.objects.count() == before
    assert not Move.objects.exists()


@pytest.mark.parametrize("path", ["hands/", "hands/1/", "hands/1/record/", "wallet/", "wallet/X/"])
def test_what_is_a_players_own_is_for_who_has_signed_in(stranger: Program, path: str) -> None:
    assert stranger.refused(stranger.get(path)) == (401, "not_signed_in")


def test_the_lobby_and_open_tables_are_for_everybody(
    house: House, stranger: Program, baccarat: Table
) -> None:
    (told,) = stranger.get("tables/")["tables"]
    assert (told["id"], told["taken"], told["places"]) == (baccarat.pk, 1, baccarat.places)
    told = stranger.get(f"tables/{baccarat.pk}/")
    assert told["view"]["game"] == "baccarat"
    assert (told["mine"], told["turn"], told["choices"]) == (None, None, [])


def test_who_does_not_sit_there_changes_nothing(
    house: House, alice: Program, bob: Program, baccarat: Table
) -> None:
    shoe = {"shoe": baccarat.shoe_id, "commit": "00" * 32, "reveal": "00" * 32}
    for verb, body in {
        "act": bet(alice, baccarat),
        "top-up": {"amount": 500},
        "sit-out": {},
        "sit-in": {},
        "trustee": {},
        "take-over": {},
        "leave": {},
        "commit": {name: shoe[name] for name in ("shoe", "commit")},
        "reveal": {name: shoe[name] for name in ("shoe", "reveal")},
    }.items():
        told = bob.post(f"tables/{baccarat.pk}/{verb}/", body)
        assert bob.refused(told) == (409, "not_seated_here"), verb
    assert not Move.objects.exists()


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("verb", ["act", "sit", "leave"])
def test_a_verb_is_sent_by_post(alice: Program, baccarat: Table, method: str, verb: str) -> None:
    told = alice.send(method, f"tables/{baccarat.pk}/{verb}/")
    assert alice.refused(told) == (405, "wrong_method")
    assert alice.answer_headers["Allow"] == "POST, OPTIONS"


@pytest.mark.parametrize(
    "path",
    ["tables/", "tables/1/", "hands/", "hands/1/", "hands/1/record/", "wallet/", "wallet/P/"],
)
def test_what_is_looked_at_takes_no_post(alice: Program, path: str) -> None:
    assert alice.refused(alice.post(path)) == (405, "wrong_method")


@pytest.mark.parametrize(
    "path", ["tables/99/", "hands/99/", "hands/99/record/", "wallet/NONE/", "nothing/", "../v2/"]
)
def test_what_is_not_there_is_not_found(alice: Program, path: str) -> None:
    assert alice.refused(alice.get(path))[0] == 404


def test_a_private_table_is_hidden_without_its_invitation(
    house: House, alice: Program, stranger: Program
) -> None:
    table = house.table("baccarat", private=True)
    assert alice.get("tables/")["tables"] == []
    for program in (alice, stranger):
        told = program.get(f"tables/{table.pk}/")
        assert program.refused(told) == (404, "no_such_table")
        told = program.get(f"tables/{table.pk}/", invitation="guessed")
        assert program.refused(told) == (404, "no_such_table")
        told = program.get(f"tables/{table.pk}/", invitation=table.invitation)
        assert program.status == 200
        assert told["stream"].endswith(f"?invitation={table.invitation}")
    body = {"seat": 1, "amount": 20_000}
    assert alice.refused(alice.post(f"tables/{table.pk}/sit/", body)) == (404, "no_such_table")
    alice.post(f"tables/{table.pk}/sit/?invitation={table.invitation}", body)
    assert alice.status == 200
    assert alice.get(f"tables/{table.pk}/")["mine"]["number"] == 1


def test_answers_are_kept_by_nobody_on_the_way(alice: Program, baccarat: Table) -> None:
    alice.get(f"tables/{baccarat.pk}/")
    assert alice.answer_headers["Cache-Control"] == "private, no-store"


# The lobby


def test_the_lobby_can_be_searched(house: House, alice: Program) -> None:
    for game in ("baccarat", "doudizhu"):
        house.table(game, places=3)
    full = house.table("baccarat", places=1)
    house.sit(house.person("alice"), full, 1)
    house.table("baccarat", status=Table.Status.CLOSED)
    games = [told["game"] for told in alice.get("tables/")["tables"]]
    assert games == ["baccarat", "baccarat", "doudizhu"]
    for query, found in (
        ({"game": "doudizhu"}, 1),
        ({"game": "chinese_poker"}, 0),
        ({"free": "true"}, 2),
        ({"free": "false"}, 1),
        ({"currency": "PLAY"}, 3),
        ({"currency": "EUR"}, 0),
        ({"phase": "waiting", "game": "baccarat", "free": "true"}, 1),
    ):
        assert len(alice.get("tables/", **query)["tables"]) == found, query
    for query in ({"game": "whist"}, {"free": "perhaps"}, {"phase": "x"}, {"gmae": "baccarat"}):
        told = alice.get("tables/", **query)
        assert alice.status == 400
        assert told["path"] == f"$.{next(iter(query))}"


def test_the_lobby_tells_the_stakes(house: House, alice: Program) -> None:
    house.table("doudizhu", options={"point": 25})
    (told,) = alice.get("tables/")["tables"]
    assert told["options"]["point"] == 25
    assert told["currency"]["code"] == "PLAY"
    assert (told["buy_in_min"], told["buy_in_max"], told["purse_min"]) == (10_000, 100_000, 1_000)


def test_the_lobby_asks_as_often_for_many_tables_as_for_one(house: House, alice: Program) -> None:
    asked = []
    for _ in range(2):
        house.table("baccarat")
        with CaptureQueriesContext(connection) as queries:
            alice.get("tables/")
        asked.append(len(queries))
        for _ in range(8):
            house.table("doudizhu")
    assert asked[0] == asked[1]


# A seat, from sitting down to leaving


def test_a_stay_at_a_table(house: House, alice: Program) -> None:
    table = house.table("baccarat")
    there = f"tables/{table.pk}"
    told = alice.post(f"{there}/sit/", {"seat": 3, "amount": 20_000})
    assert told["mine"] == {
        "number": 3,
        "purse": 20_000,
        "top_up": 0,
        "sits_out": False,
        "sat_out_by_house": False,
        "trustee": False,
        "leaves": False,
    }
    assert told["free"] == [number for number in range(1, table.places + 1) if number != 3]
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
    assert [entry["kind"] for entry in rest["entries"]] == ["buy_in", "deposit"]


def test_a_wallet_is_its_owners(house: House, alice: Program, bob: Program) -> None:
    alice.post(f"tables/{house.table('baccarat').pk}/sit/", {"seat": 1, "amount": 20_000})
    assert [entry["amount"] for entry in bob.get("wallet/PLAY/")["entries"]] == [MONEY]


def test_the_purse_can_be_too_small(house: House) -> None:
    house.player("carol", 5_000)
    carol, table = Program("carol"), house.table("baccarat")
    told = carol.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert carol.refused(told) == (409, "overdrawn")
    told = carol.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 500})
    assert carol.refused(told) == (409, "buy_in_bounds")
    assert "10" in told["sentence"]
    assert not table.seats.exists()


def test_who_looks_is_seen(house: House, alice: Program, baccarat: Table) -> None:
    house.pass_time(50)
    alice.get(f"tables/{baccarat.pk}/", known=-1)
    assert house.seat(baccarat, "alice").seen_at == house.now


def test_who_knows_the_newest_version_is_told_nothing(alice: Program, baccarat: Table) -> None:
    known = alice.get(f"tables/{baccarat.pk}/")["version"]
    assert alice.get(f"tables/{baccarat.pk}/", known=known) is None
    assert alice.status == 204
    alice.post(f"tables/{baccarat.pk}/act/", bet(alice, baccarat))
    assert alice.get(f"tables/{baccarat.pk}/", known=known)["version"] > known


def test_a_program_takes_part_in_the_mixing(house: House, alice: Program) -> None:
    from games.rules.shoe import Ceremony

    table = house.table("baccarat")
    there, octets = f"tables/{table.pk}", b"\x07" * 32
    alice.post(f"{there}/sit/", {"seat": 1, "amount": 20_000})
    house.until(table, lambda table: table.shoe_id is not None)
    shoe = alice.get(f"{there}/")["shoe"]
    assert shoe["wants_commit"]
    commit = Ceremony(shoe["code"]).commitment(1, octets).hex()
    told = alice.post(f"{there}/commit/", {"shoe": shoe["code"], "commit": commit})
    assert not told["shoe"]["wants_commit"]
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    assert alice.get(f"{there}/")["shoe"]["wants_reveal"]
    wrong = {"shoe": shoe["code"], "reveal": "08" * 32}
    assert alice.refused(alice.post(f"{there}/reveal/", wrong)) == (400, "reveal")
    told = alice.post(f"{there}/reveal/", {"shoe": shoe["code"], "reveal": octets.hex()})
    assert told["phase"] == "play"
    table.refresh_from_db()
    assert house.state(table)[0].shoe.seats.get().by_house is False
    told = alice.post(f"{there}/commit/", {"shoe": "T0-0", "commit": commit})
    assert alice.refused(told) == (409, "no_such_shoe")


# Turns


def test_a_turn_gone_by_is_refused_and_the_same_action_again_is_not(
    house: House, alice: Program, baccarat: Table
) -> None:
    first = bet(alice, baccarat)
    alice.post(f"tables/{baccarat.pk}/act/", first)
    # Another key, the same turn and the same action: it was done.
    alice.post(f"tables/{baccarat.pk}/act/", first)
    assert alice.status == 200
    assert Move.objects.count() == 1
    told = alice.post(f"tables/{baccarat.pk}/act/", first | {"turn": 7})
    assert alice.refused(told) == (409, "turn_over")
    told = alice.post(f"tables/{baccarat.pk}/act/", first | {"hand": 999})
    assert alice.refused(told) == (409, "no_such_hand")
    house.until(baccarat, lambda table: table.hand_id is None)
    late = first | {"action": first["action"] | {"amount": 700}}
    assert alice.refused(alice.post(f"tables/{baccarat.pk}/act/", late)) == (409, "hand_over")
    alice.post(f"tables/{baccarat.pk}/act/", first)
    assert alice.status == 200


def test_amounts_in_a_refusal_are_told_as_money(house: House, alice: Program) -> None:
    table = house.table("baccarat", options={"min": 2_500})
    house.sit(house.person("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    told = alice.post(f"tables/{table.pk}/act/", bet(alice, table, amount=100))
    assert alice.refused(told)[0] == 409
    assert "25" in told["sentence"]
    assert "2500" not in told["sentence"].replace(",", "")
