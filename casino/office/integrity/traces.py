"""Writing traces: a row for each sitting, and for each hand, player and origin; and own data.

The origin of a request are keyed hashes: equal for one origin, and not reversible. Line and device
have keys of their own, derived from `SECRET_KEY`, so a hash of one is never found among those of
the other. A new key changes all hashes.

Sittings, and seats that withheld their part, are written in the transaction of what they trace. An
act only notes its trace after the commit: a process writes those of ten seconds in one statement,
and remembers what it has noted, so playing on in a hand costs nothing. A process that is lost loses
the traces of ten seconds; the scan reads hands a minute after they ended, and takes its decisions
from hundreds of hands.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple

from django.db import DatabaseError
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from casino.accounts.devices import digest_in
from casino.accounts.models import Player
from casino.care.own_data import DataRow
from casino.office.integrity.models import HASH_LENGTH, Trace
from casino.web.addresses import line_of, network_of
from games.tables.signals import Event, Occasion
from wallets.of_record.verbs import verb
from wallets.storage.batched_writes import Batch, after_commit


class Origin(NamedTuple):
    """The hash of the network, and of the cookie that names a browser; programs have none."""

    line: str
    device: str


# Where a request keeps its origin, which several acts of a sender ask for.
_ORIGIN: Final = "_origin_of_acts"
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


@contextmanager
def coming_from(request: HttpRequest) -> Iterator[None]:
    """Attribute everything done inside to this request."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


def current_origin() -> Origin | None:
    """The origin of the request that runs here; None where the house acts by itself."""
    request = _request.get()
    if request is None:
        return None
    known = vars(request)
    if _ORIGIN not in known:
        line, device = line_of(request), digest_in(request)
        known[_ORIGIN] = Origin(keyed("line", line), keyed("device", device))
    request_origin: Origin = known[_ORIGIN]
    return request_origin


def keyed(purpose: str, value: str) -> str:
    """The hash of a value under the key of one purpose; nothing has none."""
    if not value:
        return ""
    keyed = salted_hmac(f"casino.office.integrity.{purpose}", value, algorithm="sha256")
    return keyed.hexdigest()[:HASH_LENGTH]


def origin(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: acts are traced to their requests."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        with coming_from(request):
            return get_response(request)

    return respond


KEPT: Final = timedelta(days=400)
# So many rows are deleted in one transaction.
AT_ONCE: Final = 5_000
REMEMBERED: Final = 20_000

_Key = tuple[int, int, str, str]
_noted: OrderedDict[_Key, None] = OrderedDict()
_lock: Final = Lock()

log = logging.getLogger(__name__)


def write(event: Event) -> None:
    """Trace an event to the request that runs; acts of the house have no origin."""
    event_origin = current_origin()
    if event.occasion == Occasion.WITHHELD:
        event_origin = Origin("", "")
    if event_origin is None:
        return
    row = Trace(
        kind=event.occasion.value,
        player_id=event.player,
        table_id=event.table,
        hand_id=event.hand,
        line=event_origin.line,
        device=event_origin.device,
        at=event.now,
    )
    if event.hand is None:
        row.save(force_insert=True)
        return
    key = (event.hand, event.player, *event_origin)
    if key not in _noted:
        after_commit(lambda: _note(key, row))


def hands_from(address: str) -> Q:
    """The hands with an act from this address, as long as traces are kept."""
    line = keyed("line", network_of(address))
    acted = Trace.objects.filter(line=line, hand__isnull=False)
    return Q(pk__in=acted.values("hand")) if line else Q(pk__in=())


def _note(key: _Key, row: Trace) -> None:
    with _lock:
        _noted[key] = None
        while len(_noted) > REMEMBERED:
            _noted.popitem(last=False)
    try:
        ACTS.add(key, row)
    except DatabaseError:
        # The act is stored, and its answer says so.
        log.exception("an act could not be traced")


def _store(rows: Mapping[_Key, Trace]) -> None:
    # Two processes may store the same traces; in one order, neither waits for the other twice.
    in_order = [rows[key] for key in sorted(rows)]
    Trace.objects.bulk_create(in_order, ignore_conflicts=True)


ACTS: Final = Batch[_Key, Trace](_store)


def forget() -> None:
    """Forget what this process has noted."""
    with _lock:
        _noted.clear()


@verb("house:integrity.delete_old_traces")
def delete_old(now: datetime) -> int:
    """Delete the traces of long ago, some thousand at a time; return how many there were.

    Rows are in the order of time, but for moments between two processes.
    """
    deleted = 0
    while True:
        oldest = Trace.objects.order_by("pk")[:AT_ONCE].values_list("pk", "at")
        old = [number for number, at in oldest if at < now - KEPT]
        if not old:
            return deleted
        deleted += Trace.objects.filter(pk__in=old).delete()[0]


ROWS_AT_ONCE: Final = 1_000


def rows(player: Player) -> Iterator[DataRow]:
    """Yield when the house noted where the player came from; the hashes identify no player."""
    traces = Trace.objects.filter(player=player).order_by("pk")
    for trace in traces.iterator(chunk_size=ROWS_AT_ONCE):
        yield {"kind": trace.kind, "table": trace.table_id, "at": trace.at}


def forget_player(player: Player) -> None:
    Trace.objects.filter(player=player).delete()
