"""The level on a player's plate: only where the player wishes, and as high as the points say."""

from datetime import date

import pytest
from django.urls import reverse

from casino.accounts.models import Player
from casino.community.promotions.books import shown_levels
from casino.community.promotions.models import PointsMonth
from casino.community.promotions.rules.levels import A_POINT
from tests.casino.promotion_scene import Scene
from tests.games.house import House
from tests.people import client_of

SHOW = "/players/rewards/level/"


@pytest.fixture
def scene(house: House) -> Scene:
    return Scene(house)


def level_of(name: str) -> str:
    return Player.objects.get(username=name).level


def earn(scene: Scene, player: Player, points: int) -> None:
    month = date(scene.now.year, scene.now.month, 1)
    PointsMonth.objects.update_or_create(
        player=player,
        currency=scene.house.currency,
        month=month,
        defaults={"kept": points * A_POINT},
    )


@pytest.mark.always
def test_a_level_is_on_the_plate_where_its_player_wishes(scene: Scene) -> None:
    alice, bob = (scene.house.player(name) for name in ("alice", "bob"))
    for player in (alice, bob):
        earn(scene, player, 600)
    shown_levels.refresh(scene.now)
    assert (level_of("alice"), level_of("bob")) == ("", "")
    client = client_of(alice)
    assert client.get(SHOW).status_code == 405
    client.post(SHOW, {"shown": "1"})
    assert (level_of("alice"), level_of("bob")) == ("silver", "")
    table = scene.house.table("chinese_poker")
    scene.house.sit(Player.objects.get(pk=alice.pk), table, 1)
    assert "Silver</small>" in client_of(bob).get(reverse("table", args=[table.pk])).text
    earn(scene, alice, 2_500)
    shown_levels.refresh(scene.now)
    assert level_of("alice") == "gold"
    # Two months later nothing of it is left.
    scene.house.pass_time(70 * 86_400)
    shown_levels.refresh(scene.now)
    assert level_of("alice") == "player"
    # The session of two months ago has ended.
    client_of(alice).post(SHOW, {"shown": "0"})
    shown_levels.refresh(scene.now)
    assert level_of("alice") == ""
