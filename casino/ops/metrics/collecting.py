"""The collector: everything that is measured, gathered when Prometheus asks."""

import hmac
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError
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

from casino.ops.metrics import counts, processes
from casino.ops.metrics.catalogue import PREFIX
from casino.ops.metrics.database_metrics import QUESTIONS, gauge, single
from casino.ops.running_code import running_code
from games.live import announcing

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
        counts.flush()
        try:
            with announcing.client().pipeline(transaction=False) as steps:
                steps.hgetall(counts.KEY)
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
        return [*map(_family, counts.read(counted)), *_of_processes(running), waiting]

    def _code(self) -> GaugeMetricFamily:
        """The code of the process that answers."""
        code = running_code()
        info = gauge("code", "The running code", "version", "sha256")
        info.add_metric([code.version, code.sha256], 1)
        return info


def _of_processes(running: Iterable[processes.Process]) -> Iterator[Metric]:
    numbers = dict.fromkeys(processes.PROGRAMS, 0)
    for one in running:
        numbers[one.program] += 1
    alive = gauge("processes", "Processes that were heard of lately", "program")
    for program, number in numbers.items():
        alive.add_metric([program], number)
    yield alive
    yield single("streams_open", "Open streams", sum(one.streams for one in running))
    codes = {one.sha256 for one in running}
    yield single("codes", "How many different codes the processes run", len(codes))


def _family(series: counts.Series) -> Metric:
    metric, values = series
    name, words = PREFIX + metric.name, metric.words
    if not metric.buckets:
        counter = CounterMetricFamily(name, words, labels=metric.labels)
        for labels, found in sorted(values.items()):
            counter.add_metric(labels, found.get("", 0))
        return counter
    histogram = HistogramMetricFamily(name, words, labels=metric.labels)
    for labels, found in sorted(values.items()):
        histogram.add_metric(labels, _cumulated(metric.buckets, found), found.get(counts.SUM, 0))
    return histogram


def _cumulated(buckets: tuple[float, ...], found: Mapping[str, float]) -> list[tuple[str, float]]:
    """Each bucket with all that are below it, as Prometheus reads them."""
    total, rows = 0.0, []
    for bucket in (*map(str, buckets), counts.ABOVE):
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
