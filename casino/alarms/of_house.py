"""Conditions of programs, machines and records: what technicians look after."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection
from django.db.models import Count, Sum
from django.utils.translation import gettext_lazy as _

from casino.alarms.conditions import OF_THE_HOUSE, Condition, Moment, State, register
from casino.alarms.delivering import addresses_of_anchors
from casino.alarms.models import Alarm, CheckResult
from casino.health import anchor_verdict
from casino.metrics import processes
from casino.running_code import SHORT
from casino.upkeep import heartbeats
from games.models import Anchor
from wallets.database_time import clocks_apart

MINUTE: Final = 60
# Of more codes than these the alarm names the most common ones.
NAMED_MAX: Final = 4
# A check that runs nightly has not run for longer than a day and two hours.
CHECK_AFTER_MAX: Final = timedelta(hours=26)
# An anchor that has reached no address after this time is an alarm.
ANCHOR_SENT_WITHIN: Final = timedelta(days=1)
SIGN_INS_WITHIN: Final = timedelta(hours=1)


def _check(name: str) -> Iterator[State]:
    """Yield what a nightly check has found."""
    result = CheckResult.objects.filter(pk=name, found__gt=0).first()
    if result is not None:
        yield State(f"check:{name}", {"found": result.found, "first": result.first})


def reconciliation(_moment: Moment) -> Iterator[State]:
    yield from _check("reconciliation")


def audit(_moment: Moment) -> Iterator[State]:
    yield from _check("audit")


def not_the_release(_moment: Moment) -> Iterator[State]:
    yield from _check("release")


def checks_missed(moment: Moment) -> Iterator[State]:
    """A check that ran once and has not since, though it should every night."""
    for result in CheckResult.objects.filter(at__lt=moment.now - CHECK_AFTER_MAX):
        hours = int((moment.now - result.at).total_seconds() // 3600)
        yield State(f"check:{result.name}", {"name": result.name, "hours": hours})


def missing_programs(moment: Moment) -> Iterator[State]:
    """Programs that were heard of once; a house that has just been opened has none yet."""
    for name, age in heartbeats.ages(moment.now).items():
        if age is not None and age > heartbeats.MISSED_AFTER_SECONDS:
            yield State(f"program:{name}", {"name": name, "seconds": int(age)})


def drift_milliseconds() -> int:
    """Return how far the database's clock is ahead of this machine's; negative if behind."""
    return round(clocks_apart() / timedelta(milliseconds=1))


def drift(_moment: Moment) -> Iterator[State]:
    apart = drift_milliseconds()
    if abs(apart) >= settings.ALARM_DRIFT_MILLISECONDS:
        yield State("clock", {"milliseconds": apart})


def failed_sign_ins(moment: Moment) -> Iterator[State]:
    """Many failures within an hour, all names together; what was typed may be a password."""
    recent = AccessAttempt.objects.filter(attempt_time__gt=moment.now - SIGN_INS_WITHIN)
    counted = recent.aggregate(
        failures=Sum("failures_since_start"), addresses=Count("ip_address", distinct=True)
    )
    if (counted["failures"] or 0) >= settings.ALARM_FAILED_SIGN_INS:
        yield State("sign-ins", counted)


def not_anchored(moment: Moment) -> Iterator[State]:
    verdict = anchor_verdict(moment.now)
    if not verdict["ok"]:
        yield State("chain", {"at": verdict["at"] or "–"})


def anchors_kept_here(moment: Moment) -> Iterator[State]:
    """No address has got an anchor for a day; one that arrives vouches for all before it."""
    if not addresses_of_anchors():
        return
    sent = Anchor.objects.filter(deliveries__isnull=False)
    arrived = sent.filter(deliveries__delivered_at__isnull=False).order_by("-number")
    last = arrived.values_list("number", flat=True).first() or 0
    waiting = sent.filter(number__gt=last, made_at__lt=moment.now - ANCHOR_SENT_WITHIN)
    first = waiting.order_by("number").first()
    if first is not None:
        figures = {"number": first.number, "at": f"{first.made_at:%Y-%m-%d %H:%M} UTC"}
        yield State("anchors", figures)


def connections() -> tuple[int, int] | None:
    """Return PostgreSQL's open connections and their limit; None on SQLite."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),"
            " current_setting('max_connections')::int"
        )
        used, most = cursor.fetchone()
    return int(used), int(most)


def few_connections(_moment: Moment) -> Iterator[State]:
    counted = connections()
    if counted is not None:
        used, most = counted
        if 100 * used >= settings.ALARM_CONNECTIONS_PERCENT * most:
            yield State("connections", {"used": used, "most": most})


def disks() -> Iterator[tuple[str, int]]:
    """The folders that the house writes to, each with the free part of its disk in percent."""
    for name, path in (("data", settings.DATA_DIR), ("anchors", settings.ANCHORS_FILE)):
        folder = Path(path)
        while not folder.is_dir():
            folder = folder.parent
        usage = shutil.disk_usage(folder)
        yield name, 100 * usage.free // usage.total


def full_disks(_moment: Moment) -> Iterator[State]:
    for name, free in disks():
        if free < settings.ALARM_DISK_FREE_PERCENT:
            yield State(f"disk:{name}", {"name": name, "free": free})


def several_codes(_moment: Moment) -> Iterator[State]:
    """Processes that run different code: an upgrade that has not reached all of them."""
    found = processes.codes()
    if found is None:
        # Nobody knows while Redis is away: what stands goes on standing.
        for alarm in Alarm.objects.filter(kind="code", cleared_at__isnull=True):
            yield State(alarm.subject, alarm.figures)
        return
    if len(found) > 1:
        common = found.most_common(NAMED_MAX)
        words = ", ".join(f"{sha256[:SHORT]} ({number})" for sha256, number in common)
        yield State("code", {"codes": len(found), "found": words})


def register_all() -> None:
    for kind, words, sentence, find, every_seconds in _ALL:
        register(
            Condition(
                kind,
                words,
                sentence,
                OF_THE_HOUSE,
                find,
                every_seconds=every_seconds,
                may_stand=heartbeats.silent if find is missing_programs else None,
            )
        )


_ALL: Final[tuple[tuple[str, Any, Any, Any, int], ...]] = (
    (
        "reconciliation",
        _("The ledger does not add up"),
        _("Reconciliation found {found}; the first: {first}"),
        reconciliation,
        MINUTE,
    ),
    (
        "audit",
        _("The audit has findings"),
        _("The nightly audit found {found}; the first: {first}"),
        audit,
        MINUTE,
    ),
    (
        "check_missed",
        _("A nightly check has not run"),
        _("{name} has not run for {hours} hours."),
        checks_missed,
        MINUTE,
    ),
    (
        "heartbeat",
        _("A program does not answer"),
        _("{name} was last heard of {seconds} s ago."),
        missing_programs,
        5,
    ),
    (
        "drift",
        _("The clocks differ"),
        _("The database's clock is {milliseconds} ms ahead of this machine's."),
        drift,
        MINUTE,
    ),
    (
        "sign_ins",
        _("Many failed sign-ins"),
        _("{failures} failures from {addresses} addresses within an hour."),
        failed_sign_ins,
        MINUTE,
    ),
    (
        "anchor",
        _("The chain is not anchored"),
        _("Some hands older than a day are not anchored yet; the last anchor was made at {at}."),
        not_anchored,
        MINUTE,
    ),
    (
        "anchor_unsent",
        _("No anchor leaves the house"),
        _("Anchor {number} of {at}, and each one since, has reached none of its addresses."),
        anchors_kept_here,
        MINUTE,
    ),
    (
        "connections",
        _("Few connections are left"),
        _("The database uses {used} of {most} connections."),
        few_connections,
        MINUTE,
    ),
    (
        "disk",
        _("A disk is nearly full"),
        _("The disk of {name} has {free} % left."),
        full_disks,
        MINUTE,
    ),
    (
        "code",
        _("Processes run different code"),
        _("Running processes use {codes} different versions of the code: {found}"),
        several_codes,
        MINUTE,
    ),
    (
        "release",
        _("The code is not the release's"),
        _("The daily check of the code found {found}; the first: {first}"),
        not_the_release,
        MINUTE,
    ),
)
