"""The page "Rewards": what a player has and sees, and who sees nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from casino.care import exclusions
from casino.community.promotions.books import inviting, running
from casino.community.promotions.models import Invitation, PromotionAward
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.declaration import AnyKind
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import CashBack, Friend, HappyHour, Mission, RakeBack
from tests.casino.finished_hands import FinishedHands
from tests.casino.promotion_scene import Scene
from tests.casino.test_returning import limit_time
from tests.games.house import House
from tests.people import client_of

ADDRESS = "/players/rewards/"


@pytest.fixture
def scene(house: House, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr("django.utils.timezone.now", lambda: house.now)
    return Scene(house)


@pytest.fixture
def hands(scene: Scene) -> FinishedHands:
    return FinishedHands(scene.house, "doudizhu", "alice", "bob", "carol")


def page_of(scene: Scene, name: str, language: str = "en") -> str:
    client = client_of(scene.house.person(name))
    client.cookies["django_language"] = language
    return client.get(ADDRESS).content.decode()


@pytest.mark.always
def test_a_player_sees_how_far_everything_is(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Mission(goal=3, pay=700))
    scene.publish(Race(prizes=(900, 400), hands_min=1))
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=5))
    scene.publish(CashBack())
    scene.publish(RakeBack())
    scene.publish(HappyHour())
    hands.play([{1: 2}, {2: 1}])
    scene.take()
    for language in ("en", "zh-hans", "zh-hant"):
        page = page_of(scene, "alice", language)
        assert "race 1" in page
        assert "10" in page
    assert "2 of 3" in page_of(scene, "alice")
    assert PromotionAward.objects.filter(state="held").count() == 3


@pytest.mark.always
def test_a_bonus_is_given_up_after_a_question(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Bonus(given_for="first_hand", most=1_000, times=5))
    hands.play([{1: 2}])
    scene.take()
    award = PromotionAward.objects.get(player__username="alice")
    address = f"{ADDRESS}{award.pk}/give-up/"
    alice, bob = (client_of(scene.house.person(name)) for name in ("alice", "bob"))
    assert bob.post(address).status_code == 404
    assert "10" in alice.get(address).content.decode()
    assert alice.put(address).status_code == 405
    award.refresh_from_db()
    assert award.forfeited_at is None
    assert alice.post(address).status_code == 302
    award.refresh_from_db()
    assert award.forfeited_at is not None


def test_a_switch_hides_all_of_them(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Mission(goal=3, pay=700))
    alice = client_of(scene.house.person("alice"))
    assert "mission 0" in page_of(scene, "alice")
    alice.post(f"{ADDRESS}hide/", {"hidden": "1"})
    assert "mission 0" not in page_of(scene, "alice")
    alice.post(f"{ADDRESS}hide/", {"hidden": "0"})
    assert "mission 0" in page_of(scene, "alice")


def test_who_rests_sees_none(scene: Scene, hands: FinishedHands, settings: Any) -> None:
    alice, bob, carol = hands.players
    limit_time(alice, scene.now)
    assert client_of(alice).get(ADDRESS).status_code == 404
    client = client_of(bob)
    exclusions.begin(bob, "time_out", 7, scene.now)
    assert client.get(ADDRESS).status_code in (302, 403, 404)
    assert Client().get(ADDRESS).status_code == 302
    settings.PROMOTIONS = False
    assert client_of(carol).get(ADDRESS).status_code == 404
    assert client_of(carol).post(ADDRESS).status_code in (404, 405)


@pytest.mark.always
def test_a_new_player_accepts_an_invitation(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Friend(goal=2, pay=100, pay_inviter=300))
    alice = scene.house.person("alice")
    assert "/players/rewards/invited/" in page_of(scene, "alice")
    address = f"{ADDRESS}invited/{inviting.code_of(alice)}/"
    answer = Client().get(address)
    assert "next=" in answer.headers["location"]
    newcomer = scene.house.player("dan")
    type(newcomer).objects.filter(pk=newcomer.pk).update(date_joined=scene.now)
    type(alice).objects.filter(pk=alice.pk).update(date_joined=scene.now - timedelta(days=9))
    client = client_of(newcomer)
    assert "alice" in client.get(address).content.decode()
    assert not Invitation.objects.exists()
    assert client.post(address).headers["location"] == ADDRESS
    assert Invitation.objects.get().inviter == alice
    assert client.get(f"{ADDRESS}invited/1:forged/").status_code == 404


def test_a_ladder_names_nobody_who_rests(scene: Scene, hands: FinishedHands) -> None:
    scene.publish(Race(prizes=(900, 400), hands_min=1))
    hands.play([{2: 1}])
    scene.take()
    assert "bob" in page_of(scene, "alice")
    limit_time(scene.house.person("bob"), scene.now)
    page = page_of(scene, "alice")
    assert "bob" not in page
    assert "carol" in page


@pytest.mark.parametrize(
    ("kind", "game", "hour", "counts"),
    [
        (CashBack(), "blackjack", 12, True),
        (CashBack(), "doudizhu", 12, False),
        (HighHand(), "doudizhu", 12, True),
        (HighHand(), "baccarat", 12, False),
        (Mission(what="feat", feat="bomb"), "doudizhu", 12, True),
        (Mission(what="feat", feat="bomb"), "blackjack", 12, False),
        (Mission(), "chinese_poker", 12, True),
        (HappyHour(first_hour=20, last_hour=22), "doudizhu", 21, True),
        (HappyHour(first_hour=20, last_hour=22), "doudizhu", 22, False),
        (Race(games=("baccarat",)), "blackjack", 12, False),
    ],
)
def test_a_table_names_only_what_can_count_there_now(
    scene: Scene, settings: Any, kind: AnyKind, game: str, hour: int, *, counts: bool
) -> None:
    settings.HOUSE_ZONE = "UTC"
    at = scene.now.replace(hour=hour)
    scene.publish(kind, starts=at - timedelta(days=1), ends=at + timedelta(days=1))
    assert (game in running.by_game(at, running.current(at)).get("PLAY", {})) == counts
