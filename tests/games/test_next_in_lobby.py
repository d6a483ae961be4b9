"""What a player may do next: today's tasks, friends at a table, an event that begins soon."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from casino.accounts.models import Player
from casino.community.returning import counting
from casino.community.social import friends, profiles
from casino.community.social.models import Friendship
from games.lobby.seat_finder import find_seat, tables_to_show
from games.models import Seat
from tests.casino.finished_hands import FinishedHands
from tests.casino.test_returning import limit_time
from tests.games.house import House
from tests.people import client_of
from tests.tournaments.events import structure
from tournaments.running import announcing

LOBBY = "/lobby/"


def befriend(house: House, one: str, other: str) -> None:
    sender, receiver = house.person(one), house.person(other)
    Friendship.objects.create(
        sender=sender, receiver=receiver, made_at=house.now, accepted_at=house.now
    )


def test_todays_tasks_say_how_far_they_are(house: House, settings: Any) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}] * 5)
    client = client_of(house.person("alice"))
    assert "0 of 3 today" in client.get(LOBBY).text
    counting.count(house.now)
    page = client.get(LOBBY).text
    assert re.search(r"Take [0-9]+", page)
    assert re.search(r"[12] of 3 today", page)
    settings.TASK_REWARDS = False
    page = client.get(LOBBY).text
    assert "of 3 today" in page
    assert "Take" not in page
    limit_time(house.person("bob"), house.now)
    assert "of 3 today" not in client_of(house.person("bob")).get(LOBBY).text


def test_friends_at_a_table_are_joined_in_one_press(house: House) -> None:
    alice, bob, carol = (house.player(name) for name in ("alice", "bob", "carol"))
    befriend(house, "alice", "bob")
    table = house.table("doudizhu", name="Bamboo")
    house.sit(bob, table, 1)
    client = client_of(alice)
    page = client.get(LOBBY).text
    assert "friends-at" in page
    # Nobody but friends.
    assert "friends-at" not in client_of(carol).get(LOBBY).text
    sent = client.post(reverse("play-now", args=["doudizhu"]), {"table": table.pk})
    assert sent["Location"] == f"/tables/{table.pk}/"
    # At one's own table there is no other way to it.
    assert "friends-at" not in client.get(LOBBY).text


@pytest.mark.always
def test_a_full_or_a_private_table_of_a_friend_is_not_joined(house: House) -> None:
    alice = house.player("alice")
    table = house.table("doudizhu")
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        house.sit(house.player(name), table, number)
    befriend(house, "bob", "alice")
    page = client_of(alice).get(LOBBY).text
    assert "friends-at" in page
    assert '<button>Join<span class="hidden"> ' not in page
    table.private = True
    table.save(update_fields=["private"])
    assert "friends-at" not in client_of(alice).get(LOBBY).text
    table.private = False
    table.save(update_fields=["private"])
    limit_time(house.person("bob"), house.now)
    assert "friends-at" not in client_of(alice).get(LOBBY).text


@pytest.mark.parametrize(("minutes", "is_shown"), [(4, True), (15, True), (16, False)])
def test_an_event_within_a_quarter_of_an_hour_is_next(
    house: House, minutes: int, is_shown: bool
) -> None:
    template = announcing.store_template(structure(name="Cup"), "house", house.now)
    starts = house.now + timedelta(minutes=minutes)
    event = announcing.announce(template, house.now, by="house", starts_at=starts)
    page = client_of(house.player("alice")).get(LOBBY).text
    assert (f'id="tournament-soon-{event.pk}"' in page) == is_shown


# The seat that "Play" takes.


def seat_of(house: House, name: str, game: str = "baccarat") -> Seat:
    tables = tables_to_show().filter(game=game)
    return find_seat(house.player(name), tables, house.now)


@pytest.mark.always
def test_a_quick_seat_is_with_people_then_where_something_was_played(house: House) -> None:
    house.table("baccarat", buy_in_min=10_000)
    roads = house.table("baccarat", buy_in_min=11_000, hands_dealt=7)
    people = house.table("baccarat", buy_in_min=12_000)
    dear = house.table("baccarat", buy_in_min=50_000)
    house.sit(house.player("rich"), dear, 1)
    assert seat_of(house, "alice").table_id == roads.pk
    house.leave(house.person("alice"), roads)
    house.sit(house.player("bob"), people, 1)
    assert seat_of(house, "carol").table_id == people.pk


def test_a_quick_seat_waits_for_nobody_who_is_absent(house: House) -> None:
    held_up = house.dealt_in("doudizhu", "alice", "bob", "carol")
    empty = house.table("doudizhu", buy_in_min=20_000, bots_max=2)
    Seat.objects.filter(table=held_up, player__username="alice").update(
        left_at=house.now, here_until=None
    )
    Seat.objects.filter(table=held_up, player__username="bob").update(
        here_until=house.now - timedelta(seconds=60)
    )
    assert seat_of(house, "dave", "doudizhu").table_id == empty.pk


# The people met lately.


def test_people_of_the_last_hands_can_be_asked_to_be_friends(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}])
    FinishedHands(house, "doudizhu", "alice", "dave", "erin").play([{1: 2}])
    alice, now = house.person("alice"), house.now
    befriend(house, "alice", "carol")
    limit_time(house.person("erin"), now)
    assert [player.username for player in profiles.lists_of(alice, now).met] == ["dave", "bob"]
    page = client_of(alice).get(reverse("my-friends")).text
    assert "Met at tables lately" in page
    # Who has blocked the reader is not among them, and no guest and no bot is.
    friends.block(house.person("dave"), "alice", now)
    Player.objects.filter(username="bob").update(is_staff=True)
    assert profiles.lists_of(alice, now).met == []
    FinishedHands(house, "doudizhu", "alice", "fred", "gwen", private=True).play([{1: 2}])
    assert profiles.lists_of(alice, now).met == []
    stranger = house.player("zoe")
    assert profiles.lists_of(stranger, now).met == []


def test_a_friend_at_a_table_is_joined_from_the_list_of_friends(house: House) -> None:
    alice, bob = house.player("alice"), house.player("bob")
    befriend(house, "alice", "bob")
    table = house.table("doudizhu")
    client = client_of(alice)
    form = f'name="table"\n        value="{table.pk}"'
    assert form not in client.get(reverse("my-friends")).text
    house.sit(bob, table, 1)
    assert form in client.get(reverse("my-friends")).text
