"""Ranges of hands settled again: asked for by auditors, gone through by a worker."""

from datetime import timedelta

import pytest
from django.test import Client

from casino.office.frame import audit_pages
from casino.office.models import AuditRun
from games.models import Hand, HandSeat
from tests.casino.floor_scene import member
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.values.days import day_of

pytestmark = pytest.mark.django_db
AUDITS = "/admin/audits/"


@pytest.fixture
def hands(house: House) -> list[Hand]:
    """A finished hand at each of two tables, where the next one is live."""
    for number in range(2):
        table = house.dealt_in("baccarat", f"player{number}")
        house.until(table, lambda table: table.hands_dealt == 2 and table.hand_id is not None)
    return list(Hand.objects.filter(status=Hand.Status.FINISHED).order_by("pk"))


@pytest.fixture
def ada(house: House) -> Client:
    return client_of(member(house, "auditors", "ada"))


def requested(ada: Client, house: House, **values: object) -> AuditRun:
    day = day_of(house.now).isoformat()
    form = {"first": day, "last": day, "table": "", "reason": "a complaint"}
    answer = ada.post(AUDITS, form | values)
    run = AuditRun.objects.latest("pk")
    assert answer.url == f"{AUDITS}{run.pk}/"  # type: ignore[attr-defined]
    return run


def test_a_day_is_settled_again_and_the_journal_has_it(
    house: House, hands: list[Hand], ada: Client
) -> None:
    run = requested(ada, house)
    entry = JournalEntry.objects.get(verb="hands.audit")
    assert (entry.subject, entry.actor_name, entry.reason) == (
        f"audit:{run.pk}",
        "ada",
        "a complaint",
    )
    assert b"hx-get" in ada.get(f"{AUDITS}{run.pk}/progress/").content
    assert audit_pages.perform_audit(run.pk)
    run.refresh_from_db()
    assert (run.state, run.wanted, run.done, run.wrong) == ("done", 2, 2, 0)
    part = ada.get(f"{AUDITS}{run.pk}/progress/")
    assert part["HX-Refresh"] == "true"
    assert "2 hands were settled again. Nothing was found." in " ".join(
        part.content.decode().split()
    )
    # What is done is done once, however often the task comes.
    assert not audit_pages.perform_audit(run.pk)


def test_a_finding_leads_to_its_hand(house: House, hands: list[Hand], ada: Client) -> None:
    wrong = hands[1]
    HandSeat.objects.filter(hand=wrong).update(net=123_456)
    run = requested(ada, house, table=wrong.table_id)
    audit_pages.perform_audit(run.pk)
    run.refresh_from_db()
    assert (run.wanted, run.done) == (1, 1)
    assert run.wrong > 0
    page = ada.get(f"{AUDITS}{run.pk}/").content.decode()
    assert f'href="/admin/hands/{wrong.code}/"' in page
    assert hands[0].code not in page


def test_a_worker_that_fell_silent_is_followed_by_another(
    house: House, hands: list[Hand], ada: Client
) -> None:
    run = requested(ada, house)
    AuditRun.objects.filter(pk=run.pk).update(state="running", seen_at=house.now)
    assert not audit_pages.perform_audit(run.pk, lambda: house.now)
    assert b"Start again" not in ada.get(f"{AUDITS}{run.pk}/").content
    house.now += timedelta(minutes=2)
    assert b"Start again" in ada.get(f"{AUDITS}{run.pk}/").content
    assert audit_pages.perform_audit(run.pk, lambda: house.now)


@pytest.mark.always
def test_a_range_without_hands_is_refused_and_only_auditors_ask(house: House, ada: Client) -> None:
    for days, sentence in (
        ((0, -1), "The last day is before the first."), ((1, 2), "These days are still to come."),
    ):  # fmt: skip
        first, last = (day_of(house.now) + timedelta(days=number) for number in days)
        form = {"first": first.isoformat(), "last": last.isoformat(), "reason": "a complaint"}
        assert sentence in ada.post(AUDITS, form).text
    assert not AuditRun.objects.exists()
    assert client_of(member(house, "cashiers")).get(AUDITS).status_code == 403


def test_managers_read_what_audits_found_and_ask_for_none(
    house: House, hands: list[Hand], ada: Client
) -> None:
    run = requested(ada, house)
    code, quoted = hands[0].code, "it cannot be replayed: As is not held"
    run.findings, run.wrong, run.state = [[code, quoted], [code, "seat 1 has no result"]], 2, "done"
    run.save()
    mona = client_of(member(house, "managers", "mona"))
    listed = mona.get(AUDITS)
    assert f"{AUDITS}{run.pk}/" in listed.text
    assert "Audit of the day before" in listed.text
    assert 'name="first"' not in listed.text
    page = mona.get(f"{AUDITS}{run.pk}/").text
    assert "it cannot be replayed" in page
    assert "seat 1 has no result" in page
    assert "As is not held" not in page
    assert "As is not held" in ada.get(f"{AUDITS}{run.pk}/").text
    form = {"first": "2026-03-01", "last": "2026-03-01", "reason": "mine"}
    for address in (AUDITS, f"{AUDITS}{run.pk}/"):
        assert mona.post(address, form).status_code == 403
    assert AuditRun.objects.count() == 1
