"""Everything about promotions that two could do at once: earned once, posted once, sums of zero."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from casino.community.promotions.books import forfeiting, paying
from casino.community.promotions.models import PromotionAward
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import CashBack, Mission, RakeBack
from games.models import HandSeat
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.games.house import House
from tests.games.simultaneous import at_once
from wallets.models import Account, Transaction
from wallets.money import cashier
from wallets.values.days import day_of, end_of
from wallets.values.errors import Refused

STATED: Any = {"actor": "test", "reason": "a test"}
Racing = Callable[["Situation"], list[Callable[[], object]]]


class Situation:
    """Alice has a bonus that her next hand releases, and a mission that it completes."""

    def __init__(self, house: House) -> None:
        self.scene = Scene(house)
        self.hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
        self.scene.publish(Bonus(given_for="first_hand", most=1_000, times=2, bet_max=10_000))
        self.scene.publish(Mission(goal=2, pay=700, what="wins"))
        self.hands.play([{1: 1}])
        self.scene.take()
        self.alice = self.hands.players[0]
        self.owner = f"player:{self.alice.pk}"
        self.award = PromotionAward.objects.get(player=self.alice)
        (last,) = self.hands.play([{1: 10}])
        HandSeat.objects.filter(hand=last, number=1).update(rake=100)
        self.now = self.scene.now

    def withdraw(self) -> None:
        with suppress(Refused):
            cashier.withdraw(self.owner, self.scene.house.currency, 500, key=uuid4(), **STATED)

    def forfeit(self) -> None:
        with suppress(Refused):
            forfeiting.forfeit(self.alice, self.award.pk, self.now)

    def deposit(self, key: Any) -> None:
        cashier.deposit(self.owner, self.scene.house.currency, 500, key=key, **STATED)


def _deposited_twice(situation: Situation) -> list[Callable[[], object]]:
    key = uuid4()
    return [lambda: situation.deposit(key), lambda: situation.deposit(key), situation.scene.take]


RACES: dict[str, Racing] = {
    "two workers": lambda one: [one.scene.take] * 2,
    "four workers": lambda one: [one.scene.take] * 4,
    "a worker and a payer": lambda one: [one.scene.take, paying.post_due],
    "payers": lambda one: [one.scene.take, paying.post_due, paying.post_due],
    "given up in two tabs": lambda one: [one.forfeit] * 2,
    "given up while it is released": lambda one: [one.forfeit, one.scene.take],
    "a withdrawal beside a release": lambda one: [one.withdraw, one.scene.take],
    "two withdrawals beside it": lambda one: [one.withdraw, one.withdraw, one.scene.take],
    "a withdrawal and a forfeit": lambda one: [one.withdraw, one.forfeit, one.scene.take],
    "a deposit sent twice": _deposited_twice,
}


@pytest.mark.release
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("race", RACES)
def test_whoever_comes_first_it_is_earned_once(house: House, race: str) -> None:
    situation = Situation(house)
    at_once(*RACES[race](situation))
    house.pass_time(180)
    situation.scene.take()
    kinds = list(Transaction.objects.values_list("kind", flat=True))
    # Three bonuses of first hands, and one mission.
    assert kinds.count("award") == 4
    assert kinds.count("award_release") + kinds.count("award_return") == 1
    assert Account.objects.aggregate(sum=Sum("balance"))["sum"] == 0
    assert situation.scene.findings() == []


def test_the_last_hand_before_midnight_belongs_to_its_day(house: House) -> None:
    scene = Scene(house)
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    scene.publish(Mission(goal=1, pay=700, window="day"))
    midnight = end_of(day_of(house.now))
    house.now = midnight - timedelta(seconds=2)
    # One hand a second: before midnight, at it, and after it.
    hands.play([{1: 1}, {1: 1}, {1: 1}])
    scene.take()
    facts = PromotionAward.objects.filter(player__username="alice").values_list("fact", flat=True)
    today, tomorrow = day_of(midnight - timedelta(seconds=1)), day_of(midnight)
    assert sorted(facts) == [f"window:{today}", f"window:{tomorrow}"]
    assert scene.findings() == []


@pytest.mark.postgresql
def test_ten_promotions_cost_a_hand_next_to_nothing(house: House) -> None:
    """The end of a hand asks for nothing; a worker takes some hundred hands in one batch."""
    scene = Scene(house)
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    kinds = (Mission(), Mission(what="wins"), Race(), Race(by="wins"), CashBack(), RakeBack())
    for kind in (*kinds, HighHand(), Mission(goal=5), Mission(window="week"), Race(by="rake")):
        scene.publish(kind)
    hands.play([{1: 1}] * 300)
    with CaptureQueriesContext(connection) as counted:
        scene.take()
    # A hand of Dou Dizhu takes more than thirty, of which this is less than a twentieth.
    assert len(counted) / 300 < 1
    assert scene.findings() == []
