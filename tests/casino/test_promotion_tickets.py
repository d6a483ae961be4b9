"""Promotions whose reward is a ticket, or that set the sums of the day's tasks."""

from datetime import timedelta

import pytest
from django.db.models import Sum

from casino.accounts.models import Player
from casino.community.promotions.books import preview
from casino.community.promotions.models import PromotionVersion
from casino.community.promotions.office import drafts
from casino.community.promotions.office.pages import spent_by
from casino.community.promotions.pages import terms as words
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.shares import TicketMission
from casino.community.returning import audit as boards
from casino.community.returning import counting, rewards, weeks
from casino.community.returning.models import TaskReward
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.games.house import PAID_IN, House
from tests.people import client_of
from tests.tournaments.events import structure
from tournaments.audit import whole as audit
from tournaments.models import Entry, Ticket
from tournaments.running import announcing, entries
from wallets.models import Account, Transaction
from wallets.values.days import day_of
from wallets.values.errors import Refused

COST = 1_100


@pytest.fixture(autouse=True)
def paid_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """What players have is their own, so that they may still be given something."""
    monkeypatch.setattr(House, "source", PAID_IN)


@pytest.fixture
def scene(house: House) -> Scene:
    announcing.store_template(structure(field_min=2), "player:1", house.now)
    return Scene(house)


@pytest.fixture
def hands(scene: Scene) -> FinishedHands:
    return FinishedHands(scene.house, "doudizhu", "alice", "bob", "carol")


def refused(scene: Scene, kind: declaration.AnyKind, budget: int = 10_000) -> str:
    terms = Declaration(
        kind=kind,
        currency="PLAY",
        starts=scene.now,
        ends=scene.now + timedelta(days=1),
        budget=budget,
    )
    with pytest.raises(Refused) as error:
        drafts.require_sound(declaration.stored(terms))
    return error.value.code


@pytest.mark.always
def test_a_mission_gives_a_ticket_that_enters_an_event(scene: Scene, hands: FinishedHands) -> None:
    version = scene.publish(TicketMission(goal=2, pay=COST, event="Evening"))
    before = Transaction.objects.count()
    hands.play([{1: 1}, {1: 1}])
    scene.take()
    # Everybody has played two hands; a ticket moves no money before it is used.
    assert Ticket.objects.count() == 3
    assert Transaction.objects.count() == before
    assert scene.findings() == []
    alice, now = scene.house.person("alice"), scene.now
    template = announcing.store_template(structure(field_min=2), "player:1", now)
    event = announcing.announce(template, now, by="player:1", starts_at=now + timedelta(hours=2))
    held = scene.held("alice")
    entries.register_with_ticket(alice, event.pk, now)
    assert scene.held("alice") == held
    assert Entry.objects.get().ticket_paid == COST
    assert not list(audit.audit([event.pk]))
    assert Account.objects.aggregate(sum=Sum("balance"))["sum"] == 0
    assert "a ticket to Evening" in words.sentence(declaration.read(version.terms))
    # What is taken from a ticket or given beside one is noticed.
    Ticket.objects.filter(player=alice).update(worth=5)
    assert len(scene.findings()) == 1


def test_a_budget_gives_whole_tickets_alone(scene: Scene, hands: FinishedHands) -> None:
    version = scene.publish(TicketMission(goal=1, pay=COST, event="Evening"), budget=2 * COST + 5)
    hands.play([{1: 1}])
    scene.take()
    version.refresh_from_db()
    assert set(Ticket.objects.values_list("worth", flat=True)) == {COST}
    assert Ticket.objects.count() == 2
    assert version.stopped_at is not None
    assert scene.findings() == []


def test_tickets_to_nothing_are_refused(scene: Scene, hands: FinishedHands) -> None:
    assert refused(scene, TicketMission(pay=COST)) == "no_event"
    assert refused(scene, TicketMission(pay=COST, event="Morning")) == "no_such_event"
    assert refused(scene, TicketMission(pay=COST - 1, event="Evening")) == "ticket_below_entry"
    assert refused(scene, DailyTasks(first=0)) == "nothing_to_do"
    assert refused(scene, DailyTasks(), budget=9_999) == "budget_below_award"


# The tasks of the day.


@pytest.fixture
def easy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hand does the first task of every day, and no hand the others."""
    first = weeks.TASKS["three_hands"]._replace(goal=1)
    second = weeks.TASKS["two_games"]._replace(done=lambda hands: len(hands) - 1)
    third = weeks.TASKS["two_wins"]._replace(done=lambda hands: len(hands) - 1)
    monkeypatch.setattr(weeks, "GROUPS", ((first,), (second,), (third,)))


def take_first(scene: Scene, name: str) -> TaskReward:
    player = scene.house.person(name)
    return rewards.take(player, day_of(scene.now), "three_hands", scene.now)


@pytest.mark.usefixtures("easy")
def test_a_manager_sets_what_tasks_bring(scene: Scene, hands: FinishedHands) -> None:
    hands.play([{1: 1}])
    counting.count(scene.now)
    assert take_first(scene, "alice").amount == rewards.PAYS["three_hands"]
    scene.house.pass_time(60)
    version = scene.publish(DailyTasks(first=300), budget=50_000)
    scene.house.pass_time(1)
    assert take_first(scene, "bob").amount == 300
    page = client_of(scene.house.person("carol")).get("/players/returning/").text
    assert "3" in page
    (spent,) = spent_by([version], scene.now).values()
    assert (spent.today, spent.in_all) == (300, 300)
    # Both are right in the eyes of the audit, which asks what was in force.
    assert list(boards.findings()) == []
    assert scene.findings() == []
    TaskReward.objects.filter(amount=300).update(amount=301)
    assert any("pays another sum" in finding for finding in boards.findings())


@pytest.mark.usefixtures("easy")
def test_the_budget_and_the_caps_bound_what_tasks_bring(scene: Scene, hands: FinishedHands) -> None:
    version = scene.publish(DailyTasks(first=300), budget=500)
    hands.play([{1: 1}])
    counting.count(scene.now)
    take_first(scene, "alice")
    with pytest.raises(Refused) as error:
        take_first(scene, "bob")
    assert error.value.code == "task_budget"
    PromotionVersion.objects.filter(pk=version.pk).update(ended_at=scene.now)
    scene.house.pass_time(1)
    assert take_first(scene, "bob").amount == rewards.PAYS["three_hands"]


@pytest.mark.usefixtures("easy")
def test_the_cost_of_tasks_is_known_before(scene: Scene, hands: FinishedHands) -> None:
    hands.play([{1: 1}])
    counting.count(scene.now)
    TaskReward.objects.all().delete()
    for name in ("alice", "bob"):
        take_first(scene, name)
    TaskReward.objects.update(taken_at=scene.now - timedelta(days=3))
    boss: Player = scene.boss
    terms = Declaration(
        kind=DailyTasks(first=300),
        currency="PLAY",
        starts=scene.now,
        ends=scene.now + timedelta(days=7),
        budget=100_000,
        # The second sum would have been refused.
        day_max=400,
    )
    version = drafts.make(boss, "Tasks", declaration.stored(terms), reason="x", now=scene.now)
    row = preview.ask(version, scene.now)
    preview.run(row.pk)
    row.refresh_from_db()
    assert row.result["cost"] == 300
    assert row.result["players"] == 1
