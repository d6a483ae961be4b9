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

from casino.accounts.models import Player
from casino.care import exclusions
from casino.community.promotions.books import forfeiting, inviting, paying
from casino.community.promotions.models import PromotionAward, PromotionVersion
from casino.community.promotions.office import publishing
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import (
    CashBack,
    Friend,
    Mission,
    RakeBack,
    TicketMission,
)
from games.models import Hand, HandSeat
from games.tables import seating
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.games.house import House
from tests.games.simultaneous import at_once
from tests.tournaments.events import structure
from tournaments.models import Entry, Template, Ticket
from tournaments.running import announcing, entries
from wallets.models import Account, Transaction
from wallets.money import cashier
from wallets.money.cashier import HOUSE
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


# Races of which each has a house of its own.


def _reversed_beside(one: Situation) -> list[Callable[[], object]]:
    hand = Hand.objects.latest("pk")
    reverse = lambda: Hand.objects.filter(pk=hand.pk).update(  # noqa: E731
        status=Hand.Status.VOID, reversed_at=one.now, reversal=uuid4()
    )
    return [reverse, one.scene.take]


def _excluded_beside(one: Situation) -> list[Callable[[], object]]:
    return [lambda: exclusions.begin(one.alice, "time_out", 7, one.now), one.scene.take]


def _ended_beside(one: Situation) -> list[Callable[[], object]]:
    version = PromotionVersion.objects.latest("pk")
    end = lambda: publishing.end(one.scene.boss, version.pk, reason="a race", now=one.now)  # noqa: E731
    return [end, one.scene.take, one.scene.take]


def _last_of_the_budget(one: Situation) -> list[Callable[[], object]]:
    one.scene.publish(Mission(goal=1, pay=700), budget=1_000)
    one.hands.play([{1: 1}, {2: 1}])
    return [one.scene.take] * 3


def _ticket_given_twice(one: Situation) -> list[Callable[[], object]]:
    now = one.scene.now
    announcing.store_template(structure(), HOUSE, now)
    one.scene.publish(TicketMission(goal=1, pay=1_100, event="Evening"))
    one.hands.play([{1: 1}])
    return [one.scene.take, one.scene.take, paying.post_due]


def _ticket_used_in_two_tabs(one: Situation) -> list[Callable[[], object]]:
    now, calls = one.scene.now, _ticket_given_twice(one)
    one.scene.house.pass_time(180)
    calls[0]()
    template = Template.objects.select_related("currency").get()
    event = announcing.announce(template, now, by=HOUSE, starts_at=now + timedelta(days=1))
    enter = lambda: entries.register_with_ticket(one.alice, event.pk, now)  # noqa: E731
    return [enter, enter, one.scene.take]


def _invited_in_two_tabs(one: Situation) -> list[Callable[[], object]]:
    one.scene.publish(Friend(goal=1, pay=100, pay_inviter=300))
    alice, bob, carol = one.hands.players
    for player, days in ((alice, 40), (carol, 30), (bob, 0)):
        joined = one.now - timedelta(days=days)
        Player.objects.filter(pk=player.pk).update(date_joined=joined)
    bob.refresh_from_db()
    codes = [inviting.code_of(alice), inviting.code_of(alice), inviting.code_of(carol)]
    accept = [lambda code=code: inviting.accept(bob, code, one.now) for code in codes]
    return [*accept, one.scene.take]


def _at_midnight(one: Situation) -> list[Callable[[], object]]:
    one.scene.publish(Mission(goal=1, pay=700, window="day"))
    one.scene.house.now = end_of(day_of(one.scene.now)) - timedelta(seconds=2)
    one.hands.play([{1: 1}] * 3)
    one.scene.house.pass_time(180)
    return [one.scene.take] * 3


def _bets_beside(one: Situation) -> list[Callable[[], object]]:
    table = one.scene.house.table("chinese_poker")
    sit = lambda: seating.sit(one.alice, table.pk, 1, 20_000, one.now)  # noqa: E731
    return [sit, one.withdraw, one.scene.take]


def _deposits_beside(one: Situation) -> list[Callable[[], object]]:
    paid_at = Transaction.objects.latest("time").time
    bonus = Bonus(share_bp=5_000, most=1_000, deposit_min=100, times=2)
    one.scene.publish(bonus, starts=paid_at - timedelta(days=1), ends=paid_at + timedelta(days=1))
    one.scene.house.now = paid_at + timedelta(seconds=30)
    key, other = uuid4(), uuid4()
    deposits = [lambda each=each: one.deposit(each) for each in (key, key, other)]
    return [*deposits, one.scene.take, one.withdraw]


FURTHER: dict[str, Racing] = {
    "a hand reversed while it is counted": _reversed_beside,
    "a player excluded while it counts": _excluded_beside,
    "a promotion ended while it pays": _ended_beside,
    "the last of a budget": _last_of_the_budget,
    "a ticket given by two workers": _ticket_given_twice,
    "a ticket used in two tabs": _ticket_used_in_two_tabs,
    "an invitation accepted in two tabs": _invited_in_two_tabs,
    "the last hand at midnight": _at_midnight,
    "a seat taken and money withdrawn beside it": _bets_beside,
    "deposits beside a worker": _deposits_beside,
}


@pytest.mark.release
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("race", FURTHER)
def test_every_award_has_one_posting_or_ticket(house: House, race: str) -> None:
    situation = Situation(house)
    at_once(*FURTHER[race](situation))
    house.pass_time(600)
    situation.scene.take()
    paid = PromotionAward.objects.exclude(version__terms__kind__type=TicketMission.key)
    assert not PromotionAward.objects.filter(is_posted=False).exists()
    assert Transaction.objects.filter(kind="award").count() == paid.count()
    tickets = Ticket.objects.all()
    assert tickets.count() == PromotionAward.objects.count() - paid.count()
    assert Entry.objects.count() == tickets.filter(entry__isnull=False).count()
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
