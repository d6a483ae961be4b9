"""The counts of all processes, added up in one hash of Redis.

Counting costs a lock and an addition in memory. A thread of each process (`process_heartbeat.py`)
adds what has gathered to the hash about once a second, in one round trip, so no move and no page
waits for it. Counts that are sent while Redis is away are lost, without other effects.
"""

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from typing import Final, NamedTuple

import redis

from casino.ops.metrics.catalogue import COUNTED, Metric
from games.live import announcing

KEY: Final = "card-room:metrics"
# Between the parts of a field's name; no name and no value of a label has it.
SEPARATOR: Final = "|"
SUM: Final = "sum"
# The bucket of all that is above the last.
ABOVE: Final = "+Inf"

breaker: Final = announcing.Breaker()
# Set while something waits to be added.
gathered: Final = threading.Event()
_lock: Final = threading.Lock()
waiting: Final[dict[str, float]] = defaultdict(float)


class Series(NamedTuple):
    """The values of one metric by labels: for a counter one, for a histogram those of buckets."""

    metric: Metric
    values: Mapping[tuple[str, ...], Mapping[str, float]]


def add(metric: Metric, *labels: str, amount: float = 1) -> None:
    _add(metric, labels, {"": amount})


def observe(metric: Metric, *labels: str, seconds: float) -> None:
    place = bisect_left(metric.buckets, seconds)
    bucket = str(metric.buckets[place]) if place < len(metric.buckets) else ABOVE
    _add(metric, labels, {bucket: 1, SUM: seconds})


def _add(metric: Metric, labels: tuple[str, ...], amounts: Mapping[str, float]) -> None:
    assert metric.allows(labels), (metric.name, labels)
    with _lock:
        for last, amount in amounts.items():
            waiting[SEPARATOR.join((metric.name, *labels, last))] += amount
    gathered.set()


def flush() -> None:
    """Add what has gathered to the hash; without Redis it waits, or is lost on its way."""
    if not breaker.may_try():
        return
    with _lock:
        taken = dict(waiting)
        waiting.clear()
        gathered.clear()
    if not taken:
        return
    try:
        with announcing.client().pipeline(transaction=False) as steps:
            for name, amount in taken.items():
                steps.hincrbyfloat(KEY, name, amount)
            steps.execute()
    except (redis.RedisError, OSError):
        breaker.failed()
    else:
        breaker.worked()


def read(fields: Mapping[bytes, bytes]) -> list[Series]:
    """The hash by metrics; unknown names and labels are left out."""
    found: dict[str, dict[tuple[str, ...], dict[str, float]]] = {
        name: defaultdict(dict) for name in COUNTED
    }
    for raw, value in fields.items():
        name, *parts = raw.decode(errors="replace").split(SEPARATOR)
        metric, labels = COUNTED.get(name), tuple(parts[:-1])
        if metric is not None and parts and metric.allows(labels):
            found[name][labels][parts[-1]] = float(value)
    return [Series(COUNTED[name], values) for name, values in found.items()]
