"""The metrics of alarms: the last run of each check, open alarms, and messages."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import Count
from prometheus_client.core import Metric

from casino.accounts import rights_check
from casino.office.alarms.conditions import CONDITIONS
from casino.office.alarms.models import Alarm, CheckResult, Delivery
from casino.ops.metrics.collecting import counted, gauge, single
from wallets.audit.findings import report

CHECKS: Final = ("reconciliation", "audit", "release", "rights")


def nightly_checks(now: datetime) -> Iterator[Metric]:
    """Of the ledger and the records: what the last run found, and when that was."""
    family = gauge("check_findings", "What the last run of a check found", "check")
    ages = gauge("check_age_seconds", "How long ago a check last ran", "check")
    for result in CheckResult.objects.filter(pk__in=CHECKS):
        family.add_metric([result.pk], result.found)
        ages.add_metric([result.pk], (now - result.at).total_seconds())
        if result.pk == "reconciliation":
            words = "Differences that the last reconciliation of the ledger found"
            yield single("ledger_drift", words, result.found)
    yield from (family, ages)


def open_alarms(_now: datetime) -> Iterator[Metric]:
    alarms = gauge("alarms_open", "Open alarms", "kind")
    kinds = CONDITIONS
    rows = Alarm.objects.filter(cleared_at__isnull=True).order_by().values_list("kind")
    for kind, number in rows.annotate(number=Count("pk")):
        if kind in kinds:
            alarms.add_metric([kind], number)
    yield alarms
    sending = Delivery.objects.filter(next_at__isnull=False)
    yield single("deliveries_waiting", "Messages of alarms on their way", counted(sending))


def check_rights(now: datetime) -> int:
    """Report what is wrong with the rights of staff; return how much."""
    findings = list(rights_check.findings())
    report("rights", len(findings), findings[0] if findings else "", now)
    return len(findings)


def store_result(
    name: str, found: int, first: str, now: datetime, **_of_the_signal: object
) -> None:
    CheckResult.objects.update_or_create(
        pk=name, defaults={"at": now, "found": found, "first": first}
    )
