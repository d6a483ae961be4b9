"""What the API refuses: unreadable input, and any request while the database is away."""

from typing import Any

import pytest
from django.db import OperationalError

from casino.accounts.models import Player
from games.models import Move, Table
from tests.games.house import House
from tests.games.program import Program, bet

BAD_AMOUNTS: Any = (
    "100",
    100.0,
    0.5,
    0,
    -1,
    10**15 + 1,
    10**40,
    True,
    None,
    [],
    {},
    "many",
)


def test_a_bad_amount_is_refused(house: House, alice: Program, baccarat: Table) -> None:
    before = house.stack(baccarat, "alice")
    for amount in BAD_AMOUNTS:
        answer = alice.post(f"tables/{baccarat.pk}/top-up/", {"amount": amount})
        assert (alice.status, answer["path"]) == (400, "$.amount"), amount
        answer = alice.post(f"tables/{baccarat.pk}/act/", bet(alice, baccarat, amount=amount))
        assert alice.refused(answer) == (400, "action"), amount
        assert answer["path"] == "$.action.amount"
    assert house.stack(baccarat, "alice") == before
    assert not Move.objects.exists()
    assert house.total() == 0


BAD_ACTIONS: list[tuple[dict[str, Any], str]] = [
    ({"turn": "0"}, "$.turn"),
    ({"turn": -1}, "$.turn"),
    ({"turn": 2**70}, "$.turn"),
    ({"turn": None}, "$.turn"),
    ({"turn": True}, "$.turn"),
    ({"hand": 1.0}, "$.hand"),
    ({"action": []}, "$.action"),
    ({"action": "bet"}, "$.action"),
    ({"action": {}}, "$.action"),
    ({"action": {"do": "bet"}}, "$.action"),
    ({"action": {"do": "fly"}}, "$.action.do"),
    ({"action": {"do": ["bet"]}}, "$.action.do"),
    ({"action": {"do": "bet", "on": "player", "amount": 5, "more": 1}}, "$.action"),
    ({"more": 1}, "$.more"),
]


@pytest.mark.always
def test_a_bad_action_is_refused_with_its_path(alice: Program, baccarat: Table) -> None:
    right = bet(alice, baccarat)
    missing = [({name: ...}, f"$.{name}") for name in right]
    for change, path in (*BAD_ACTIONS, *missing):
        body = {name: value for name, value in (right | change).items() if value is not ...}
        answer = alice.post(f"tables/{baccarat.pk}/act/", body)
        assert (alice.status, answer["path"]) == (400, path), answer
        assert answer["sentence"]
    assert not Move.objects.exists()


UNREADABLE = [
    "{",
    "nonsense",
    "[]",
    '"text"',
    '{"seat": NaN, "amount": 20000}',
    b"\xff\xfe",
    "[" * 100_000,
    '{"action": ' + "[" * 900 + "]" * 900 + "}",
    '{"seat": 1, "amount": 20000, "x": "' + "y" * 2_000_000 + '"}',
]


def test_a_body_that_is_no_object_is_refused(alice: Program, baccarat: Table) -> None:
    for text in UNREADABLE:
        for verb in ("sit", "act"):
            answer = alice.post(f"tables/{baccarat.pk}/{verb}/", text)
            assert alice.status == 400, text[:40]
            assert answer["sentence"]


def test_a_form_is_refused(alice: Program, baccarat: Table) -> None:
    sent = alice.client.post(
        f"/api/v1/tables/{baccarat.pk}/sit/",
        {"seat": 2, "amount": 20_000},
        headers=alice.headers | {"Idempotency-Key": "one"},
    )
    assert (sent.status_code, sent.json()["code"]) == (415, "not_json")


@pytest.mark.always
def test_a_refusal_is_in_the_readers_language(
    house: House, alice: Program, baccarat: Table
) -> None:
    """The header names it; without one it is the player's own."""
    alice.headers["Accept-Language"] = "zh-Hans"
    alice.get("tables/999999/")
    assert alice.answer_headers["Content-Language"] == "zh-hans"
    del alice.headers["Accept-Language"]
    alice.get("tables/999999/")
    assert alice.answer_headers["Content-Language"] == "en"
    Player.objects.update(language="zh-hant")
    alice.get("tables/999999/")
    assert alice.answer_headers["Content-Language"] == "zh-hant"


def test_a_database_that_is_gone_acknowledges_nothing(
    house: House, alice: Program, baccarat: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.tables import optimistic_act

    def gone(*_args: Any) -> None:
        raise OperationalError("the server closed the connection")

    body = bet(alice, baccarat)
    monkeypatch.setattr(optimistic_act, "WRITE_MOVES", gone)
    answer = alice.post(f"tables/{baccarat.pk}/act/", body)
    assert alice.refused(answer) == (503, "database_gone")
    assert int(alice.answer_headers["Retry-After"]) > 0
