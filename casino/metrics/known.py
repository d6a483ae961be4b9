"""The database's metrics: read when somebody asks, by queries whose cost is bounded.

Nothing here counts hands, moves or postings: their numbers are in columns that play keeps, or a
question stops at `MOST`.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q, QuerySet, Sum
from prometheus_client.core import GaugeMetricFamily, Metric

from casino.alarms import of_house
from casino.alarms.conditions import registered
from casino.alarms.models import Alarm, CheckResult, Delivery
from casino.health import checks
from casino.metrics.catalogue import GAME_KEYS, PREFIX
from casino.upkeep import heartbeats
from games.models import ChainEntry, Seat, Table
from tournaments.models import Tournament
from wallets.staff_models import Proposal

# Where only the beginning of a queue says something, the rest is not counted.
MOST: Final = 10_000
CHECKS: Final = ("reconciliation", "audit", "release")


def gauge(name: str, words: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(PREFIX + name, words, labels=labels)


def single(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(PREFIX + name, words, value=value)


def counted(rows: QuerySet[Any]) -> int:
    """Return how many rows there are, up to `MOST`."""
    return rows.order_by()[:MOST].count()


def tables(_now: datetime) -> Iterator[Metric]:
    """By game: tables are few beside hands, and each keeps the number of its hands."""
    open_now = gauge("tables_open", "Open tables", "game", "phase")
    live = gauge("hands_live", "Hands that are played now", "game")
    dealt = gauge("hands_dealt", "Hands dealt so far, at tables open and closed", "game")
    rows = Table.objects.order_by().values("game", "phase")
    is_open = Q(status=Table.Status.OPEN)
    sums: dict[str, list[int]] = {}
    for row in rows.annotate(
        open_now=Count("pk", is_open),
        live=Count("pk", Q(hand__isnull=False)),
        dealt=Sum("hands_dealt"),
    ):
        if row["game"] in GAME_KEYS:
            open_now.add_metric([row["game"], row["phase"]], row["open_now"])
            of_game = sums.setdefault(row["game"], [0, 0])
            of_game[0] += row["live"]
            of_game[1] += row["dealt"]
    for game, (live_now, so_far) in sorted(sums.items()):
        live.add_metric([game], live_now)
        dealt.add_metric([game], so_far)
    yield from (open_now, live, dealt)


def seats(_now: datetime) -> Iterator[Metric]:
    taken = gauge("seats_taken", "Taken seats", "by")
    rows = Seat.objects.filter(left_at__isnull=True).order_by()
    bots = rows.aggregate(bots=Count("pk", Q(player__is_bot=True)), all=Count("pk"))
    taken.add_metric(["bot"], bots["bots"])
    taken.add_metric(["player"], bots["all"] - bots["bots"])
    yield taken


def lag(now: datetime) -> Iterator[Metric]:
    """Yield how late the sweep is."""
    due = Table.objects.filter(due_at__lt=now)
    first = due.order_by("due_at").values_list("due_at", flat=True).first()
    late = (now - first).total_seconds() if first else 0.0
    yield single("overdue_seconds", "How late the table is that has waited longest", late)
    yield single("tables_due", "Tables at which something is due", counted(due))


def programs(now: datetime) -> Iterator[Metric]:
    ages = gauge("heartbeat_age_seconds", "When a program was last heard of", "program")
    for name, age in heartbeats.ages(now).items():
        if age is not None:
            ages.add_metric([name], age)
    yield ages


def nightly_checks(now: datetime) -> Iterator[Metric]:
    """Of the ledger and the records: what the last run found, and when that was."""
    found = gauge("check_findings", "What the last run of a check found", "check")
    ages = gauge("check_age_seconds", "How long ago a check last ran", "check")
    for result in CheckResult.objects.filter(pk__in=CHECKS):
        found.add_metric([result.pk], result.found)
        ages.add_metric([result.pk], (now - result.at).total_seconds())
        if result.pk == "reconciliation":
            words = "Differences that the last reconciliation of the ledger found"
            yield single("ledger_drift", words, result.found)
    yield from (found, ages)


def work(_now: datetime) -> Iterator[Metric]:
    """Yield what waits for people, or for a program."""
    waiting = Proposal.objects.filter(status=Proposal.Status.PROPOSED)
    yield single("approvals_open", "Proposals that wait for a colleague", counted(waiting))
    alarms = gauge("alarms_open", "Open alarms", "kind")
    kinds = registered()
    rows = Alarm.objects.filter(cleared_at__isnull=True).order_by().values_list("kind")
    for kind, number in rows.annotate(number=Count("pk")):
        if kind in kinds:
            alarms.add_metric([kind], number)
    yield alarms
    sending = Delivery.objects.filter(next_at__isnull=False)
    yield single("deliveries_waiting", "Messages of alarms on their way", counted(sending))
    unlinked = ChainEntry.objects.filter(position__isnull=True)
    yield single("chain_unlinked", "Entries that are not linked to the chain", counted(unlinked))
    events = gauge("tournaments", "Tournaments that are not over", "state")
    over = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    states = Tournament.objects.exclude(state__in=over).order_by().values_list("state")
    for state, number in states.annotate(number=Count("pk")):
        events.add_metric([state], number)
    yield events


def machines(_now: datetime) -> Iterator[Metric]:
    apart = of_house.drift_milliseconds() / 1000
    yield single("clock_drift_seconds", "How far the database's clock is ahead", apart)
    if connections := of_house.connections():
        used, most = connections
        yield single("database_connections", "Connections of the database", used)
        yield single("database_connections_max", "Connections that the database admits", most)
    free = gauge("disk_free_ratio", "The free part of a disk", "disk")
    for name, percent in of_house.disks():
        free.add_metric([name], percent / 100)
    yield free


def parts(now: datetime) -> Iterator[Metric]:
    good = gauge("part_ok", "Whether a part of the house works, as at /ready/", "part")
    for name, verdict in checks(now).items():
        good.add_metric([name], verdict["ok"])
    yield good


QUESTIONS: Final[dict[str, Callable[[datetime], Iterator[Metric]]]] = {
    "tables": tables,
    "seats": seats,
    "lag": lag,
    "programs": programs,
    "checks": nightly_checks,
    "work": work,
    "machines": machines,
    "parts": parts,
}
