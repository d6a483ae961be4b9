"""The back office of tournaments: templates, schedules, the control room, reasons for each act."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from casino.accounts import staff
from casino.accounts.models import Player
from tests.people import client_of
from tests.tournaments.events import Event, lasting, plain, resumed, structure
from tournaments.models import Entry, Schedule, Template, Tournament
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry, Proposal

pytestmark = pytest.mark.django_db
TEMPLATES = "/admin/tournaments/template/"
EVENTS = "/admin/tournaments/tournament/"
SCHEDULES = "/admin/tournaments/schedule/"


def member(event: Event, group: str, name: str = "") -> Client:
    player = event.house.player(name or f"one of {group}", money=0)
    staff.appoint(player, group)
    return client_of(player)


@pytest.fixture
def operator(event: Event) -> Client:
    return member(event, "managers")


# Templates.


def stored(event: Event, **given: Any) -> Template:
    from tournaments.running import announcing

    return announcing.store_template(structure(**given), "player:1", event.house.now)


@pytest.mark.always
def test_a_template_is_announced_scheduled_and_retired(event: Event, operator: Client) -> None:
    template = stored(event)
    address = f"{TEMPLATES}{template.pk}/"
    past = operator.post(f"{address}announce/", {"starts_at": "2020-01-01 10:00", "reason": "x"})
    assert "must be in the future" in plain(past.text)
    given = {"starts_at": "2026-03-02 19:30", "reason": "Monday"}
    announced = operator.post(f"{address}announce/", given)
    row = Tournament.objects.get()
    assert announced["Location"] == f"{EVENTS}{row.pk}/change/"
    assert row.starts_at
    assert row.starts_at.isoformat() == "2026-03-02T19:30:00+00:00"
    plan = {
        "template": template.pk,
        "next_at": "2026-03-03 19:30",
        "repeats": "hours",
        "every_hours": 24,
        "ahead_hours": 12,
        "reason": "each day",
    }
    assert operator.post(f"{SCHEDULES}add/", plan).status_code == 302
    schedule = Schedule.objects.get()
    assert schedule.every_seconds == 86_400
    refused = operator.post(f"{address}retire/", {"reason": "old"})
    assert "A schedule still announces events by this." in plain(refused.text)
    stop = f"{SCHEDULES}{schedule.pk}/stop/"
    assert operator.post(stop, {"reason": "the summer"}).status_code == 302
    assert operator.post(f"{address}retire/", {"reason": "old"}).status_code == 302
    template.refresh_from_db()
    assert template.retired_at
    verbs = set(JournalEntry.objects.values_list("verb", flat=True))
    assert {
        "tournament.announce",
        "tournament.schedule",
        "tournament.unschedule",
        "template.retire",
    } <= verbs


@pytest.mark.always
def test_a_guarantee_in_real_money_needs_a_colleague(event: Event, operator: Client) -> None:
    Currency.objects.create(code="EUR", name="Euro", exponent=2, kind=Currency.Kind.MONEY)
    template = stored(event, currency="EUR", guarantee=500_000)
    given = {"starts_at": "2026-03-02 19:30", "reason": "Monday"}
    answer = operator.post(f"{TEMPLATES}{template.pk}/announce/", given)
    proposal = Proposal.objects.get()
    assert answer["Location"].endswith(f"/admin/approvals/{proposal.pk}/")
    assert not Tournament.objects.exists()


# The control room.


@pytest.fixture(scope="module")
def six(django_db_setup: None, django_db_blocker: Any) -> Iterator[Event]:
    """Six play at two tables."""
    with lasting(django_db_blocker, __name__) as event:
        event.open(structure(late_registration_level=2), 6)
        event.until(event.is_running)
        yield event


@pytest.fixture
def running(six: Event, monkeypatch: pytest.MonkeyPatch) -> Event:
    return resumed(six, monkeypatch)


def people(event: Event) -> list[Player]:
    entries = Entry.objects.filter(tournament=event.number).select_related("player")
    return [entry.player for entry in entries.order_by("number")]


@pytest.mark.always
def test_the_control_room_shows_how_it_stands(running: Event) -> None:
    operator, address = member(running, "managers"), f"{EVENTS}{running.number}/change/"
    text = plain(operator.get(address).text)
    for words in (
        *("Players left 6", "Tables 2", "Equal to the ledger", "first seat"),
        people(running)[0].username,
    ):
        assert words in text
    part = operator.get(address, {"part": "1"}).text
    assert part.lstrip().startswith("<div")
    assert running.row.name in operator.get(EVENTS).text


def test_each_act_asks_why_and_is_journalled(running: Event) -> None:
    players, operator = people(running), member(running, "managers")
    address = f"{EVENTS}{running.number}/"
    assert operator.post(f"{address}pause/", {}).status_code == 200
    assert running.row.paused_at is None
    acts: dict[str, dict[str, Any]] = {
        "pause": {},
        "resume": {},
        "close": {},
        "message": {"notice": "Tea is served"},
        "disqualify": {"player": players[3].pk, "typed": "disqualify"},
    }
    for name, given in acts.items():
        assert operator.get(f"{address}{name}/").status_code == 200
        answer = operator.post(f"{address}{name}/", {**given, "reason": f"because of {name}"})
        assert answer.status_code == 302, plain(answer.text)
        entry = JournalEntry.objects.latest("position")
        assert (entry.verb, entry.reason) == (f"tournament.{name}", f"because of {name}")
    running.until(lambda: running.row.players_left == 5)
    assert "Tea is served" in Client().get(f"/tournaments/{running.number}/").text
    room = operator.get(f"{address}change/").text
    assert "because of pause" in plain(room)
    # Each player's row leads to the question, which then names that player.
    assert f'href="{address}disqualify/?player={players[4].pk}"' in room
    assert f'href="{address}disqualify/?player={players[3].pk}"' not in room
    question = operator.get(f"{address}disqualify/", {"player": players[4].pk}).text
    assert f'<option value="{players[4].pk}" selected' in question
    twice = operator.post(f"{address}close/", {"reason": "again"})
    assert "Registration for this tournament is closed." in plain(twice.text)


def test_cancelling_counts_what_it_gives_back(running: Event) -> None:
    operator, address = member(running, "managers"), f"{EVENTS}{running.number}/cancel/"
    text = plain(operator.get(address).text)
    assert "66 PLAY stakes and fees back to 6 players" in text
    assert "6,000 chips burnt" in text
    assert "Cancel the event and refund 6 entries" in text
    # Nothing is cancelled without the word, and the button is not the filled one.
    for typed in ("", "CANCLE"):
        refused = operator.post(address, {"reason": "the lights went out", "typed": typed})
        assert refused.status_code == 200
    assert "bg-primary-600" not in refused.text.partition('name="typed"')[2].partition("</form")[0]
    assert running.row.state == Tournament.State.RUNNING
    given = {"reason": "the lights went out", "typed": "CANCEL"}
    assert operator.post(address, given).status_code == 302
    running.until(running.is_over)
    assert running.row.state == Tournament.State.CANCELLED
    assert {running.house.wallet(player).balance for player in people(running)} == {10_000_000}
    assert "the lights went out" in Client().get(f"/tournaments/{running.number}/").text
    room = plain(operator.get(f"{EVENTS}{running.number}/change/").text)
    for words in ("Players 6", "6 entries, refunded", "Cancelled: ", "Started", "Announced"):
        assert words in room, words
    for words in ("Players left", "Nothing yet", "To the money", "No table is open"):
        assert words not in room, words


def test_who_sees_it_and_who_runs_it(running: Event) -> None:
    for group, sees, runs in (
        ("managers", 200, 200),
        ("floor", 200, 403),
        ("auditors", 200, 403),
        ("cashiers", 403, 403),
    ):
        client = member(running, group)
        assert client.get(EVENTS).status_code == sees, group
        for name in ("pause", "cancel", "disqualify", "message"):
            answer = client.get(f"{EVENTS}{running.number}/{name}/")
            assert answer.status_code == runs, (group, name)
        if runs != 200:
            client.post(f"{EVENTS}{running.number}/pause/", {"reason": "mine"})
            assert running.row.paused_at is None
            assert client.get(f"{TEMPLATES}add/").status_code in (403, 404)
    player = client_of(people(running)[0])
    answer = player.get(f"{EVENTS}{running.number}/change/", follow=True)
    assert answer.status_code == 403
