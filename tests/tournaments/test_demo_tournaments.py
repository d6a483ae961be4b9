"""The demonstration always has a sit-and-go of each game open, and bots for its entrants."""

from datetime import timedelta
from typing import Any

import pytest

from tests.games.house import House
from tests.tournaments.events import Event
from tournaments.mathematics.structure import GAMES
from tournaments.models import Tournament
from tournaments.overview import listing
from tournaments.running import announcing, demo

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_of_each_game_is_open_and_bots_come(house: House) -> None:
    assert demo.seed(house.now) == len(GAMES)
    assert demo.seed(house.now) == 0
    waiting = Tournament.objects.filter(state="announced")
    assert sorted(waiting.values_list("game", flat=True)) == sorted(GAMES)
    house.bots(4)
    event = Event(house)
    event.number = waiting.get(game="doudizhu").pk
    event.enter(event.people(1))
    entered = house.now
    house.pass_time(demo.BOTS_AFTER_SECONDS)
    announcing.sweep(house.now)
    assert event.row.entrants == 3
    event.until(lambda: event.hands() > 0)
    # Who enters plays within ten seconds.
    assert house.now - entered <= timedelta(seconds=10)
    event.check()
    assert waiting.filter(game="doudizhu").count() == 1


def test_bots_enter_the_event_of_each_evening(house: House, settings: Any) -> None:
    settings.DEMO_LIFE = True
    house.bots(demo.ENTERED_MOST + 1)
    demo.seed(house.now)
    event = Tournament.objects.get(name=demo.EVENING)
    assert event.entrants == demo.ENTERED_AT_ONCE
    assert event.starts_at is not None
    assert event.starts_at - house.now < timedelta(days=1, minutes=10)
    for _visit in range(demo.ENTERED_MOST):
        demo.enter_evening(house.now)
    event.refresh_from_db()
    assert event.entrants == demo.ENTERED_MOST
    # The next evening is announced a day ahead, once.
    house.now = event.starts_at
    announcing.sweep(house.now)
    assert Tournament.objects.filter(name=demo.EVENING).count() == 2
    assert demo.seed(house.now) == 0


def test_a_short_cup_begins_within_a_quarter_of_an_hour(house: House, settings: Any) -> None:
    settings.DEMO_LIFE = True
    house.bots(16)
    demo.seed(house.now)
    cups = Tournament.objects.filter(name=demo.QUICK).order_by("pk")
    first = cups.get()
    alice = house.player("alice")
    assert listing.soon(alice, house.now) is not None
    # Nobody enters this one: it is cancelled at its time, and no list names it.
    assert first.starts_at is not None
    house.now = first.starts_at
    announcing.sweep(house.now)
    first.refresh_from_db()
    assert first.state == "cancelled"
    assert first not in listing.finished()
    # A person enters the next one, and bots take the other seats.
    event = Event(house)
    event.number = cups.exclude(pk=first.pk).get().pk
    assert event.row.starts_at == first.starts_at + demo.QUARTER
    event.enter([alice])
    house.pass_time(demo.BOTS_AFTER_SECONDS)
    announcing.sweep(house.now)
    assert event.row.entrants == event.row.structure["field_max"] > 4
    event.until(event.is_running)
    assert listing.soon(alice, house.now) is not None


def test_bots_play_the_first_sit_and_gos_by_themselves(house: House, settings: Any) -> None:
    settings.DEMO_LIFE = True
    house.bots(4 * demo.PLAYED_FIRST + demo.ENTERED_AT_ONCE)
    demo.seed(house.now)
    sit_and_gos = Tournament.objects.exclude(name__in=(demo.EVENING, demo.QUICK))
    demo.play_first(house.now)
    assert not sit_and_gos.filter(entrants__gt=0).exists()
    # Once a hand has been played in the house, one of each game in turn.
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.until(table, lambda table: table.hands_dealt > 0)
    games = []
    for _quarter in range(demo.PLAYED_FIRST + 2):
        demo.play_first(house.now)
        announcing.sweep(house.now)
        games = [tournament.game for tournament in sit_and_gos.exclude(state="announced")]
    assert len(games) == demo.PLAYED_FIRST
    assert set(games) == set(GAMES)


def test_a_house_without_life_has_no_evening(house: House) -> None:
    demo.seed(house.now)
    assert not Tournament.objects.filter(name=demo.EVENING).exists()
