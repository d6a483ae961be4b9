"""Significant events in one list: where they come from, and who reads it."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from casino.office.alarms.models import Alarm
from casino.office.frame.significant_events import KINDS, SHOWN
from games.tables import hand_verbs
from games.words.refusals import EVENT_OVER, EVENT_OVER_CODE
from tests.games.house import House
from tests.people import client_of
from wallets.money.cashier import HOUSE
from wallets.staff import journal
from wallets.values.days import day_of

ADDRESS = "/admin/events/"


@pytest.fixture
def ada(house: House) -> Client:
    """An auditor, in a house in which one event of each source has been noted."""
    member = house.player("ada", 0)
    appoint(member, "auditors")
    player = house.player("alice")
    Alarm.objects.create(
        kind="drift", subject="clock:database", figures={"milliseconds": 4_321}, raised_at=house.now
    )
    Alarm.objects.create(kind="stuck", subject="table:1", figures={}, raised_at=house.now)
    note("staff.appoint", f"player:{player.pk}", "moved to the floor")
    note("hand.reverse", "hand:999", "the dealing stopped")
    # A sign-in forgets the failures before it.
    client = client_of(Player.objects.get(pk=member.pk))
    AccessAttempt.objects.create(
        username="my secret password", ip_address="192.0.2.9", failures_since_start=5
    )
    AccessAttempt.objects.update(attempt_time=house.now)
    return client


def note(verb: str, subject: str, reason: str) -> None:
    journal.write(journal.HOUSE, verb, subject, before={}, after={"x": 1}, reason=reason)


def words(client: Client, **query: str) -> list[str]:
    page: Any = client.get(ADDRESS, query)
    assert page.status_code == 200
    return [event.words for event, _link in page.context["rows"]]


def test_events_of_all_sources_stand_in_one_list(house: House, ada: Client) -> None:
    assert sorted(words(ada)) == sorted(
        ["The clocks differ", "A name is locked there", str(journal.words_of("staff.appoint")),
         str(journal.words_of("hand.reverse"))]
    )  # fmt: skip
    page = ada.get(ADDRESS).text
    for said in ("4321", "moved to the floor", "5 failures from 192.0.2.9", "alice"):
        assert said in page.replace(",", ""), said
    assert "secret password" not in page


def test_a_check_that_found_something_differs_from_a_clean_one(house: House, ada: Client) -> None:
    for findings in ([], ["games/rules/odds.py is not the release's", "wallets/x.py is missing"]):
        journal.write(
            journal.HOUSE, "command:check_code", "command:check_code", before={},
            after={"release": "1", "found": findings}, reason="the daily check",
        )  # fmt: skip
    page: Any = ada.get(ADDRESS, {"kind": "mismatches"})
    assert [event.detail for event, _link in page.context["rows"]] == [
        "2 problems found: games/rules/odds.py is not the release's · the daily check",
        "No problem found · the daily check",
    ]


@pytest.mark.always
def test_a_failed_sign_in_names_the_account_and_until_when_it_is_locked(
    house: House, ada: Client
) -> None:
    alice = house.person("alice")
    AccessAttempt.objects.create(
        username=alice.username_key, ip_address="192.0.2.10", failures_since_start=5
    )
    AccessAttempt.objects.update(attempt_time=house.now)
    page: Any = ada.get(ADDRESS, {"kind": "sign_ins"})
    rows = {event.subject: event.detail for event, _link in page.context["rows"]}
    locked = f"locked until {house.now + timedelta(minutes=15):%H:%M:%S}"
    assert rows == {
        f"player:{alice.pk}": f"5 failures from 192.0.2.10 · {locked}",
        "": f"5 failures from 192.0.2.9 · {locked}",
    }


def test_each_kind_and_each_day_narrows(house: House, ada: Client) -> None:
    by_kind = {kind: words(ada, kind=kind) for kind in KINDS}
    assert by_kind["clock"] == ["The clocks differ"]
    assert by_kind["sign_ins"] == ["A name is locked there"]
    assert by_kind["reversals"] == [journal.words_of("hand.reverse")]
    assert by_kind["changes"] == [journal.words_of("staff.appoint")]
    assert by_kind["wins"] == by_kind["mismatches"] == []
    assert len(words(ada, first_day=f"{day_of(house.now)}", last_day=f"{day_of(house.now)}")) == 4
    assert words(ada, last_day=f"{day_of(house.now) - timedelta(days=1)}") == []
    for odd in ({"kind": "x"}, {"first_day": "never"}, {"first_day": "0001-01-01"},
                {"first_day": "2026-03-02", "last_day": "2026-03-01"}):  # fmt: skip
        assert ada.get(ADDRESS, odd).status_code == 200


def test_a_hand_that_the_house_voids_is_an_event(house: House, ada: Client) -> None:
    table = house.dealt_in("chinese_poker", "rosa", "emil", "fred")
    assert table.hand_id is not None
    hand_verbs.void(table.hand_id, EVENT_OVER, HOUSE, house.now, code=EVENT_OVER_CODE)
    assert "The house voided a hand" in words(ada, kind="reversals")
    assert f"/admin/hands/T{table.pk}-H1/" in ada.get(ADDRESS).text


def test_changes_of_a_players_account_are_events(house: House, ada: Client) -> None:
    boss = Player.objects.create_superuser("boss")
    freezing.freeze(boss, house.person("alice").pk, "asked by phone")
    assert words(ada, kind="people") == [str(journal.words_of("player.freeze"))]


def test_the_latest_stand_first_and_a_long_list_says_so(house: House, ada: Client) -> None:
    Alarm.objects.bulk_create(
        Alarm(
            kind="drift", subject=f"clock:{number}", figures={"milliseconds": number},
            raised_at=house.now + timedelta(seconds=number),
        )
        for number in range(SHOWN)
    )  # fmt: skip
    page: Any = ada.get(ADDRESS)
    times = [event.at for event, _link in page.context["rows"]]
    assert times == sorted(times, reverse=True)
    assert len(times) == SHOWN
    assert "There may be more" in page.text


def test_every_verb_of_the_list_is_one_of_the_journal() -> None:
    named = {verb for kind in KINDS.values() for verb in kind.verbs}
    # Commands are registered when they are given.
    assert {verb for verb in named if not verb.startswith("command:")} <= journal.verbs().keys()


def test_auditors_alone_read_it(house: House) -> None:
    for group in PERMISSIONS:
        member = house.player(f"one-{group}", 0)
        appoint(member, group)
        browser = client_of(Player.objects.get(pk=member.pk))
        assert browser.get(ADDRESS).status_code == (200 if group == "auditors" else 403), group
        assert browser.post(ADDRESS).status_code in (403, 405)
    assert client_of(house.player("bob")).get(ADDRESS).status_code == 302
    assert Client().get(ADDRESS).status_code == 302
