"""Ratings: of people, from hands with people, each hand once."""

import pytest

from casino.care import own_data
from casino.community.returning import counting
from casino.community.returning.models import Counting, Rating
from tests.casino.finished_hands import FinishedHands
from tests.games.house import House
from tests.people import client_of

# Who wins two points, one from each of the others; by seat, what comes from the seat after it.
ALICE, BOB = {1: 1, 3: -1}, {2: 1, 1: -1}


def rating(house: House, name: str, game: str = "doudizhu") -> Rating:
    return Rating.objects.get(player=house.person(name), game=game)


@pytest.mark.always
def test_who_wins_rises_and_who_loses_falls(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([ALICE])
    counting.count(house.now)
    alice, bob, carol = (rating(house, name) for name in ("alice", "bob", "carol"))
    assert alice.mean > counting.MODEL.mu * 1_000 > bob.mean
    # Equal results are a tie.
    assert (bob.mean, bob.deviation) == (carol.mean, carol.deviation)
    assert alice.hands == bob.hands == 1


@pytest.mark.always
def test_many_hands_tell_the_better_player(house: House) -> None:
    scene = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    scene.play([ALICE, ALICE, BOB] * 7)
    assert counting.of_player(house.person("alice").pk) == {}
    counting.count(house.now)
    values = [
        counting.of_player(house.person(name).pk)["doudizhu"] for name in ("alice", "bob", "carol")
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > counting.BEGINS
    client = client_of(house.person("carol"))
    assert f"rating {values[0]}" in client.get("/players/alice/").text
    # With fewer hands nothing is said.
    Rating.objects.update(hands=counting.HANDS_MIN - 1)
    assert counting.of_player(house.person("alice").pk) == {}
    assert "rating " not in client.get("/players/alice/").text.replace("A rating counts", "")


def test_bots_the_house_and_private_tables_rate_nobody(house: House) -> None:
    house.bots(2)
    FinishedHands(house, "doudizhu", "alice", "bot 1", "bot 2").play([{1: 2}])
    FinishedHands(house, "baccarat", "alice", "bob").play([{1: 2}])
    FinishedHands(house, "doudizhu", "alice", "bob", "carol", private=True).play([{1: 2}])
    counting.count(house.now)
    assert not Rating.objects.exists()
    # A bot among two people is left out.
    FinishedHands(house, "doudizhu", "alice", "bob", "bot 1").play([ALICE])
    counting.count(house.now)
    assert {row.player.username for row in Rating.objects.all()} == {"alice", "bob"}


def test_counted_again_a_hand_is_rated_once(house: House) -> None:
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}, {2: 1}])
    counting.count(house.now)
    before = list(Rating.objects.values_list().order_by("pk"))
    counting.count_hands([hand.pk for hand in hands])
    Counting.objects.all().delete()
    counting.count(house.now)
    assert list(Rating.objects.values_list().order_by("pk")) == before


def test_it_is_in_the_players_file_and_goes_with_the_player(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}])
    counting.count(house.now)
    alice = house.person("alice")
    assert any("rating" in row for row in own_data.PARTS["returning"](alice))
    for forget in own_data.forgetting:
        forget(alice)
    assert not Rating.objects.filter(player=alice).exists()
