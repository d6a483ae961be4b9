"""Many who want the last place, and the same player twice: on PostgreSQL they meet at the row."""

import pytest

from games.rules.event_shoe import EventProtocol
from tests.games.simultaneous import at_once
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments.event import mixing
from tournaments.models import Entry, Tournament
from tournaments.running import entries

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_last_place_is_given_once(event: Event) -> None:
    event.announce(structure(field_max=3))
    event.enter(event.people(2))
    late = event.people(4)
    answers = at_once(
        *(
            lambda player=player: entries.register(player, event.number, event.house.now)
            for player in late
        )
    )
    assert (
        sorted(str(answer) for answer in answers if isinstance(answer, str))
        == ["tournament_full"] * 3
    )
    assert Entry.objects.filter(tournament=event.number).count() == event.row.entrants == 3
    event.check()


def test_the_last_place_of_a_sit_and_go_begins_it_once(event: Event) -> None:
    event.announce(sit_and_go(seats=2))
    event.enter(event.people(1))
    late = event.people(3)
    at_once(
        *(
            lambda player=player: entries.register(player, event.number, event.house.now)
            for player in late
        )
    )
    event.until(event.is_running)
    assert event.row.entrants == 2
    assert event.row.tables.count() == 1
    event.check()


def test_a_player_who_sends_it_twice_enters_once(event: Event) -> None:
    event.announce(structure())
    (player,) = event.people(1)
    answers = at_once(*[lambda: entries.register(player, event.number, event.house.now)] * 3)
    assert (
        sorted(str(answer) for answer in answers if isinstance(answer, str))
        == ["already_entered"] * 2
    )
    assert event.row.entrants == 1
    event.check()


def test_a_player_enters_one_of_two_events_at_the_same_time(event: Event) -> None:
    other = Event(event.house)
    event.announce(structure())
    other.announce(structure(name="Other"))
    (player,) = event.people(1)
    answers = at_once(
        lambda: entries.register(player, event.number, event.house.now),
        lambda: entries.register(player, other.number, event.house.now),
    )
    assert [answer for answer in answers if isinstance(answer, str)] == ["overlaps"]
    assert event.row.entrants + other.row.entrants == 1


@pytest.mark.always
def test_the_last_registration_and_the_last_but_one_to_leave(event: Event) -> None:
    """A player who unregisters while the event begins has left, or plays."""
    event.announce(sit_and_go(seats=2))
    first, second = event.people(2)
    event.enter([first])
    at_once(
        lambda: entries.register(second, event.number, event.house.now),
        lambda: entries.unregister(first, event.number, event.house.now),
    )
    began = event.row.state != Tournament.State.ANNOUNCED
    assert event.entry(first).state == ("playing" if began else "withdrawn")
    event.check()


def test_all_reveal_at_the_same_moment_and_one_mix_follows(event: Event) -> None:
    """Those who are there commit and reveal; who withholds is mixed for by the house."""
    players = event.open(structure(), 4)
    protocol = EventProtocol(event.row.shoe.code)
    octets = {player.pk: bytes([number]) * 32 for number, player in enumerate(players)}
    for player in players:
        own = event.entry(player)
        commitment = protocol.commitment(own.number, octets[player.pk]).hex()
        mixing.commit(player, event.number, commitment)
    event.until(lambda: event.row.state == Tournament.State.SEATING)
    begun = event.house.now
    *there, silent = players
    answers = at_once(
        *(
            lambda player=player: mixing.reveal(
                player, event.number, octets[player.pk].hex(), begun
            )
            for player in there
        )
    )
    assert all(isinstance(answer, dict) for answer in answers)
    assert event.row.shoe.mix == ""
    event.until(event.is_running)
    assert event.house.now - begun >= mixing.REVEAL_TIME
    for player in there:
        assert event.entry(player).reveal == octets[player.pk].hex()
    # What the house mixed in instead follows from the sealed secret.
    assert event.entry(silent).reveal == ""


@pytest.mark.always
def test_when_all_have_revealed_nobody_waits(event: Event) -> None:
    players = event.open(structure(), 3)
    protocol = EventProtocol(event.row.shoe.code)
    for player in players:
        commitment = protocol.commitment(event.entry(player).number, bytes(32)).hex()
        mixing.commit(player, event.number, commitment)
    event.until(lambda: event.row.state == Tournament.State.SEATING)
    begun = event.house.now
    for player in players:
        mixing.reveal(player, event.number, bytes(32).hex(), begun)
    event.step()
    assert event.row.shoe.mix
    assert event.house.now == begun
