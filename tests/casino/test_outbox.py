"""What goes out of the house: one process claims it, and a dead receiver delays no other."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from casino.office.alarms import delivering
from casino.office.alarms.models import Alarm, Delivery
from casino.office.payments import advancing
from casino.office.payments.models import Payment
from casino.ops import outbox
from tests.casino.desk_scene import Desk
from tests.casino.payment_provider import payment_provider
from tests.casino.payment_scene import Payments

NOW = timezone.now()
HALT = {"name": "tom", "at": "noon", "reason": "a test"}


def test_waits_double_up_to_the_longest() -> None:
    first, most = timedelta(seconds=15), timedelta(hours=1)
    waits = [outbox.doubled(first, attempts, most).seconds for attempts in (1, 2, 3, 9, 10, 1_000)]
    assert waits == [15, 30, 60, 3_600, 3_600, 3_600]


def test_a_run_goes_on_to_the_next_receiver_after_a_failure() -> None:
    answers: dict[str, bool | None] = {"a1": True, "a2": False, "a3": True, "b1": None, "b2": True}
    tried: list[str] = []

    def attempt(row: str, _now: object) -> bool | None:
        tried.append(row)
        return answers[row]

    queues = [["a1", "a2", "a3"], ["b1", "b2"]]
    assert outbox.send(queues, attempt, NOW, seconds_max=60) == 2
    assert tried == ["a1", "a2", "b1", "b2"]


def test_a_lease_begins_when_a_row_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run may last longer than a lease: another process must not send what is being sent."""
    clock = iter((0.0, 0.0, 25.0, 61.0))
    monkeypatch.setattr("casino.ops.outbox.monotonic", lambda: next(clock))
    times: list[float] = []

    def attempt(_row: str, now: Any) -> bool:
        times.append((now - NOW).total_seconds())
        return True

    assert outbox.send([["a", "b", "c"]], attempt, NOW, seconds_max=60) == 2
    assert times == [0.0, 25.0]


@pytest.mark.django_db
def test_a_dead_address_delays_no_other_alarm(settings: Any) -> None:
    settings.ALARM_EMAILS = ["floor@club.example"]
    settings.ALARM_WEBHOOKS = ["http://127.0.0.1:1/"]
    for number in range(3):
        alarm = Alarm.objects.create(kind="halt", subject=str(number), raised_at=NOW, figures=HALT)
        delivering.enqueue(alarm, NOW)
    assert delivering.send_due(NOW) == 3
    attempts = Delivery.objects.filter(channel="webhook").order_by("pk")
    assert list(attempts.values_list("attempts", flat=True)) == [1, 0, 0]
    assert delivering.send_due(NOW) == 0
    assert list(attempts.values_list("attempts", flat=True)) == [1, 1, 0]


@pytest.mark.django_db
def test_a_provider_that_is_away_is_asked_once_in_a_run(desk: Desk, settings: Any) -> None:
    settings.PAYMENTS, settings.STRIPE_KEY = ["stripe", "transfer"], "sk_test"
    with payment_provider() as provider:
        settings.STRIPE_API, provider.away = provider.address, True
        payments = Payments(desk, provider)
        rows = [payments.start(by=name) for name in ("stripe", "stripe", "stripe", "transfer")]
        advancing.advance_due(desk.now)
    attempts = dict(Payment.objects.values_list("pk", "attempts"))
    assert [attempts[row.pk] for row in rows] == [1, 0, 0, 1]
