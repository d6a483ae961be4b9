"""A series from its beginning to the final: events come in, places bring points, tickets follow."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from tests.people import client_of
from tests.tournaments.events import Event, plain, structure
from tests.tournaments.test_control import WHY, member, submit
from tests.tournaments.test_entering import code_of
from tournaments.audit import whole as audit
from tournaments.models import (
    Entry,
    Schedule,
    Series,
    SeriesEvent,
    SeriesStanding,
    Template,
    Ticket,
    Tournament,
)
from tournaments.running import announcing, entries, series_verbs
from tournaments.running import series as running

pytestmark = pytest.mark.django_db(transaction=True)

RULES: dict[str, Any] = {
    "formula": {"manner": "table", "table": [10, 6, 4]},
    "events": 2,
    "best": 2,
    "finalists": 2,
}


def template(event: Event, **fields: Any) -> Template:
    made = structure(field_min=2, levels=[{"point": 300, "seconds": 60}, {"point": 900}], **fields)
    return announcing.store_template(made, "player:1", event.house.now)


def begun(event: Event, **given: Any) -> Series:
    """A series of two events, a day between them, and a final."""
    now = event.house.now
    evening, final = template(event), template(event, name="Final")
    arguments: dict[str, Any] = {
        "name": "Autumn",
        "rules": RULES,
        "template": evening.pk,
        "next_at": (now + timedelta(hours=1)).isoformat(),
        "every_hours": 24,
        "final": final.pk,
        "final_at": (now + timedelta(days=3)).isoformat(),
    }
    made = submit(event, member(event), series_verbs.BEGIN, **(arguments | given)).result
    assert isinstance(made, Series)
    return made


def play_next(event: Event, series: Series, players: list[Player]) -> None:
    """Announce what is due, and play the first event that has not ended."""
    announcing.run(event.house.now)
    waiting = series.events.filter(counted_at=None).order_by("number")
    event.number = waiting.values_list("tournament", flat=True)[0]
    event.enter(players)
    event.play()


def findings() -> list[str]:
    return [finding.code for finding in audit.since()]


@pytest.fixture
def played(event: Event) -> Series:
    """Both events are over: three people have played them."""
    series = begun(event)
    people = event.people(3)
    play_next(event, series, people)
    play_next(event, series, people)
    series.refresh_from_db()
    return series


@pytest.mark.always
def test_places_bring_points_and_the_finalists_get_tickets(event: Event) -> None:
    series = begun(event)
    people = event.people(3)
    play_next(event, series, people)
    first = dict(Entry.objects.filter(place__isnull=False).values_list("place", "player"))
    standings = series.standings.order_by("place").values_list("player", "points")
    assert list(standings) == [(first[1], 10), (first[2], 6), (first[3], 4)]
    assert findings() == []
    play_next(event, series, people)
    series.refresh_from_db()
    assert series.ended_at is not None
    assert not Schedule.objects.get().active
    assert sum(series.standings.values_list("points", flat=True)) == 40
    ranked = list(series.standings.order_by("place").values_list("player", flat=True))
    tickets = Ticket.objects.filter(tournament=series.final)
    assert sorted(tickets.values_list("player", flat=True)) == sorted(ranked[:2])
    assert findings() == []
    # The final is for them alone.
    final, now = series.final_id, event.house.now
    assert final is not None
    by_number = {person.pk: person for person in people}
    last = by_number[ranked[2]]
    assert code_of(lambda: entries.register(last, final, now)) == "tickets_only"
    for number in ranked[:2]:
        entries.register_with_ticket(by_number[number], final, now)
    event.number = final
    event.play()
    event.check()
    assert findings() == []


def test_the_standings_after_an_event_are_kept(played: Series) -> None:
    after_first = running.computed(played, 1)
    assert [len(standing.scored) for standing in after_first] == [1, 1, 1]
    assert [standing.points for standing in after_first] == [10, 6, 4]
    assert sum(standing.points for standing in running.computed(played)) == 40


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda: SeriesStanding.objects.filter(place=1).update(points=99), "series_standing"),
        (lambda: SeriesStanding.objects.filter(place=1).update(place=3), "series_standing"),
        (lambda: SeriesStanding.objects.filter(place=2).delete(), "series_standing"),
        (lambda: SeriesEvent.objects.filter(number=1).update(counted_at=None), "series_counted"),
        (lambda: Ticket.objects.first().delete(), "series_ticket"),  # type: ignore[union-attr]
        (lambda: Ticket.objects.update(tournament=None), "series_ticket"),
    ],
)
def test_the_audit_computes_standings_and_finalists_again(
    played: Series, edit: Any, code: str
) -> None:
    assert findings() == []
    edit()
    assert code in findings()


def test_staff_add_events_and_end_a_series_early(event: Event) -> None:
    series = begun(event, template=None, next_at=None, every_hours=None)
    sam, now = Player.objects.get(username="sam"), event.house.now
    people = event.people(3)
    event.announce(structure(field_min=2))
    number = event.number
    series_verbs.add_event(sam, series.pk, number, WHY, now)
    again = lambda: series_verbs.add_event(sam, series.pk, number, WHY, now)  # noqa: E731
    assert code_of(again) == "in_a_series"
    event.enter(people)
    event.play()
    assert SeriesStanding.objects.count() == 3
    assert not Ticket.objects.exists()
    series_verbs.end(sam, series.pk, WHY, event.house.now)
    assert Ticket.objects.count() == 2
    assert code_of(lambda: series_verbs.end(sam, series.pk, WHY, now)) == "series_ended"
    event.announce(structure(field_min=2))
    late = lambda: series_verbs.add_event(sam, series.pk, event.number, WHY, now)  # noqa: E731
    assert code_of(late) == "series_ended"
    assert findings() == []


@pytest.mark.always
@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"name": " "}, "series_name"),
        ({"rules": RULES | {"best": 3}}, "best_of_fewer"),
        ({"rules": RULES | {"events": 0}}, "series_rules"),
        ({"rules": RULES | {"formula": {"manner": "table", "table": []}}}, "points_table"),
        ({"every_hours": 0}, "series_interval"),
        ({"final_at": None}, "no_time"),
        ({"final": 99}, "no_such_template"),
    ],
)
def test_a_series_that_contradicts_itself_is_refused(
    event: Event, given: dict[str, Any], code: str
) -> None:
    assert code_of(lambda: begun(event, **given)) == code
    assert not Series.objects.exists()
    assert not Tournament.objects.exists()


@pytest.mark.always
def test_a_final_begins_after_the_last_event(event: Event) -> None:
    at = (event.house.now + timedelta(hours=25)).isoformat()
    assert code_of(lambda: begun(event, final_at=at)) == "final_too_early"


def test_names_are_given_once(event: Event) -> None:
    begun(event)
    arguments: dict[str, Any] = {"name": "Autumn", "rules": RULES}
    sam = Player.objects.get(username="sam")
    assert code_of(lambda: submit(event, sam, series_verbs.BEGIN, **arguments)) == "series_exists"


def test_bots_are_ranked_and_get_no_ticket(event: Event) -> None:
    series = begun(event)
    people = event.people(3)
    Player.objects.filter(pk=people[0].pk).update(is_bot=True, password="!")
    for _ in range(2):
        announcing.run(event.house.now)
        waiting = series.events.filter(counted_at=None).order_by("number")
        event.number = waiting.values_list("tournament", flat=True)[0]
        event.enter(Player.objects.filter(pk__in=[person.pk for person in people]))
        event.play()
    assert SeriesStanding.objects.filter(player=people[0]).exists()
    holders = set(Ticket.objects.values_list("player", flat=True))
    assert holders == {people[1].pk, people[2].pk}
    assert findings() == []


# Pages.


def test_players_see_the_standings_after_each_event(event: Event, played: Series) -> None:
    player = Player.objects.get(username="player 2")
    for client in (Client(), client_of(player)):
        listed = plain(client.get("/tournaments/series/").text)
        assert "Autumn" in listed
        assert "Archive" in listed
        page = plain(client.get(f"/tournaments/series/{played.pk}/").text)
        assert "Your best" not in page
        assert "2 events, and all of them count." in page
        assert "The first 2 players get a ticket to the final." in page
        assert "player 2" in page
        first = plain(client.get(f"/tournaments/series/{played.pk}/?after=1").text)
        assert "1 event" in first
    assert client.post(f"/tournaments/series/{played.pk}/").status_code == 405
    assert client.get("/tournaments/series/999/").status_code == 404
    linked = client.get(f"/tournaments/{played.final_id}/").text
    assert f"/tournaments/series/{played.pk}/" in linked


@pytest.mark.always
def test_a_preset_begins_a_series_in_ten_presses(event: Event, manager: Client) -> None:
    template(event)
    listed = manager.get(reverse("office-series")).text
    assert "?preset=month" in listed
    form = manager.get(reverse("series-new"), {"preset": "month"}).context["form"]
    # Everything but the reason is filled in.
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    sent |= {name: f"{sent[name]:%Y-%m-%dT%H:%M}" for name in ("next_at", "final_at")}
    answer = manager.post(reverse("series-new"), sent | {"reason": "the new season"})
    series = Series.objects.get()
    assert answer.headers["Location"] == reverse("office-one-series", args=[series.pk])
    page = plain(manager.get(answer.headers["Location"]).text)
    assert "Your best 3 of 4 events count." in page
    shown = manager.post(
        reverse("series-new") + "?part=preview", {"manner": "table", "table": "7, 5"}
    )
    assert ">7</td>" in shown.text
    assert "<html" not in shown.text


def test_only_managers_change_series_and_give_tickets(event: Event) -> None:
    series = begun(event)
    auditor = client_of(member(event, "ada", "auditors"))
    stranger = client_of(event.house.player("mallory"))
    for name, arguments in (
        ("office-series", []),
        ("series-new", []),
        ("office-one-series", [series.pk]),
        ("tickets", []),
    ):
        address = reverse(name, args=arguments)
        assert stranger.get(address).status_code in (302, 403)
        expected = 403 if name == "series-new" else 200
        assert auditor.get(address).status_code == expected, name
        assert auditor.post(address, {"reason": "x"}).status_code in (403, 405), name


@pytest.mark.always
def test_a_manager_gives_a_ticket(event: Event, manager: Client) -> None:
    made = template(event)
    player = event.house.player("alice")
    page = reverse("tickets")
    nobody = manager.post(page, {"player": "nobody", "template": made.pk, "reason": "a gift"})
    assert "There is no such player." in nobody.text
    manager.post(page, {"player": "Alice", "template": made.pk, "reason": "a gift"})
    ticket = Ticket.objects.get()
    assert (ticket.player_id, ticket.name, ticket.worth) == (player.pk, "Evening", 1_100)
    assert "alice" in manager.get(page).text
