"""The reminder of time and money: it interrupts between hands and must be answered."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.care import reality
from casino.care.models import RealityCheck
from games.models import Seat
from games.tables import admission, seating
from games.tables.admission import Occasion
from tests.games.house import House
from tests.people import client_of
from wallets.values.errors import Refused

MINUTE = timedelta(minutes=1)
ADDRESS = "/players/reality-check/"


def sat_for(house: House, minutes: int, every: int = 30) -> Client:
    """Alice has sat so long, and wants to be reminded."""
    alice, table = house.player("alice"), house.table("blackjack")
    reality.choose(alice, every, house.now)
    house.sit(alice, table, 1)
    house.pass_time(60 * minutes)
    return client_of(alice)


def is_dealt_in(house: House) -> bool:
    request = admission.Request(Occasion.DEAL, house.person("alice"), timezone.now())
    return admission.refusal(request) is None


@pytest.mark.always
@pytest.mark.parametrize(("minutes", "dealt_in"), [(29, True), (30, False), (300, False)])
def test_it_interrupts_when_the_time_is_up(house: House, minutes: int, *, dealt_in: bool) -> None:
    sat_for(house, minutes)
    assert is_dealt_in(house) is dealt_in


@pytest.mark.always
def test_playing_on_is_an_answer_until_the_next_time(house: House) -> None:
    client = sat_for(house, 31)
    with pytest.raises(Refused, match="first"):
        reality.choose(house.person("alice"), 0, timezone.now())
    assert client.post(ADDRESS, {"go_on": 1}).status_code == 302
    assert is_dealt_in(house)
    later = timezone.now() + 30 * MINUTE
    assert reality.is_due(house.person("alice").pk, later)
    client.post(ADDRESS, {"stop": 1})
    assert not Seat.objects.filter(left_at=None).exists()


def test_a_short_absence_does_not_begin_a_new_session(house: House) -> None:
    sat_for(house, 31)
    alice, table = house.person("alice"), Seat.objects.get().table
    seating.leave(alice, table.pk, timezone.now())
    assert reality.is_due(alice.pk, timezone.now() + 14 * MINUTE)
    assert not reality.is_due(alice.pk, timezone.now() + 16 * MINUTE)


def test_the_bar_shows_time_and_result(house: House) -> None:
    client = sat_for(house, 12)
    page = client.get("/").content.decode()
    assert "12 min" in page
    assert "alertdialog" not in page
    seat = Seat.objects.get()
    seat.sat_down_at = timezone.now() - 31 * MINUTE
    seat.save()
    part = client.get("/players/session/").content.decode()
    assert "31 minutes" in part
    assert "alertdialog" in part


def test_visitors_and_people_who_sit_nowhere_have_no_clock(house: House) -> None:
    assert "min" not in Client().get("/players/session/").content.decode()
    assert 'id="session"' not in client_of(house.player("alice")).get("/").content.decode()


@pytest.mark.always
def test_the_page_of_limits_sets_an_interval_that_is_offered(house: House) -> None:
    client = client_of(house.player("alice"))
    for typed in ("", "7", "-1", "x", "30.5"):
        response = client.post("/players/limits/", {"remind": 1, "minutes": typed})
        assert response.status_code == 422, typed
    assert not RealityCheck.objects.exists()
    for minutes in (60, 0):
        client.post("/players/limits/", {"remind": 1, "minutes": str(minutes)})
        assert RealityCheck.objects.get().minutes == minutes


@pytest.mark.parametrize("every", [0, 120])
def test_the_house_may_remind_everybody(house: House, settings: Any, every: int) -> None:
    settings.REALITY_CHECK_MINUTES = 30
    client = sat_for(house, 31, every)
    assert not is_dealt_in(house)
    client.post(ADDRESS, {"go_on": 1})
    assert is_dealt_in(house)


def test_who_has_chosen_nothing_is_reminded_where_the_house_says_so(
    house: House, settings: Any
) -> None:
    client = sat_for(house, 31)
    RealityCheck.objects.all().delete()
    assert is_dealt_in(house)
    settings.REALITY_CHECK_MINUTES = 30
    assert not is_dealt_in(house)
    client.post(ADDRESS, {"go_on": 1})
    assert is_dealt_in(house)
    # Alice has answered, but chosen no time: the house's time stays in force.
    assert RealityCheck.objects.get().minutes == 0
