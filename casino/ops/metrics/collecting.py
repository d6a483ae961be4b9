"""The collector: all that is measured, of processes and database, when Prometheus asks.

Nothing here counts hands, moves or postings: their numbers are in columns that play keeps, or a
question stops at `MOST`.
"""

import hmac
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from ipaddress import ip_address
from typing import Any, Final

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from casino.ops import health
from casino.ops.health import checks
from casino.ops.metrics import counting, processes
from casino.ops.metrics.counting import GAME_KEYS, PREFIX
from casino.ops.running_code import running_code
from games.live import announcing
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
    for name, age in health.ages(now).items():
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
    apart = health.drift_milliseconds() / 1000
    yield single("clock_drift_seconds", "How far the database's clock is ahead", apart)
    if connections := health.connections():
        used, most = connections
        yield single("database_connections", "Connections of the database", used)
        yield single("database_connections_max", "Connections that the database admits", most)
    free = gauge("disk_free_ratio", "The free part of a disk", "disk")
    for name, percent in health.disks():
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


# The queues of tasks by the names that the broker has for them; `held` by workers, until then.
QUEUES: Final = {"celery": "celery", "simulations": "simulations"}
HELD: Final = "unacked"

log = logging.getLogger(__name__)


class HouseCollector(Collector):
    """Metrics from Redis and the database; if one is down, the other's remain."""

    def collect(self) -> Iterator[Metric]:
        began = time.perf_counter()
        failed = gauge("scrape_failed", "Whether a part could not be read", "part")
        known = self._redis()
        failed.add_metric(["redis"], known is None)
        yield from known or ()
        for name, question in QUESTIONS.items():
            try:
                answers = list(question(timezone.now()))
            except (DatabaseError, OSError) as problem:
                log.warning("the metrics of %s could not be read: %s", name, problem)
                answers = []
            failed.add_metric([name], not answers)
            yield from answers
        yield failed
        yield self._code()
        yield single("scrape_seconds", "How long these took", time.perf_counter() - began)

    def _redis(self) -> list[Metric] | None:
        """Everything that is in Redis, in one round trip; None while it is away."""
        counting.flush()
        try:
            with announcing.client().pipeline(transaction=False) as steps:
                steps.hgetall(counting.KEY)
                steps.hgetall(processes.KEY)
                for queue in QUEUES.values():
                    steps.llen(queue)
                steps.hlen(HELD)
                counted, lines, *lengths = steps.execute()
        except (redis.RedisError, OSError):
            return None
        running, _gone = processes.read(lines, time.time())
        waiting = gauge("tasks", "Tasks that wait in a queue, or that workers hold", "queue")
        for name, length in zip((*QUEUES, "held"), lengths, strict=True):
            waiting.add_metric([name], length)
        return [*map(_family, counting.read(counted)), *_of_processes(running), waiting]

    def _code(self) -> GaugeMetricFamily:
        """The code of the process that answers."""
        code = running_code()
        info = gauge("code", "The running code", "version", "sha256")
        info.add_metric([code.version, code.sha256], 1)
        return info


def _of_processes(running: Iterable[processes.Process]) -> Iterator[Metric]:
    numbers = dict.fromkeys(processes.PROGRAMS, 0)
    for process in running:
        numbers[process.program] += 1
    alive = gauge("processes", "Processes that were heard of lately", "program")
    for program, number in numbers.items():
        alive.add_metric([program], number)
    yield alive
    yield single("streams_open", "Open streams", sum(process.streams for process in running))
    codes = {process.sha256 for process in running}
    yield single("codes", "How many different codes the processes run", len(codes))


def _family(series: counting.Series) -> Metric:
    metric, values = series
    name, words = PREFIX + metric.name, metric.words
    if not metric.buckets:
        counter = CounterMetricFamily(name, words, labels=metric.labels)
        for labels, counts in sorted(values.items()):
            counter.add_metric(labels, counts.get("", 0))
        return counter
    histogram = HistogramMetricFamily(name, words, labels=metric.labels)
    for labels, counts in sorted(values.items()):
        histogram.add_metric(
            labels, _cumulated(metric.buckets, counts), counts.get(counting.SUM, 0)
        )
    return histogram


def _cumulated(buckets: tuple[float, ...], found: Mapping[str, float]) -> list[tuple[str, float]]:
    """Each bucket with all that are below it, as Prometheus reads them."""
    total, rows = 0.0, []
    for bucket in (*map(str, buckets), counting.ABOVE):
        total += found.get(bucket, 0)
        rows.append((bucket, total))
    return rows


SCHEME: Final = "Bearer "
# A request with one of these has come through a proxy, from wherever.
FORWARDED: Final = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        raise Http404
    # Of this collector alone: one process's own figures mean nothing among those of others.
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HouseCollector())
    answer = HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    answer["Cache-Control"] = "no-store"
    return answer


def may_read(request: HttpRequest) -> bool:
    """Allow requests with the token; without a token, those from this machine."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        wanted = SCHEME + settings.METRICS_TOKEN
        return hmac.compare_digest(given.encode(), wanted.encode())
    return _is_local(request)


def _is_local(request: HttpRequest) -> bool:
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
