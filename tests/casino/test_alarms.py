"""Alarms: raised once for a state, cleared with it, delivered until they arrive, taken by one."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from axes.models import AccessAttempt
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.alarms import condition_checks, conditions, delivering, house_conditions, tasks
from casino.office.alarms.condition_checks import take, visible_to
from casino.office.alarms.conditions import OF_THE_HOUSE, Condition, Moment, State, words_of
from casino.office.alarms.models import Alarm, CheckResult, Delivery, Look
from casino.office.integrity.models import Suspicion
from casino.ops import health
from casino.ops.metrics import processes
from casino.ops.metrics.processes import Process
from casino.ops.models import Heartbeat
from games.models import ChainEntry, Hand, HandSeat, Table
from tests.casino.floor_scene import member
from tests.casino.mailbox import mail_server
from tests.casino.servers import served
from tests.casino.webhook import Receiver
from tests.games.house import House
from tests.people import client_of
from wallets.audit.findings import report
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db
LONG_AGO: Final = timedelta(days=2)


@pytest.fixture
def addresses(settings: Any) -> Any:
    settings.ALARM_EMAILS, settings.ALARM_WEBHOOKS = ["floor@club.example"], []
    return settings


@pytest.fixture
def webhook(settings: Any) -> Iterator[Receiver]:
    with served(Receiver()) as server:
        settings.ALARM_WEBHOOKS, settings.ALARM_WEBHOOK_SECRET = [server.address], "a secret"
        yield server


def standing() -> set[tuple[str, str]]:
    return set(Alarm.objects.filter(cleared_at=None).values_list("kind", "subject"))


def stick(house: House) -> Table:
    """A table whose clock does nothing."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    assert table.due_at is not None
    house.now = table.due_at + timedelta(seconds=9)
    return table


# Each condition: how it comes to stand, and how it ends.


def silence(house: House) -> Callable[[], object]:
    Heartbeat.objects.create(name="worker", at=house.now - timedelta(minutes=2))
    return lambda: Heartbeat.objects.update(at=house.now)


def sign_in_wrongly(house: House) -> Callable[[], object]:
    for number in range(10):
        AccessAttempt.objects.create(
            username=f"x{number}", ip_address=f"192.0.2.{number}", failures_since_start=5
        )
    AccessAttempt.objects.update(attempt_time=house.now)
    return lambda: AccessAttempt.objects.all().delete()


def findings(name: str) -> Callable[[House], Callable[[], object]]:
    def stand(house: House) -> Callable[[], object]:
        report(name, 3, "Account 7 is below zero.", house.now)
        return lambda: report(name, 0, "", house.now)

    return stand


def miss_a_night(house: House) -> Callable[[], object]:
    CheckResult.objects.create(name="audit", at=house.now - LONG_AGO, found=0)
    return lambda: report("audit", 0, "", house.now)


def leave_unanchored(house: House) -> Callable[[], object]:
    ChainEntry.objects.create(kind="hand", body={}, made_at=house.now - LONG_AGO)
    return lambda: ChainEntry.objects.all().delete()


def wait_for_a_decision(house: House) -> Callable[[], object]:
    long_ago = house.now - timedelta(days=8)
    values = {"detector": "wins", "subjects": "1", "score": 6, "bound": 4}
    times = {"since": long_ago, "until": long_ago, "opened_at": long_ago}
    Suspicion.objects.create(**values, **times)
    return lambda: Suspicion.objects.all().delete()


def get_stuck(house: House) -> Callable[[], object]:
    table = stick(house)
    return lambda: house.until_due(table)


LASTING: Final[dict[str, Callable[[House], Callable[[], object]]]] = {
    "reconciliation": findings("reconciliation"),
    "audit": findings("audit"),
    "check_missed": miss_a_night,
    "heartbeat": silence,
    "sign_ins": sign_in_wrongly,
    "anchor": leave_unanchored,
    "release": findings("release"),
    "rights": findings("rights"),
    "stuck": get_stuck,
    "suspicions": wait_for_a_decision,
}
# Those of the machine are set below, and events have a test of their own.
OF_THE_MACHINE: Final = {"drift", "connections", "disk", "code"}
EVENTS: Final = {"large_win", "jackpot"}
# Raised in the tests of reports, anchors, closing, payments, webhooks and promotions.
ELSEWHERE: Final = {
    *("hold", "anchor_unsent", "halt", "witness_late", "witness_disagrees"),
    *("payment_difference", "payment_stuck", "payment_paid_otherwise", "payment_disputed"),
    *("hook_given_up", "promotion_stopped", "payment_inquiry"),
}


def test_every_condition_has_a_case() -> None:
    kinds = {*LASTING, *OF_THE_MACHINE, *EVENTS, *ELSEWHERE}
    assert {kind for kind in conditions.CONDITIONS if not kind.startswith("test")} == kinds


def test_the_page_for_operators_lists_every_condition(repository: Path) -> None:
    page = (repository / "docs" / "operations.md").read_text()
    listed = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))))
    assert {*LASTING, *OF_THE_MACHINE, *EVENTS, *ELSEWHERE} - listed == set()


@pytest.mark.parametrize("kind", LASTING)
def test_a_state_raises_one_alarm_and_its_end_clears_it(house: House, kind: str) -> None:
    end = LASTING[kind](house)
    for _look in range(3):
        condition_checks.look(house.now)
        house.pass_time(61 if kind != "stuck" else 1)
    (alarm,) = Alarm.objects.filter(kind=kind)
    assert alarm.cleared_at is None
    title, sentence = words_of(alarm)
    assert title
    assert "{" not in sentence
    end()
    as_if_nobody_had_looked()
    condition_checks.look(house.now)
    alarm.refresh_from_db()
    assert alarm.cleared_at is not None
    assert Alarm.objects.filter(kind=kind).count() == 1


def as_if_nobody_had_looked() -> None:
    Look.objects.all().delete()


@pytest.mark.parametrize(
    ("setting", "value", "kind"),
    [("ALARM_DRIFT_MILLISECONDS", 0, "drift"), ("ALARM_DISK_FREE_PERCENT", 101, "disk")],
)
def test_the_machine_raises_alarms(
    house: House, settings: Any, setting: str, value: int, kind: str
) -> None:
    condition_checks.look(house.now)
    assert standing() == set()
    as_if_nobody_had_looked()
    setattr(settings, setting, value)
    condition_checks.look(house.now)
    assert kind in {alarm for alarm, _subject in standing()}


def test_few_connections(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for used, stands in ((79, False), (80, True)):
        monkeypatch.setattr(health, "connections", lambda used=used: (used, 100))
        states = list(house_conditions.few_connections(Moment(house.now, house.now)))
        assert bool(states) == stands


@pytest.mark.always
def test_processes_of_different_code(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is unknown while Redis is away, and earlier findings stay."""
    old, new = ("a" * 64, "b" * 64)

    def look(*codes: str) -> set[tuple[str, str]]:
        programs = [
            Process("web", "here", number, "1", code, 0, 1.0) for number, code in enumerate(codes)
        ]
        monkeypatch.setattr(processes, "running", lambda: programs or None)
        as_if_nobody_had_looked()
        condition_checks.look(house.now)
        return standing()

    assert look(old, old) == set()
    assert look() == set()
    assert look(old, new, new) == {("code", "code")}
    assert look() == {("code", "code")}
    (alarm,) = Alarm.objects.filter(kind="code")
    _title, sentence = words_of(alarm)
    assert "2 different versions" in sentence
    assert f"{'b' * 12} (2), {'a' * 12} (1)" in sentence
    assert look(new, new, new) == set()


def a_win(house: House, units: int) -> Hand:
    """A hand that a player has won with money."""
    euro, _made = Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.until(table, lambda table: table.hand_id is None)
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).latest("pk")
    HandSeat.objects.filter(hand=hand, number=1).update(net=units * 100, currency=euro)
    return hand


@pytest.mark.always
def test_a_large_win_raises_one_alarm_ever(house: House) -> None:
    hand = a_win(house, 999)
    condition_checks.look(house.now)
    assert standing() == set()
    winner = HandSeat.objects.filter(hand=hand, number=1)
    winner.update(net=100_000)
    as_if_nobody_had_looked()
    condition_checks.look(house.now)
    assert standing() == {("large_win", f"hand:{hand.pk}:1")}
    alarm = Alarm.objects.get()
    assert "alice has won 1,000 EUR" in words_of(alarm)[1]
    take(member(house, "floor"), alarm.pk, "watched the replay", house.now)
    assert standing() == set()
    for _look in range(3):
        house.pass_time(11)
        condition_checks.look(house.now)
    assert Alarm.objects.filter(kind="large_win").count() == 1
    # So does a jackpot that is hit.
    winner.update(net=100)
    lines = [{"key": "pool_paid", "source": "progressive", "target": 1, "amount": 12_300}]
    Hand.objects.filter(pk=hand.pk).update(jackpots={"progressive": 1}, settlement={"lines": lines})
    as_if_nobody_had_looked()
    condition_checks.look(house.now)
    alarm = Alarm.objects.get(kind="jackpot")
    assert alarm.subject == hand.reference
    assert "123" in words_of(alarm)[1]


def test_a_win_is_found_however_long_nobody_looked(house: House) -> None:
    Look.objects.create(kind="large_win", at=house.now)
    a_win(house, 1_000)
    house.pass_time(3 * 3_600)
    condition_checks.look(house.now)
    assert "large_win" in {kind for kind, _subject in standing()}


@pytest.mark.always
def test_where_nothing_is_wrong_one_statement_says_so(house: House) -> None:
    condition_checks.look(house.now)
    counts = []
    for seconds in (5, 5, 51):
        house.pass_time(seconds)
        with CaptureQueriesContext(connection) as statements:
            condition_checks.look(house.now)
        counts.append(len(statements))
    # Once a minute the states are looked for that no row announces.
    assert counts[:2] == [1, 1]
    assert counts[2] <= 20
    house.pass_time(5)
    with CaptureQueriesContext(connection) as statements:
        condition_checks.look(house.now)
    assert len(statements) == 1


def test_a_condition_that_fails_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_moment: Moment) -> list[State]:
        raise RuntimeError("broken")

    monkeypatch.setattr(
        condition_checks,
        "CONDITIONS",
        {"test": Condition("test", "x", "x", OF_THE_HOUSE, fail), **conditions.CONDITIONS},
    )
    silence(house)
    condition_checks.look(house.now)
    assert standing() == {("heartbeat", "program:worker")}


def test_a_state_that_comes_back_is_a_new_alarm(house: House) -> None:
    for count in (1, 2):
        end = silence(house)
        house.pass_time(61)
        condition_checks.look(house.now)
        assert Alarm.objects.count() == count
        # The database holds one open alarm a state.
        (kind, subject), *_others = standing()
        with pytest.raises(IntegrityError), transaction.atomic():
            Alarm.objects.create(kind=kind, subject=subject, raised_at=house.now)
        end()
        house.pass_time(6)
        condition_checks.look(house.now)
        assert standing() == set()
        Heartbeat.objects.all().delete()


# Deliveries


def test_an_alarm_reaches_a_mailbox_and_a_webhook(
    house: House, addresses: Any, webhook: Receiver
) -> None:
    addresses.ALARM_WEBHOOKS = [webhook.address]
    silence(house)
    tasks.look()
    tasks.look()
    (letter,) = mail.outbox
    assert letter.to == ["floor@club.example"]
    assert "A program does not answer" in letter.subject
    assert "worker was last heard of 120 s ago" in letter.body
    ((headers, body),) = webhook.received
    payload = json.loads(body)
    assert (payload["kind"], payload["subject"]) == ("heartbeat", "program:worker")
    assert payload["figures"] == {"name": "worker", "seconds": 120}
    message = headers[delivering.TIMESTAMP].encode() + b"." + body
    signed = hmac.new(b"a secret", message, hashlib.sha256).hexdigest()
    assert headers[delivering.SIGNATURE] == f"sha256={signed}"
    assert Delivery.objects.filter(delivered_at__isnull=False, next_at=None).count() == 2


@pytest.mark.always
def test_an_alarm_reaches_a_mail_server(house: House, addresses: Any) -> None:
    with mail_server() as server:
        addresses.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        addresses.EMAIL_HOST, addresses.EMAIL_PORT = server.address
        silence(house)
        tasks.look()
    (letter,) = server.letters
    assert letter["To"] == "floor@club.example"
    assert "last heard of 120 s ago" in letter.get_content()


def test_what_does_not_arrive_is_sent_again_ever_more_slowly(
    house: House, webhook: Receiver
) -> None:
    webhook.status = 503
    silence(house)
    tasks.look()
    waits = []
    for _attempt in range(10):
        delivery = Delivery.objects.get()
        assert delivery.next_at is not None
        assert "HTTP 503" in delivery.last_error
        waits.append(round((delivery.next_at - house.now).total_seconds()))
        house.now = delivery.next_at
        delivering.send_due(house.now)
    assert waits[:4] == [15, 30, 60, 120]
    assert max(waits) == 3_600
    webhook.status = 200
    house.pass_time(3_601)
    assert delivering.send_due(house.now) == 1
    assert len(webhook.received) == 12
    house.pass_time(10_000)
    assert delivering.send_due(house.now) == 0


def test_a_delivery_is_given_up_after_many_attempts(house: House, settings: Any) -> None:
    settings.ALARM_WEBHOOKS = ["http://127.0.0.1:1/"]
    silence(house)
    tasks.look()
    Delivery.objects.update(attempts=delivering.ATTEMPTS_MAX - 1, next_at=house.now)
    delivering.send_due(house.now)
    delivery = Delivery.objects.get()
    assert (delivery.next_at, delivery.delivered_at) == (None, None)
    assert delivery.attempts == delivering.ATTEMPTS_MAX


def test_a_webhook_is_an_address_of_the_web(house: House, settings: Any) -> None:
    settings.ALARM_WEBHOOKS = ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher"]
    silence(house)
    tasks.look()
    assert [("https://" in delivery.last_error) for delivery in Delivery.objects.all()] == [
        True
    ] * 3


def test_a_redirect_is_not_followed(house: House, webhook: Receiver, addresses: Any) -> None:
    """Letters are in the language of the house."""
    addresses.ALARM_WEBHOOKS, addresses.ALARM_LANGUAGE = [webhook.address], "zh-hans"
    webhook.status = 302
    silence(house)
    tasks.look()
    assert mail.outbox[0].subject.startswith("[alarm:")
    assert len(webhook.received) == 1
    assert "HTTP 302" in Delivery.objects.get(delivered_at=None).last_error


def test_a_delivery_that_somebody_else_has_claimed_is_not_sent(
    house: House, webhook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence(house)
    condition_checks.look(house.now)
    stale = Delivery.objects.select_related("alarm").get()
    Delivery.objects.update(next_at=house.now + delivering.LEASE)
    assert not delivering.attempt(stale, house.now)
    assert webhook.received == []


# Taking one


def test_an_alarm_is_taken_once_with_a_note(house: House) -> None:
    silence(house)
    condition_checks.look(house.now)
    alarm = Alarm.objects.get()
    flo, tom = member(house, "technicians", "flo"), member(house, "managers", "tom")
    former = member(house, "technicians", "fred")
    appoint(former)
    with pytest.raises(Refused):
        take(Player.objects.get(pk=former.pk), alarm.pk, "x", house.now)
    take(flo, alarm.pk, "restarting it", house.now)
    with pytest.raises(Refused, match="flo took this alarm at 12:00: restarting it"):
        take(tom, alarm.pk, "me too", house.now)
    entry = JournalEntry.objects.get(verb="alarm.take")
    assert (entry.actor_name, entry.subject, entry.reason) == (
        "flo",
        alarm.reference,
        "restarting it",
    )
    assert standing() == {("heartbeat", "program:worker")}


def test_a_note_is_needed(house: House) -> None:
    silence(house)
    condition_checks.look(house.now)
    client = client_of(member(house, "technicians"))
    for note in ("", "   ", "x" * 201):
        page = client.post(f"/admin/alarms/{Alarm.objects.get().pk}/", {"reason": note})
        assert page.status_code == 200
        assert 'role="alert"' in page.text
    assert Alarm.objects.get().taken_at is None


@pytest.mark.parametrize(
    ("group", "sees", "takes"),
    [
        ("floor", {"stuck"}, True),
        ("cashiers", set(), False),
        ("managers", {"stuck", "heartbeat"}, True),
        ("auditors", {"stuck", "heartbeat"}, False),
        ("technicians", {"heartbeat"}, True),
    ],
)
def test_each_role_sees_the_alarms_of_its_work(
    house: House, group: str, sees: set[str], takes: bool
) -> None:
    for kind in ("stuck", "heartbeat"):
        Alarm.objects.create(
            kind=kind,
            subject="table:1",
            figures={"table": "T", "name": "n", "seconds": 1},
            raised_at=house.now,
        )
    somebody = member(house, group)
    client = client_of(somebody)
    assert set(visible_to(somebody).values_list("kind", flat=True)) == sees
    for alarm in Alarm.objects.all():
        page = client.get(f"/admin/alarms/{alarm.pk}/")
        expected = 200 if alarm.kind in sees else (404 if sees else 403)
        assert page.status_code == expected
        answer = client.post(f"/admin/alarms/{alarm.pk}/", {"reason": "seen to"})
        alarm.refresh_from_db()
        assert (alarm.taken_at is not None) == (takes and alarm.kind in sees), answer.status_code


def test_the_pages_say_what_has_become_of_it(house: House, webhook: Receiver) -> None:
    silence(house)
    tasks.look()
    client = client_of(member(house, "managers"))
    alarm = Alarm.objects.get()
    assert "not taken yet" in client.get("/admin/alarms/").text
    page = client.get(f"/admin/alarms/{alarm.pk}/").text
    assert urlsplit(webhook.address).netloc in page
    assert webhook.address not in page
    assert "delivered" in page
    assert client.get("/admin/alarms/999999/").status_code == 404
