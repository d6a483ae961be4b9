"""The demonstration always has a sit-and-go of each game open, and bots for whoever enters it."""

import pytest

from tests.games.house import House
from tests.tournaments.events import Event
from tournaments import demo, sweep
from tournaments.models import Tournament
from tournaments.structure import GAMES

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
    house.pass_time(demo.BOTS_AFTER_SECONDS)
    sweep.sweep(house.now)
    assert event.row.entrants == 3
    event.until(lambda: event.hands() > 0)
    event.check()
    assert waiting.filter(game="doudizhu").count() == 1
