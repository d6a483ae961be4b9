"""The database's metrics: read at each scrape, by queries whose cost is bounded.

Nothing here counts hands, moves or postings: their numbers are in columns that play keeps, or a
question stops at `MOST`.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q, QuerySet, Sum
from prometheus_client.core import GaugeMetricFamily, Metric

from casino.ops import heartbeats, machines
from casino.ops.health import checks
from casino.ops.metrics.catalogue import GAME_KEYS, PREFIX
from games.models import ChainEntry, Seat, Table
from tournaments.models import Tournament
from wallets.models.staff_models import Proposal
from wallets.values.registry import Registry

# Where only the beginning of a queue says something, the rest is not counted.
MOST: Final = 10_000


def gauge(name: str, words: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(PREFIX + name, words, labels=labels)


def single(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(PREFIX + name, words, value=value)


def counted(rows: QuerySet[Any]) -> int:
    """Return how many rows there are, up to `MOST`."""
    return rows.order_by()[:MOST].count()


def tables(_now: datetime) -> Iterator[Metric]:
    """By game: there are far fewer tables than hands, and each keeps the number of its hands."""
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


def work(_now: datetime) -> Iterator[Metric]:
    """Yield what waits for people, or for a program."""
    waiting = Proposal.objects.filter(status=Proposal.Status.PROPOSED)
    yield single("approvals_open", "Proposals that wait for a colleague", counted(waiting))
    unlinked = ChainEntry.objects.filter(position__isnull=True)
    yield single("chain_unlinked", "Entries that are not linked to the chain", counted(unlinked))
    events = gauge("tournaments", "Tournaments that are not over", "state")
    over = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    states = Tournament.objects.exclude(state__in=over).order_by().values_list("state")
    for state, number in states.annotate(number=Count("pk")):
        events.add_metric([state], number)
    yield events


def of_machines(_now: datetime) -> Iterator[Metric]:
    apart = machines.drift_milliseconds() / 1000
    yield single("clock_drift_seconds", "How far the database's clock is ahead", apart)
    if connections := machines.connections():
        used, most = connections
        yield single("database_connections", "Connections of the database", used)
        yield single("database_connections_max", "Connections that the database admits", most)
    free = gauge("disk_free_ratio", "The free part of a disk", "disk")
    for name, percent in machines.disks():
        free.add_metric([name], percent / 100)
    yield free


def parts(now: datetime) -> Iterator[Metric]:
    good = gauge("part_ok", "Whether a part of the house works, as at /ready/", "part")
    for name, verdict in checks(now).items():
        good.add_metric([name], verdict["ok"])
    yield good


QUESTIONS: Final = Registry[Callable[[datetime], Iterator[Metric]]]("question of metrics")
for _name, _question in {
    "tables": tables,
    "seats": seats,
    "lag": lag,
    "programs": programs,
    "work": work,
    "machines": of_machines,
    "parts": parts,
}.items():
    QUESTIONS.add(_name, _question)
