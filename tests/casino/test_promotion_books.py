"""Promotions taken from real rows: earned once, posted once, and the same when played again."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Sum

from casino.care import exclusions
from casino.community.promotions.books import forfeiting, inviting, paying, taking_facts
from casino.community.promotions.books.stored_runs import CALENDAR
from casino.community.promotions.models import PointsMonth, PromotionAward, PromotionVersion
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.engine import Room, Run
from casino.community.promotions.rules.facts import HandFact
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.levels import Points
from casino.community.promotions.rules.shares import CashBack, Friend, HappyHour, Mission, RakeBack
from casino.office.alarms.conditions import CONDITIONS, Moment
from casino.office.players.models import Check
from games.models import Hand, HandSeat
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.games.house import MONEY, House
from tests.games.simultaneous import at_once
from wallets.models import Account, Transaction
from wallets.money import cashier
from wallets.values.errors import Refused

STATED: Any = {"actor": "test", "reason": "a test"}


@pytest.fixture
def scene(house: House) -> Scene:
    return Scene(house)


@pytest.fixture
def hands(scene: Scene) -> FinishedHands:
    return FinishedHands(scene.house, "doudizhu", "alice", "bob", "carol")


def reverse(scene: Scene, hand: Hand) -> None:
    """As a reversal leaves a hand."""
    Hand.objects.filter(pk=hand.pk).update(
        status=Hand.Status.VOID, reversed_at=scene.now, reversal=uuid4()
    )
    scene.house.pass_time(120)
    scene.take()


def deposit(scene: Scene, name: str, amount: int) -> None:
    player = scene.house.person(name)
    owner = f"player:{player.pk}"
    cashier.deposit(owner, scene.house.currency, amount, key=uuid4(), **STATED)


@pytest.mark.always
def test_a_mission_is_paid_once_a_window(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Mission(goal=2, pay=700, what="wins"))
    hands.play([{1: 2}, {2: 1}])
    scene.take()
    assert (scene.awards("alice"), scene.progress("alice")) == ([], 1)
    hands.play([{1: 2}, {1: 2}, {1: 2}])
    scene.take()
    scene.take()
    assert scene.awards("alice") == [(700, "paid")]
    assert scene.held("alice") == MONEY + 700
    posting = Transaction.objects.get(kind="award")
    assert posting.key == paying.key_of(PromotionAward.objects.get())
    assert scene.findings() == []


@pytest.mark.always
def test_a_race_pays_its_places_when_the_week_is_over(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Race(by="wins", prizes=(900, 400), hands_min=3))
    hands.play([{2: 2}, {1: 1}, {2: 1}, {3: 1}])
    scene.take()
    assert not PromotionAward.objects.exists()
    scene.pass_days(8)
    # Of two with one win each, who had it first is ahead.
    assert scene.awards("bob") == [(900, "paid")]
    assert scene.awards("alice") == [(400, "paid")]
    assert scene.awards("carol") == []
    assert scene.findings() == []


@pytest.mark.always
def test_the_high_hand_of_an_hour_is_proved_by_its_hand(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(HighHand(pay=500))
    played = hands.play([{1: 2}, {2: 1}])
    lines = [[{"key": "bomb", "source": 1, "target": 1, "values": {"seat": 1, "rank": "9"}}]]
    lines += [[{"key": "rocket", "source": 2, "target": 2, "values": {"seat": 2}}]]
    for hand, said in zip(played, lines, strict=True):
        Hand.objects.filter(pk=hand.pk).update(settlement={"lines": said, "transfers": []})
    scene.pass_days(1)
    award = PromotionAward.objects.get()
    assert (award.player.username, award.cause) == ("bob", f"hand:{played[1].pk}")
    assert scene.findings() == []


def test_rake_back_is_a_share_of_a_week(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(CashBack(share_bp=1_000, loss_min=10))
    scene.publish(RakeBack(shares_bp=(5_000, 5_000, 5_000, 5_000, 5_000)))
    played = hands.play([{1: 100}, {1: 20}])
    HandSeat.objects.filter(hand=played[0], number=1).update(rake=50)
    scene.pass_days(9)
    # Seat 2 pays seat 1. What it has lost to another player brings no cash back.
    assert scene.awards("bob") == []
    assert scene.awards("alice") == [(25, "paid")]
    assert scene.findings() == []


def fact_of(**given: Any) -> HandFact:
    at = datetime(2026, 3, 2, 12, tzinfo=UTC)
    usual = {"player": 1, "hand": 1, "at": at, "day": at.date(), "hour": 12, "currency": "EUR"}
    return HandFact(**{**usual, "game": "blackjack", **given})


@pytest.mark.always
@pytest.mark.parametrize(("game", "paid"), [("blackjack", 120), ("doudizhu", 0)])
def test_cash_back_is_for_what_the_house_won(game: str, paid: int, settings: Any) -> None:
    """Two players could lose to each other on purpose, and share what comes back."""
    settings.GAMING_DAY_HOUR = 6
    lost = fact_of(net=-1_200, game=game)
    kind = CashBack(share_bp=1_000, loss_min=10)
    lasts: Any = {"starts": lost.at - timedelta(days=1), "ends": lost.at + timedelta(days=9)}
    terms = Declaration(kind=kind, currency="EUR", budget=10_000, **lasts)
    room = Room({1: Run(terms, CALENDAR)}, Points())
    room.take([lost])
    room.close(terms.ends)
    awards = room.runs[1].awards.values()
    assert sum(award.amount for award in awards) == paid
    # The house's Sunday lasts until Monday morning.
    assert {award.day for award in awards} <= {date(2026, 3, 8)}


def test_play_money_leads_to_no_level_at_which_money_is_paid() -> None:
    points = Points()
    points.take(fact_of(currency="PLAY", kept=10**9), 1)
    points.take(fact_of(kept=2 * 10**6), 1)
    day = fact_of().day
    assert points.level(1, "PLAY", day) > points.level(1, "EUR", day) == 1


def test_a_budget_stops_the_promotion_and_caps_bound_players(
    scene: Scene, hands: FinishedHands
) -> None:
    version = scene.publish(Mission(goal=1, pay=700, what="wins"), budget=1_000)
    capped = scene.publish(Mission(goal=1, pay=700, what="wins"), player_max=100)
    hands.play([{1: 2}, {2: 1}, {3: 1}])
    scene.take()
    amounts = version.awards.order_by("at").values_list("amount", flat=True)
    assert list(amounts) == [700, 300]
    version.refresh_from_db()
    assert version.stopped_at is not None
    (stopped,) = CONDITIONS["promotion_stopped"].find(Moment(scene.now, scene.now))
    assert stopped.subject == version.reference
    assert set(capped.awards.values_list("amount", flat=True)) == {100}
    assert scene.findings() == []


@pytest.mark.postgresql
def test_a_deposit_brings_one_bonus(scene: Scene, hands: FinishedHands) -> None:
    kind = Bonus(share_bp=5_000, most=1_000, deposit_min=100, times=2)
    # The ledger has a clock of its own.
    paid_at = Transaction.objects.latest("time").time
    scene.publish(kind, ends=paid_at + timedelta(days=1))
    key = uuid4()
    owner = f"player:{hands.players[0].pk}"
    for amount in (400, 400):
        cashier.deposit(owner, scene.house.currency, amount, key=key, **STATED)
    deposit(scene, "alice", 600)
    deposit(scene, "bob", 50)
    scene.house.now = paid_at + timedelta(minutes=5)
    scene.take()
    assert scene.awards("alice") == [(200, "held")]
    assert scene.awards("bob") == []
    assert scene.findings() == []


@pytest.mark.always
def test_a_bonus_for_the_first_hand_is_released_by_hands(
    scene: Scene, hands: FinishedHands
) -> None:
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=2, bet_max=10_000))
    hands.play([{1: 1}])
    scene.take()
    bonus = Account.objects.get(kind="bonus", owner=f"player:{hands.players[0].pk}")
    assert (scene.awards("alice"), bonus.balance) == ([(1_000, "held")], 1_000)
    assert scene.held("alice") == MONEY
    owner = f"player:{hands.players[0].pk}"
    with pytest.raises(Refused) as refusal:
        cashier.withdraw(owner, scene.house.currency, 100, key=uuid4(), **STATED)
    assert refusal.value.code == "bonus_held"
    later = hands.play([{1: 10}])
    # At a rake of 100 the hand counts 2,000: all that is to be wagered.
    HandSeat.objects.filter(hand=later[0], number=1).update(rake=100)
    scene.take()
    bonus.refresh_from_db()
    assert (scene.awards("alice"), bonus.balance) == ([(1_000, "released")], 0)
    assert scene.held("alice") == MONEY + 1_000
    assert scene.findings() == []


def test_a_bonus_expires_or_is_given_up(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=50, days=3))
    hands.play([{1: 1}])
    scene.take()
    alice = hands.players[0]
    mine = PromotionAward.objects.get(player=alice)
    forfeiting.forfeit(alice, mine.pk, scene.now)
    owner = f"player:{alice.pk}"
    cashier.withdraw(owner, scene.house.currency, 100, key=uuid4(), **STATED)
    scene.house.pass_time(120)
    scene.take()
    assert scene.awards("alice") == [(1_000, "forfeited")]
    scene.pass_days(4)
    assert scene.awards("bob") == [(1_000, "expired")]
    assert not Account.objects.filter(kind="bonus").exclude(balance=0).exists()
    assert Account.objects.aggregate(sum=Sum("balance"))["sum"] == 0
    assert scene.findings() == []


def test_giving_one_bonus_up_leaves_the_other(scene: Scene, hands: FinishedHands) -> None:
    for most in (1_000, 900):
        scene.publish(Bonus(given_for="first_hand", most=most, times=50))
    hands.play([{1: 1}])
    scene.take()
    alice = hands.players[0]
    given_up = PromotionAward.objects.get(player=alice, amount=1_000)
    forfeiting.forfeit(alice, given_up.pk, scene.now)
    scene.house.pass_time(120)
    scene.take()
    assert sorted(scene.awards("alice")) == [(900, "held"), (1_000, "forfeited")]
    assert scene.findings() == []


@pytest.mark.always
def test_a_reversed_hand_takes_back_what_it_earned(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Mission(goal=2, pay=700, what="wins"))
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=50))
    played = hands.play([{1: 2}, {1: 1}])
    scene.take()
    assert scene.held("alice") == MONEY + 700
    reverse(scene, played[0])
    mission, bonus = PromotionAward.objects.filter(player__username="alice").order_by("amount")
    # Paid money is a loss of the promotion; a bonus that is held goes back.
    assert (mission.state, mission.is_debt) == ("paid", True)
    assert bonus.state == "returned"
    assert scene.held("alice") == MONEY + 700
    assert scene.findings() == []


@pytest.mark.parametrize("who", ["staff", "bot", "excluded", "second"])
def test_some_never_earn(scene: Scene, hands: FinishedHands, who: str) -> None:
    alice, bob = hands.players[:2]
    if who == "staff":
        type(alice).objects.filter(pk=alice.pk).update(is_staff=True)
    elif who == "bot":
        type(alice).objects.filter(pk=alice.pk).update(is_bot=True, password="!")
    elif who == "excluded":
        exclusions.begin(alice, "time_out", 7, scene.now)
    else:
        type(alice).objects.filter(pk__in=(alice.pk, bob.pk)).update(signed_up_from="origin")
    earner, barred = ("carol", "bob") if who == "second" else ("bob", "alice")
    scene.publish(Mission(goal=1, pay=700, what="hands"))
    hands.play([{1: 2}])
    scene.take()
    assert scene.awards(earner) == [(700, "paid")]
    assert scene.awards(barred) == []
    assert scene.findings() == []


def test_happy_hours_count_points_several_times(scene: Scene, hands: FinishedHands) -> None:
    played = hands.play([{1: 100}])
    HandSeat.objects.filter(hand=played[0], number=1).update(rake=50)
    scene.take()
    scene.publish(HappyHour(first_hour=0, last_hour=24, points_times=3, rake_back_bp=1_000))
    played = hands.play([{1: 100}])
    HandSeat.objects.filter(hand=played[0], number=1).update(rake=50)
    scene.take()
    month = hands.players[0].pk
    assert PointsMonth.objects.get(player=month).kept == 50_000 + 150_000
    scene.pass_days(2)
    assert scene.awards("alice") == [(5, "paid")]
    assert scene.findings() == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_taken_by_several_workers_at_once_a_fact_counts_once(
    scene: Scene, hands: FinishedHands
) -> None:
    scene.publish(Mission(goal=1, pay=700, what="wins"))
    hands.play([{1: 2}, {2: 1}, {1: 3}])
    at_once(*[scene.take] * 4)
    scene.take()
    assert scene.awards("alice") == scene.awards("bob") == [(700, "paid")]
    assert Transaction.objects.filter(kind="award").count() == 2
    assert scene.findings() == []


EDITS = {
    "points": "UPDATE promotions_promotionprogress SET points = points + 1",
    "hands": "UPDATE promotions_promotionprogress SET hands = 99",
    "window": "UPDATE promotions_promotionprogress SET \"window\" = '2026-01-01'",
    "closed": "UPDATE promotions_promotionprogress SET is_closed = NOT is_closed",
    "reached": "UPDATE promotions_promotionprogress SET reached_at = '2026-02-01'",
    "no progress": "DELETE FROM promotions_promotionprogress",
    "amount": "UPDATE promotions_promotionaward SET amount = amount + 1",
    "state": "UPDATE promotions_promotionaward SET state = 'released'",
    "wagered": "UPDATE promotions_promotionaward SET wagered = 7",
    "to wager": "UPDATE promotions_promotionaward SET to_wager = 7",
    "debt": "UPDATE promotions_promotionaward SET is_debt = NOT is_debt",
    "cause": "UPDATE promotions_promotionaward SET cause = 'hand:1'",
    "not posted": "UPDATE promotions_promotionaward SET is_posted = NOT is_posted",
    "no awards": "DELETE FROM promotions_promotionaward",
    "kept": "UPDATE promotions_pointsmonth SET kept = kept + 1",
    "no points": "DELETE FROM promotions_pointsmonth",
    "stopped": "UPDATE promotions_promotionversion SET stopped_at = '2026-03-02'",
    "terms": "UPDATE promotions_promotionversion SET published_from = '2026-04-01'",
}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_is_noticed(scene: Scene, hands: FinishedHands, edit: str) -> None:
    scene.publish(Mission(goal=1, pay=700, what="wins"))
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=50))
    played = hands.play([{1: 2}, {2: 1}])
    HandSeat.objects.filter(hand=played[0], number=1).update(rake=50)
    scene.take()
    assert scene.findings() == []
    with connection.cursor() as cursor:
        cursor.execute(EDITS[edit])
    assert scene.findings() != []


def test_portions_make_no_difference(
    scene: Scene, hands: FinishedHands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking_facts, "HANDS_AT_ONCE", 1)
    scene.publish(Race(by="hands", prizes=(50, 20, 10), hands_min=1, window="hour"))
    scene.publish(Mission(goal=2, pay=9, window="hour"), budget=20)
    for _ in range(3):
        hands.play([{1: 2}, {2: 1}, {3: 1}])
        scene.take()
        scene.house.pass_time(3_600)
    scene.take()
    assert PromotionVersion.objects.filter(stopped_at__isnull=False).count() == 1
    assert scene.findings() == []


def test_a_friend_and_who_invited_them_are_paid_once(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Friend(goal=2, pay=100, pay_inviter=300))
    alice, bob, carol = hands.players
    type(bob).objects.filter(pk=bob.pk).update(date_joined=scene.now)
    bob.refresh_from_db()
    code = inviting.code_of(alice)
    type(alice).objects.filter(pk=alice.pk).update(date_joined=scene.now - timedelta(days=40))
    type(carol).objects.filter(pk=carol.pk).update(date_joined=scene.now - timedelta(days=30))
    carol.refresh_from_db()
    with pytest.raises(Refused):
        inviting.accept(carol, code, scene.now)
    with pytest.raises(Refused):
        inviting.accept(bob, "1:forged", scene.now)
    first = inviting.accept(bob, code, scene.now)
    assert inviting.accept(bob, code, scene.now).pk == first.pk
    hands.play([{1: 1}, {2: 1}, {1: 1}])
    scene.take()
    hands.play([{1: 1}] * 3)
    scene.take()
    assert scene.awards("bob") == [(100, "paid")]
    assert scene.awards("alice") == [(300, "paid")]
    assert scene.awards("carol") == []
    assert scene.findings() == []


def test_neighbours_whom_staff_have_identified_earn(scene: Scene, hands: FinishedHands) -> None:
    """All who sign up in the rooms of a club share its address."""
    everyone = type(hands.players[0]).objects.filter(username__in=("alice", "bob"))
    everyone.update(signed_up_from="the club")
    Check.objects.create(
        player=hands.players[1], what="identity", document="passport", by="player:1",
        by_name="tom", at=scene.now,
    )  # fmt: skip
    scene.publish(Mission(goal=1, pay=700, what="wins"))
    hands.play([{2: 1}])
    scene.take()
    assert scene.awards("bob") == [(700, "paid")]


@pytest.mark.always
def test_a_second_account_brings_its_owner_nothing(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Friend(goal=1, pay=100, pay_inviter=300))
    alice, bob, _carol = hands.players
    type(alice).objects.filter(pk=alice.pk).update(date_joined=scene.now - timedelta(days=40))
    type(bob).objects.filter(pk=bob.pk).update(date_joined=scene.now)
    bob.refresh_from_db()
    inviting.accept(bob, inviting.code_of(alice), scene.now)
    players = type(bob).objects.filter(pk__in=(alice.pk, bob.pk))
    players.update(signed_up_from="one address")
    hands.play([{1: 1}, {2: 1}])
    scene.take()
    assert not PromotionAward.objects.exists()
    assert scene.findings() == []
