"""Counting what happens: the metrics, the counts of a process, and those of all in Redis.

Every value of a label is from a closed set: no player, no address and no text that a user has typed
can become one, and the number of series has a bound.

Counting costs a lock and an addition in memory. A thread of each process (`processes.py`) adds what
has gathered to the hash about once a second, in one round trip, so no move and no page waits for
it. Counts that are sent while Redis is away are lost, without other effects.
"""

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import Final, NamedTuple

import redis
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.live import announcing
from games.models import Move
from games.rules.catalogue import GAMES, game_type

PREFIX: Final = "cardroom_"
GAME_KEYS: Final = frozenset(GAMES)
BY: Final = frozenset(Move.By.values)
METHODS: Final = frozenset(("GET", "HEAD", "POST", "other"))
STATUSES: Final = frozenset(("2xx", "3xx", "4xx", "5xx", "other"))
# The parts of the house by the first part of an address.
PARTS: Final = frozenset(
    (
        "admin", "api", "desk", "fairness", "health", "history", "lobby", "metrics", "other",
        "play", "players", "private", "ready", "rules", "running", "shared", "static", "tables",
        "tournaments", "verify", "wallet",
    )
)  # fmt: skip
OUTCOMES: Final = frozenset(("sent", "gone", "failed"))
# In seconds; longer times have their own bucket.
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@cache
def verbs() -> frozenset[str]:
    """The names of all moves of all games."""
    return frozenset(
        str(action.__struct_config__.tag) for game in GAMES for action in game_type(game).actions
    )


@dataclass(frozen=True)
class Metric:
    """A counter, or with buckets a histogram."""

    name: str
    words: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = field(default=())

    def allows(self, values: tuple[str, ...]) -> bool:
        """Whether these are values of its labels."""
        return len(values) == len(self.labels) and all(
            value in allowed(label) for label, value in zip(self.labels, values, strict=True)
        )


def allowed(label: str) -> frozenset[str]:
    sets = {
        "game": GAME_KEYS,
        "by": BY,
        "method": METHODS,
        "status": STATUSES,
        "part": PARTS,
        "outcome": OUTCOMES,
    }
    return verbs() if label == "verb" else sets[label]


MOVES: Final = Metric("moves", "Moves played", ("game", "verb", "by"))
HANDS_ENDED: Final = Metric("hands_ended", "Hands played to their end", ("game",))
ACT_SECONDS: Final = Metric(
    "act_seconds", "How long a player's move took, its transaction included", ("game",), SECONDS
)
REQUEST_SECONDS: Final = Metric(
    "request_seconds", "How long a request took", ("part", "method", "status"), SECONDS
)
SWEEP_SECONDS: Final = Metric(
    "sweep_seconds", "How long a sweep took that found tables due", (), SECONDS
)
SWEPT_TABLES: Final = Metric("swept_tables", "Tables that a sweep found due")

PUSHES: Final = Metric("pushes", "Notifications sent to browsers", ("outcome",))

_ALL: Final = (
    MOVES,
    HANDS_ENDED,
    ACT_SECONDS,
    REQUEST_SECONDS,
    SWEEP_SECONDS,
    SWEPT_TABLES,
    PUSHES,
)
COUNTED: Final = {metric.name: metric for metric in _ALL}


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
    by_metric: dict[str, dict[tuple[str, ...], dict[str, float]]] = {
        name: defaultdict(dict) for name in COUNTED
    }
    for raw, value in fields.items():
        name, *parts = raw.decode(errors="replace").split(SEPARATOR)
        metric, labels = COUNTED.get(name), tuple(parts[:-1])
        if metric is not None and parts and metric.allows(labels):
            by_metric[name][labels][parts[-1]] = float(value)
    return [Series(COUNTED[name], values) for name, values in by_metric.items()]


GetResponse = Callable[[HttpRequest], HttpResponseBase]
KINDS: Final = {kind: f"{kind}xx" for kind in (2, 3, 4, 5)}


def requests(get_response: GetResponse) -> GetResponse:
    """Middleware that measures each request, by the part of the house that answers it."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        began = perf_counter()
        response = get_response(request)
        method = request.method if request.method in METHODS else "other"
        note_request(str(method), request.path_info, response.status_code, perf_counter() - began)
        return response

    return respond


def note_request(method: str, path: str, status: int, seconds: float) -> None:
    labels = (part_of(path), method, KINDS.get(status // 100, "other"))
    observe(REQUEST_SECONDS, *labels, seconds=seconds)


def part_of(path: str) -> str:
    """The part of the house by the first part of an address; the front page is the lobby's."""
    first = path.split("/", 2)[1] if path.startswith("/") else path
    first = first or "lobby"
    return first if first in PARTS else "other"


def note_played(game: str, moves: list[tuple[str, str]], over: bool, **_signal: object) -> None:
    for verb, by in moves:
        add(MOVES, game, verb, by)
    if over:
        add(HANDS_ENDED, game)


def note_acted(game: str, seconds: float, **_signal: object) -> None:
    observe(ACT_SECONDS, game, seconds=seconds)


def swept(sweep: Callable[[], int]) -> None:
    """Sweep, and count it."""
    began = perf_counter()
    due = sweep()
    observe(SWEEP_SECONDS, seconds=perf_counter() - began)
    if due:
        add(SWEPT_TABLES, amount=due)
