"""Conditions of programs, machines and records for technicians, of tables for floor staff."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Count, DateTimeField, ExpressionWrapper, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.condition_checks import FIRST_BACK, OVERLAP
from casino.office.alarms.conditions import (
    INSTANT,
    OF_THE_HOUSE,
    OF_THE_ROOM,
    Condition,
    Moment,
    State,
)
from casino.office.alarms.delivering import addresses_of_anchors
from casino.office.alarms.models import Alarm, CheckResult, Delivery, Look
from casino.ops import health
from casino.ops.health import OVERDUE_SECONDS_MAX, anchor_verdict
from casino.ops.metrics import processes
from casino.ops.running_code import SHORT
from games.models import Anchor, Hand, HandSeat, Table, WitnessedAnchor
from games.shoes import witnesses
from wallets.models import Currency
from wallets.money import limits
from wallets.storage.sealed_columns import digest_of
from wallets.values.amounts import show_amount

MINUTE: Final = 60
# Of more codes than these the alarm names the most common ones.
NAMED_MAX: Final = 4
# A check that runs nightly has not run for longer than a day and two hours.
CHECK_AFTER_MAX: Final = timedelta(hours=26)
# An anchor that has reached no address after this time is an alarm.
ANCHOR_SENT_WITHIN: Final = timedelta(days=1)
# An outside witness signs an anchor within this time.
WITNESSED_WITHIN: Final = timedelta(minutes=5)
SIGN_INS_WITHIN: Final = timedelta(hours=1)


def _check(name: str) -> Iterator[State]:
    result = CheckResult.objects.filter(pk=name, found__gt=0).first()
    if result is not None:
        yield State(f"check:{name}", {"found": result.found, "first": result.first})


def reconciliation(_moment: Moment) -> Iterator[State]:
    yield from _check("reconciliation")


def audit(_moment: Moment) -> Iterator[State]:
    yield from _check("audit")


def not_the_release(_moment: Moment) -> Iterator[State]:
    yield from _check("release")


def wrong_rights(_moment: Moment) -> Iterator[State]:
    yield from _check("rights")


def checks_missed(moment: Moment) -> Iterator[State]:
    """A check that ran once and has not since, though it should every night."""
    for result in CheckResult.objects.filter(at__lt=moment.now - CHECK_AFTER_MAX):
        hours = int((moment.now - result.at).total_seconds() // 3600)
        yield State(f"check:{result.name}", {"name": result.name, "hours": hours})


def missing_programs(moment: Moment) -> Iterator[State]:
    """Programs that were heard of once; a house that has just been opened has none yet."""
    for name, age in health.ages(moment.now).items():
        if age is not None and age > health.MISSED_AFTER_SECONDS:
            yield State(f"program:{name}", {"name": name, "seconds": int(age)})


def drift(_moment: Moment) -> Iterator[State]:
    apart = health.drift_milliseconds()
    if abs(apart) >= settings.ALARM_DRIFT_MILLISECONDS:
        yield State("clock", {"milliseconds": apart})


def failed_sign_ins(moment: Moment) -> Iterator[State]:
    """Many failures within an hour, all names together; the typed text may be a password."""
    recent = AccessAttempt.objects.filter(attempt_time__gt=moment.now - SIGN_INS_WITHIN)
    counted = recent.aggregate(
        failures=Sum("failures_since_start"), addresses=Count("ip_address", distinct=True)
    )
    if (counted["failures"] or 0) >= settings.ALARM_FAILED_SIGN_INS:
        yield State("sign-ins", counted)


def not_anchored(moment: Moment) -> Iterator[State]:
    verdict = anchor_verdict(moment.now)
    if not verdict["ok"]:
        yield State("chain", {INSTANT: verdict["at"] or "–"})


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
        yield State("anchors", {"number": first.number, INSTANT: first.made_at.isoformat()})


def witness_late(moment: Moment) -> Iterator[State]:
    """A witness has not signed an anchor of some minutes ago."""
    old = Anchor.objects.filter(made_at__lt=moment.now - WITNESSED_WITHIN).order_by("-number")
    if not settings.WITNESSES or (last := old.first()) is None:
        return
    signed = WitnessedAnchor.objects.filter(anchor__number__gte=last.number)
    for witness in witnesses.configured():
        if not signed.filter(witness=witness.key).exists():
            at = {INSTANT: last.made_at.isoformat()}
            yield State(
                f"witness:{witness.key[:16]}", {"name": witness.name, "number": last.number, **at}
            )


def witness_disagrees(_moment: Moment) -> Iterator[State]:
    """A witness has another anchor than the house; nothing that it signed later makes that good."""
    addresses = {
        digest_of(f"{witness.url}#{witness.key}"): witness for witness in witnesses.configured()
    }
    refused = Delivery.objects.filter(
        channel=Delivery.Channel.WITNESS,
        address_digest__in=addresses,
        delivered_at=None,
        last_error__startswith=witnesses.Disagrees.__name__,
    )
    said = dict(refused.order_by("-pk").values_list("address_digest", "last_error"))
    for digest, words in said.items():
        witness = addresses[digest]
        yield State(f"witness:{witness.key[:16]}", {"name": witness.name, "said": words})


def few_connections(_moment: Moment) -> Iterator[State]:
    counted = health.connections()
    if counted is not None:
        used, most = counted
        if 100 * used >= settings.ALARM_CONNECTIONS_PERCENT * most:
            yield State("connections", {"used": used, "most": most})


def full_disks(_moment: Moment) -> Iterator[State]:
    for name, free in health.disks():
        if free < settings.ALARM_DISK_FREE_PERCENT:
            yield State(f"disk:{name}", {"name": name, "free": free})


def several_codes(_moment: Moment) -> Iterator[State]:
    """Processes that run different code: an upgrade that has not reached all of them."""
    codes = processes.codes()
    if codes is None:
        # Without Redis the state is unknown: keep what was true before.
        for alarm in Alarm.objects.filter(kind="code", cleared_at__isnull=True):
            yield State(alarm.subject, alarm.figures)
        return
    if len(codes) > 1:
        common = codes.most_common(NAMED_MAX)
        words = ", ".join(f"{sha256[:SHORT]} ({number})" for sha256, number in common)
        yield State("code", {"codes": len(codes), "found": words})


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
        "witness_late",
        _("An outside witness is late"),
        _("The witness {name} has not signed anchor {number} of {at}."),
        witness_late,
        MINUTE,
    ),
    (
        "witness_disagrees",
        _("An outside witness disagrees"),
        _("The witness {name} has another anchor than the house: {said}"),
        witness_disagrees,
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
    (
        "rights",
        _("Rights of staff are not as they were given"),
        _("The check of rights found {found}; the first: {first}"),
        wrong_rights,
        MINUTE,
    ),
)
FOR_TECHNICIANS: Final = tuple(
    Condition(
        kind,
        words,
        sentence,
        OF_THE_HOUSE,
        find,
        every_seconds=every_seconds,
        may_stand=health.silent if find is missing_programs else None,
    )
    for kind, words, sentence, find, every_seconds in _ALL
)


# One look reports no more states than these; the next look reports the rest.
TABLES_MAX: Final = 50
HANDS_MAX: Final = 200
PAID: Final = ("pool_paid",)


def stuck_tables(moment: Moment) -> Iterator[State]:
    """Tables where something was due for longer than players are promised."""
    due = late_tables(moment.now).order_by("due_at")
    for table in due.only("pk", "name", "due_at")[:TABLES_MAX]:
        assert table.due_at is not None
        seconds = int((moment.now - table.due_at).total_seconds())
        yield State(table.reference, {"table": table.title, "seconds": seconds})


def late_tables(now: datetime) -> QuerySet[Table]:
    return Table.objects.filter(due_at__lt=now - timedelta(seconds=OVERDUE_SECONDS_MAX))


def _hands_since_look(kind: str, now: datetime) -> QuerySet[Hand]:
    """The hands that ended since the last check for events, or shortly before it."""
    last = Coalesce(
        Subquery(Look.objects.filter(pk=kind).values("at")[:1]), Value(now - FIRST_BACK)
    )
    since = ExpressionWrapper(last - Value(OVERLAP), output_field=DateTimeField())
    return Hand.objects.filter(ended_at__gt=since)


def large_wins(moment: Moment) -> Iterator[State]:
    """Hands paid since the last check in which a player won at least the limit."""
    threshold = limits.value("large_win")
    paid = HandSeat.objects.filter(
        hand__ended_at__gt=moment.since,
        hand__status=Hand.Status.FINISHED,
        currency__kind=Currency.Kind.MONEY,
        net__gte=max(threshold, 1),
    ).select_related("player", "currency", "hand")
    for row in paid.order_by("-net")[:HANDS_MAX]:
        if row.net >= threshold * 10**row.currency.exponent:
            figures: dict[str, object] = {"player": row.player.username, "hand": row.hand.code}
            yield State(
                f"{row.hand.reference}:{row.number}", figures | _money(row.net, row.currency)
            )


def jackpot_hits(moment: Moment) -> Iterator[State]:
    """Hands since the last look that were paid something out of a pool."""
    ended = Hand.objects.filter(ended_at__gt=moment.since, status=Hand.Status.FINISHED)
    hands = ended.exclude(jackpots={}).select_related("table__currency")
    for hand in hands.order_by("ended_at").iterator():
        lines = (hand.settlement or {}).get("lines", ())
        amount = sum(line["amount"] for line in lines if line["key"] in PAID)
        if amount:
            currency = hand.table.currency
            figures: dict[str, object] = {"hand": hand.code, "table": hand.table.title}
            yield State(hand.reference, figures | _money(amount, currency))


def _money(amount: int, currency: Currency) -> dict[str, object]:
    return {"amount": amount, "exponent": currency.exponent, "currency": currency.code}


def in_money(figures: Mapping[str, Any]) -> dict[str, object]:
    """The figures with the amount as its readers read it."""
    currency = Currency(code=figures["currency"], exponent=figures["exponent"])
    return {**figures, "amount": show_amount(figures["amount"], currency)}


FOR_FLOOR: Final = (
    Condition(
        "stuck",
        _("A table is stuck"),
        _("{table}: something was due {seconds} s ago, and the clock has not done it."),
        OF_THE_ROOM,
        stuck_tables,
        may_stand=late_tables,
    ),
    Condition(
        "large_win",
        _("Large win"),
        _("{player} has won {amount} {currency} in {hand}."),
        OF_THE_ROOM,
        large_wins,
        lasting=False,
        every_seconds=10,
        may_stand=partial(_hands_since_look, "large_win"),
        shown=in_money,
    ),
    Condition(
        "jackpot",
        _("Jackpot hit"),
        _("{hand} at {table} was paid {amount} {currency} out of a pool."),
        OF_THE_ROOM,
        jackpot_hits,
        lasting=False,
        every_seconds=10,
        may_stand=partial(_hands_since_look, "jackpot"),
        shown=in_money,
    ),
)
