"""What a day's tasks bring: each sum once, to those who may have it, with its fact."""

from datetime import timedelta
from typing import Any

import pytest

from casino.accounts.models import Player
from casino.community.returning import audit, counting, rewards, weeks
from casino.community.returning.models import CountedHand, DayPlayed, TaskReward
from games.models import Hand, Table
from games.tables import play_money
from tests.casino.finished_hands import FinishedHands
from tests.casino.test_returning import limit_time
from tests.games.house import MONEY, PAID_IN, START, House
from tests.people import client_of
from wallets.models import Transaction
from wallets.values.days import day_of, monday_of
from wallets.values.errors import Refused

TODAY = day_of(START)
WEEK = "/players/returning/"
TAKE = f"{WEEK}take/"


@pytest.fixture(autouse=True)
def paid_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(House, "source", PAID_IN)


@pytest.fixture
def easy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hands do the first and the second task of every day, and no hand the third."""
    first = weeks.TASKS["three_hands"]._replace(goal=2)
    second = weeks.TASKS["two_games"]._replace(goal=2, done=len)
    third = weeks.TASKS["two_wins"]._replace(done=lambda hands: len(hands) - 2)
    monkeypatch.setattr(weeks, "GROUPS", ((first,), (second,), (third,)))


def play(house: House, hands: int = 2) -> Player:
    """Alice has finished these hands, and they are counted."""
    scene = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    scene.play([{1: 2}] * hands)
    counting.count(house.now)
    return house.person("alice")


def grants() -> list[str]:
    postings = Transaction.objects.filter(kind="grant", reason=play_money.FOR_A_TASK)
    return list(postings.values_list("reason", flat=True))


def code_of(player: Player, name: str, house: House, day: Any = TODAY) -> str:
    with pytest.raises(Refused) as refused:
        rewards.take(player, day, name, house.now)
    return str(refused.value.code)


@pytest.mark.usefixtures("easy")
def test_a_task_pays_its_sum_once(house: House) -> None:
    alice = play(house)
    before = house.wallet(alice).balance
    for _twice in range(2):
        rewards.take(alice, TODAY, "three_hands", house.now)
    assert house.wallet(alice).balance - before == rewards.PAYS["three_hands"] == 5_000
    rewards.take(alice, TODAY, "two_games", house.now)
    assert grants() == [play_money.FOR_A_TASK] * 2
    # Another player of the same hands has money of their own to take.
    rewards.take(house.person("bob"), TODAY, "three_hands", house.now)
    assert TaskReward.objects.count() == 3
    assert house.total() == 0
    assert list(audit.findings()) == []


@pytest.mark.usefixtures("easy")
def test_what_is_not_done_or_over_pays_nothing(house: House) -> None:
    alice = play(house)
    assert code_of(alice, "two_wins", house) == "task_not_done"
    assert code_of(alice, rewards.ALL_THREE, house) == "task_not_done"
    assert code_of(alice, "five_hands", house) == "task_not_done"
    house.pass_time(2 * 24 * 3600)
    assert code_of(alice, "three_hands", house) == "task_over"
    assert code_of(alice, "three_hands", house, TODAY + timedelta(days=3)) == "task_over"
    assert grants() == []


@pytest.mark.usefixtures("easy")
def test_all_three_bring_more_and_yesterdays_can_be_taken(house: House) -> None:
    alice = play(house, 4)
    house.pass_time(24 * 3600)
    assert rewards.take(alice, TODAY, rewards.ALL_THREE, house.now).amount == 15_000
    assert list(audit.findings()) == []


@pytest.mark.always
def test_a_whole_week_brings_its_sum_on_its_last_day(house: House) -> None:
    alice = house.player("alice")
    house.table("doudizhu")
    sunday = monday_of(TODAY) + timedelta(days=6)
    house.pass_time((sunday - TODAY).days * 24 * 3600)
    days = [sunday - timedelta(days=ago) for ago in range(7)]
    DayPlayed.objects.bulk_create(DayPlayed(player=alice, day=day, hands=1) for day in days[1:])
    assert code_of(alice, rewards.WHOLE_WEEK, house, sunday) == "task_not_done"
    DayPlayed.objects.create(player=alice, day=sunday, hands=1)
    assert rewards.take(alice, sunday, rewards.WHOLE_WEEK, house.now).amount == 8_000
    assert rewards.WHOLE_WEEK not in rewards.names_of(sunday + timedelta(days=1))


@pytest.mark.usefixtures("easy")
def test_who_has_no_week_takes_nothing(house: House, settings: Any) -> None:
    alice = play(house)
    for column in ("is_staff", "is_guest", "is_bot"):
        setattr(alice, column, True)
        assert code_of(alice, "three_hands", house) == "no_rewards", column
        setattr(alice, column, False)
    limit_time(house.person("bob"), house.now)
    assert code_of(house.person("bob"), "three_hands", house) == "no_rewards"
    settings.TASK_REWARDS = False
    assert code_of(alice, "three_hands", house) == "no_rewards"
    assert "Tasks earn a tick and nothing else" in client_of(alice).get(WEEK).text
    settings.TASK_REWARDS = True
    Table.objects.update(status=Table.Status.CLOSED)
    assert code_of(alice, "three_hands", house) == "no_rewards"
    assert grants() == []


@pytest.mark.usefixtures("easy")
def test_the_limits_of_play_money_hold_for_tasks(house: House, settings: Any) -> None:
    alice = play(house, 4)
    Player.objects.update(signed_up_from="home")
    alice.refresh_from_db()
    settings.PLAY_MONEY_AN_ADDRESS = 9_999
    rewards.take(alice, TODAY, "three_hands", house.now)
    bob = house.person("bob")
    assert code_of(bob, "three_hands", house) == "no_play_money_today"
    assert not TaskReward.objects.filter(player=bob).exists()
    settings.PLAY_MONEY_AN_ADDRESS, settings.PLAY_MONEY_A_PLAYER = 100_000, 12_999
    assert code_of(alice, "two_games", house) == "no_play_money_left"
    settings.PLAY_MONEY_A_PLAYER = 13_000
    rewards.take(alice, TODAY, "two_games", house.now)


@pytest.mark.usefixtures("easy")
def test_the_audit_asks_for_row_posting_and_hands(house: House) -> None:
    alice = play(house)
    row = rewards.take(alice, TODAY, "three_hands", house.now)
    assert list(audit.findings()) == []
    named = f"boards: what player {alice.pk} took on {TODAY} for three_hands"
    for wrong, finding in (
        ({"amount": 6_000}, "is not the posting"),
        ({"name": "two_wins"}, "is not the posting"),
        ({"day": TODAY - timedelta(days=1)}, "is not the posting"),
    ):
        kept = {name: getattr(row, name) for name in wrong}
        TaskReward.objects.filter(pk=row.pk).update(**wrong)
        assert any(finding in sentence for sentence in audit.findings()), wrong
        TaskReward.objects.filter(pk=row.pk).update(**kept)
    # A posting without its row.
    TaskReward.objects.filter(pk=row.pk).delete()
    assert list(audit.findings()) == ["boards: 1 postings are for tasks, and 0 have a row"]
    row.save(force_insert=True)
    # Hands that are not there, and such that were reversed after the player had taken the money.
    hand = Hand.objects.latest("pk")
    CountedHand.objects.filter(hand=hand.pk, player=alice).delete()
    counting.derive_day(TODAY, [alice.pk])
    assert f"{named} was not earned" in list(audit.findings())
    house.pass_time(60)
    Hand.objects.filter(pk=hand.pk).update(status=Hand.Status.VOID, reversed_at=house.now)
    house.pass_time(120)
    counting.count(house.now)
    assert list(audit.findings()) == []


@pytest.mark.usefixtures("easy")
def test_the_page_offers_each_sum_and_pays_it(house: House) -> None:
    alice = play(house)
    client = client_of(alice)
    text = client.get(WEEK).text
    assert text.count("Take ") == 2
    assert "All three: 150 more" in text
    sent = {"day": TODAY.isoformat(), "name": "three_hands"}
    answer = client.post(TAKE, sent, follow=True)
    assert "50 PLAY are in your wallet." in answer.text
    assert answer.text.count("Take ") == 1
    assert client.get(TAKE).status_code == 405
    refused = client.post(TAKE, sent | {"name": "two_wins"})
    assert refused.status_code == 409
    assert 'data-code="task_not_done"' in refused.text
    for day in ("", "yesterday", "2026-02-31"):
        assert client.post(TAKE, sent | {"day": day}).status_code == 404
    assert house.wallet(alice).balance == MONEY + 5_000
    house.pass_time(24 * 3600)
    assert "Take 80" in client.get(WEEK).text
    client.post(TAKE, {"day": TODAY.isoformat(), "name": ["two_games", "three_hands"]})
    assert house.wallet(alice).balance == MONEY + 13_000
    stranger = client_of(house.player("dave"))
    assert 'data-code="task_not_done"' in stranger.post(TAKE, sent).text
