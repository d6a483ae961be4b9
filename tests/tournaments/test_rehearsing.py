"""Rehearsals for staff: a worker plays them apart from the house, and a page shows them."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts import staff
from casino.accounts.models import Player
from tests.people import client_of
from tests.tournaments.events import Event, plain, sent, sit_and_go, structure
from tournaments import tasks
from tournaments.models import Rehearsal, Template, Tournament
from tournaments.rehearsal import rehearsing
from tournaments.running import announcing
from wallets.staff import claimed_rows
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db
QUICK = sit_and_go(levels=[{"point": 500}], guarantee=3_000)


@pytest.fixture
def boss(event: Event) -> Player:
    player = event.house.player("boss", money=0)
    staff.appoint(player, "managers")
    return player


@pytest.fixture
def manager(boss: Player) -> Client:
    return client_of(boss)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let another program take the place of the rehearsal's."""

    def put(program: str) -> None:
        def started(_words: object, **given: Any) -> "subprocess.Popen[bytes]":
            return popen([sys.executable, "-c", program], **given)

        monkeypatch.setattr(subprocess, "Popen", started)

    popen = subprocess.Popen
    return put


@pytest.fixture
def tables_made(monkeypatch: pytest.MonkeyPatch, migrated_folder: Path) -> None:
    """A rehearsal finds its tables made; to make them takes longer than to play it."""

    def started(words: list[str], **given: Any) -> "subprocess.Popen[bytes]":
        return popen(
            [*words, "--database", f"sqlite:///{migrated_folder / 'house.sqlite3'}"], **given
        )

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", started)


def requested(boss: Player, players: int = 2) -> Rehearsal:
    return rehearsing.ask(boss, QUICK, players, timezone.now())


@pytest.mark.slow
@pytest.mark.usefixtures("tables_made")
def test_a_worker_plays_it_to_its_end(boss: Player) -> None:
    row = requested(boss)
    assert tasks.rehearse(row.pk)
    row.refresh_from_db()
    assert (row.state, row.error) == (Rehearsal.State.DONE, "")
    result = row.result
    assert (result["entries"], result["out"], result["findings"]) == (2, 2, [])
    assert result["hands"] > 0
    assert result["seconds"] > 0
    assert result["prizes"] + result["fees"] == result["paid_in"] + result["added"]
    assert [place["place"] for place in result["places"]] == [1]
    # Nothing of it is in the house.
    assert not Tournament.objects.exists()
    assert not Player.objects.filter(is_bot=True).exists()
    assert not rehearsing.perform(row.pk)


LINES = """
import json, sys
for line in (
    {"event": "entered", "player": "a", "stake": 1, "fee": 0},
    {"event": "level", "number": 3, "point": 5},
    {"event": "out", "player": "a", "place": 1},
):
    print(json.dumps(line), flush=True)
"""


def test_what_does_not_add_up_is_a_finding(boss: Player, played: Callable[[str], None]) -> None:
    played(LINES)
    row = requested(boss)
    assert rehearsing.perform(row.pk)
    row.refresh_from_db()
    assert row.state == Rehearsal.State.DONE
    assert row.result["findings"] == ["the tournament did not end"]
    assert row.result["level"] == 3


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (f"{LINES}\nsys.exit('It is broken.')", "It is broken."),
        (f"{LINES}\nsys.exit(3)", rehearsing.STOPPED),
        ("print('nonsense')", rehearsing.IN_THE_LOG),
    ],
)
def test_a_rehearsal_that_fails_says_why(
    boss: Player, played: Callable[[str], None], program: str, sentence: str
) -> None:
    played(program)
    row = requested(boss)
    rehearsing.perform(row.pk)
    row.refresh_from_db()
    assert row.state == Rehearsal.State.FAILED
    assert sentence in row.error
    assert row.ended_at


@pytest.mark.always
def test_the_process_has_no_keys_of_the_house(
    boss: Player, played: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGNING_KEYS", "secret")
    played("import os, sys; sys.exit(' '.join(sorted(os.environ)))")
    row = requested(boss)
    rehearsing.perform(row.pk)
    row.refresh_from_db()
    assert set(row.error.split()) <= {"PATH", "TMPDIR", "LC_CTYPE"}


def test_one_that_takes_too_long_is_stopped(
    boss: Player, played: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsing, "SECONDS_MAX", 0.0)
    played("import threading; threading.Event().wait()")
    row = requested(boss)
    rehearsing.perform(row.pk)
    row.refresh_from_db()
    assert row.error == rehearsing.TOO_LONG
    page = client_of(boss).get(f"/admin/tournaments/template/rehearsals/{row.pk}/")
    assert "It took longer than 15 minutes and was stopped." in plain(page.text)


@pytest.mark.always
def test_a_worker_that_falls_silent_loses_its_claim(
    boss: Player, played: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claimed_rows, "NOTED_EVERY", 0.0)
    played(LINES)
    row = requested(boss)
    times = clock_of(timezone.now())

    def taken_over() -> datetime:
        now = next(times)
        Rehearsal.objects.filter(pk=row.pk, seen_at__isnull=False).update(seen_at=now)
        return now + timedelta(milliseconds=1)

    assert not rehearsing.perform(row.pk, taken_over)
    row.refresh_from_db()
    assert row.state == Rehearsal.State.RUNNING
    assert rehearsing.is_left(row, timezone.now() + timedelta(hours=1))
    assert rehearsing.perform(row.pk, lambda: timezone.now() + timedelta(hours=2))


def clock_of(now: datetime) -> Iterator[datetime]:
    while True:
        now += timedelta(seconds=1)
        yield now


@pytest.mark.always
@pytest.mark.parametrize("players", [1, 3, 61])
def test_it_is_played_by_as_many_as_fit(boss: Player, players: int) -> None:
    with pytest.raises(Refused) as refusal:
        requested(boss, players)
    assert refusal.value.code == "rehearsal_players"


def test_only_so_many_run_at_a_time(boss: Player) -> None:
    for _ in range(rehearsing.BUSY_MAX):
        requested(boss)
    with pytest.raises(Refused) as refusal:
        requested(boss)
    assert refusal.value.code == "rehearsals_busy"


# Its page.


def stored(event: Event) -> Template:
    return announcing.store_template(structure(), "player:1", event.house.now)


@pytest.mark.always
def test_a_version_and_a_draft_are_rehearsed_from_their_pages(
    event: Event, manager: Client
) -> None:
    template = stored(event)
    address = f"/admin/tournaments/template/{template.pk}/rehearse/"
    assert manager.get(address).status_code == 302
    answer = manager.post(address, {"players": "6"})
    row = Rehearsal.objects.get()
    assert answer["Location"].endswith(f"/rehearsals/{row.pk}/")
    assert (row.players, row.name) == (6, "Evening")
    refused = manager.post(address, {"players": "many"}, follow=True)
    assert "This event is rehearsed with 2 to 12 players." in plain(refused.text)
    draft = {**sent(structure(name="Autumn cup")), "players": "4"}
    manager.post("/admin/tournaments/template/rehearse/", draft)
    assert Rehearsal.objects.latest("pk").name == "Autumn cup"
    wrong = {**sent(structure(), stake="x"), "players": "4"}
    said = manager.post("/admin/tournaments/template/rehearse/", wrong, follow=True)
    assert "Correct what is marked in the form" in plain(said.text)
    assert Rehearsal.objects.count() == 2


@pytest.mark.always
def test_its_page_shows_how_far_it_is_and_then_the_result(boss: Player, manager: Client) -> None:
    row = requested(boss)
    address = f"/admin/tournaments/template/rehearsals/{row.pk}/"
    assert "every 2s" in manager.get(address, {"part": "1"}).text
    assert "Start again" not in manager.get(address).text
    long_ago = timezone.now() - timedelta(hours=1)
    Rehearsal.objects.update(requested_at=long_ago)
    assert "Start again" in manager.get(address).text
    # Behind another one that is played it waits, however long that takes.
    playing = {"state": Rehearsal.State.RUNNING, "seen_at": timezone.now()}
    other = requested(boss)
    Rehearsal.objects.filter(pk=other.pk).update(**playing)
    assert "Starts when the rehearsal before it ends" in manager.get(address).text
    assert "Start again" not in manager.get(address).text
    Rehearsal.objects.filter(pk=other.pk).delete()
    assert manager.post(address).status_code == 302
    result = {
        "entries": 3,
        "out": 2,
        "hands": 1_234,
        "level": 1,
        "seconds": 600,
        "paid_in": 3_300,
        "fees": 300,
        "added": 0,
        "prizes": 3_000,
        "places": [{"place": 1, "player": "player-7", "amount": 3_000}],
        "findings": [],
    }
    Rehearsal.objects.update(state=Rehearsal.State.DONE, result=result)
    shown = plain(manager.get(address).text)
    for words in ("1,234", "10 min", "Paid in 33", "Re-entries and add-ons 1", "add up"):
        assert words in shown
    assert "every 2s" not in manager.get(address, {"part": "1"}).text
    assert manager.get("/admin/tournaments/template/rehearsals/999999/").status_code == 404


def test_only_those_who_run_tournaments_rehearse(event: Event, boss: Player) -> None:
    row, template = requested(boss), stored(event)
    for group, sees in (("floor", 200), ("auditors", 200), ("cashiers", 403)):
        player = event.house.player(f"one of {group}", money=0)
        staff.appoint(player, group)
        client = client_of(player)
        page = client.get(f"/admin/tournaments/template/rehearsals/{row.pk}/")
        assert page.status_code == sees, group
        for address in (f"{template.pk}/rehearse/", "rehearse/"):
            answer = client.post(f"/admin/tournaments/template/{address}", {"players": "4"})
            assert answer.status_code == 403
    assert Rehearsal.objects.count() == 1
