"""Programs arrange what players arrange: withdrawals, limits, the reminder, and time away."""

from uuid import uuid4

import pytest

from casino.care.models import Exclusion, PlayerLimit
from casino.office.desk.models import WithdrawalRequest
from tests.games.house import House
from tests.games.program import PASSWORD, Program
from tests.people import BY_TEST
from wallets.models import Currency
from wallets.money import cashier


@pytest.fixture
def alice(db: None) -> Program:
    house = House()
    player = house.player("alice")
    player.set_password(PASSWORD)
    player.save()
    euro = Currency.objects.create(code="EUR", name="Euro")
    cashier.deposit(f"player:{player.pk}", euro, 5_000, key=uuid4(), **BY_TEST)
    return Program("alice")


def balance(program: Program) -> int:
    accounts = program.get("wallet/")["accounts"]
    return next(account["balance"] for account in accounts if account["currency"]["code"] == "EUR")


def test_a_withdrawal_is_requested_once_and_taken_back(alice: Program) -> None:
    body = {"currency": "EUR", "amount": 1_000}
    for _again in range(2):
        made = alice.post("withdrawals/", body, key="one")["withdrawals"]
        assert [(withdrawal["amount"], withdrawal["status"]) for withdrawal in made] == [
            (1_000, "waiting")
        ]
    assert balance(alice) == 4_000
    assert alice.refused(alice.post("withdrawals/", body)) == (409, "request_waits")
    taken = alice.post(f"withdrawals/{made[0]['id']}/cancel/")["withdrawals"]
    assert taken[0]["status"] == "cancelled"
    assert balance(alice) == 5_000
    assert alice.get("withdrawals/", limit=1)["next"] is None


@pytest.mark.parametrize(("code", "refusal"), [("PLAY", "no_such_currency"), ("EUR", "overdrawn")])
def test_the_desk_pays_money_that_is_there(alice: Program, code: str, refusal: str) -> None:
    answer = alice.post("withdrawals/", {"currency": code, "amount": 9_000_000})
    assert answer["code"] == refusal
    assert not WithdrawalRequest.objects.exists()


@pytest.mark.always
def test_a_looser_limit_waits(alice: Program) -> None:
    limit = {"what": "stake", "period": "day", "currency": "EUR", "value": 500}
    held = alice.post("limits/", limit)
    assert [(row["value"], row["used"]) for row in held["held"]] == [(500, 0)]
    both = alice.post("limits/", limit | {"value": 900})
    assert (both["held"][0]["value"], both["waiting"][0]["value"]) == (500, 900)
    number = both["waiting"][0]["id"]
    assert alice.refused(alice.post(f"limits/{number}/confirm/")) == (409, "too_early")
    assert alice.post(f"limits/{number}/withdraw/")["waiting"] == []
    assert PlayerLimit.objects.count() == 2


@pytest.mark.always
def test_the_reminder_is_answered(alice: Program) -> None:
    assert alice.get("reality-check/") == {"session": None}
    assert alice.post("reality-check/") == {"session": None}
    assert alice.status == 200


def test_an_exclusion_needs_the_password_and_ends_the_token(alice: Program) -> None:
    body = {"kind": "time_out", "days": 7, "password": "not this one"}
    assert alice.refused(alice.post("exclusion/", body)) == (409, "wrong_password")
    assert not Exclusion.objects.exists()
    alice.post("exclusion/", body | {"password": PASSWORD})
    assert alice.status == 204
    assert alice.refused(alice.get("wallet/")) == (401, "token_refused")
