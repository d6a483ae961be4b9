"""Proposals for tests: a player, a cashier, two managers, and a large deposit that waits."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from wallets.models import Account, Currency
from wallets.models.staff_models import Proposal
from wallets.money.accounts import account
from wallets.staff import approvals
from wallets.values.errors import Refused

NOW = timezone.now()


def person(name: str, *groups: str) -> Player:
    player: Player = get_user_model().objects.create_user(name)
    if groups:
        appoint(player, *groups)
    return Player.objects.get(pk=player.pk)


@pytest.fixture
def euro(db: None) -> Currency:
    return Currency.objects.create(code="EUR", name="Euro", exponent=2)


@pytest.fixture
def alice(db: None) -> Player:
    return person("alice")


@pytest.fixture
def carl(db: None) -> Player:
    return person("carl", "cashiers")


@pytest.fixture
def mona(db: None) -> Player:
    return person("mona", "managers")


@pytest.fixture
def max_(db: None) -> Player:
    return person("max", "managers")


def paid_in(
    member: Player, player: Player, amount: int, key: UUID | None = None, verb: str = "deposit"
) -> approvals.Submitted:
    arguments = {"player": f"player:{player.pk}", "currency": "EUR", "amount": amount}
    return approvals.submit(
        member, verb, arguments, reason="at the desk", key=key or uuid4(), now=NOW
    )


def held(player: Player) -> int:
    return account(Account.Kind.PLAYER, f"player:{player.pk}", "EUR").balance


@pytest.fixture
def large(euro: Currency, alice: Player, carl: Player) -> Proposal:
    """A deposit that needs a second person."""
    proposal = paid_in(carl, alice, 5_000_00).proposal
    assert proposal is not None
    return proposal


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code
