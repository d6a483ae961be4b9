"""The users of tokens and sessions, and the senders of acts, cached by a process for a minute.

Every request asks who sends it: two statements and a decryption, nearly always with the same
answer. A process remembers the rows, as long as it listens to a channel of Redis on which every
change of such a row is announced after its commit: a player who signs out, is frozen or excluded,
changes the password or gets another role is forgotten by all processes immediately. A process that
has not heard from Redis for three seconds remembers nothing, and asks the database.

An announcement that Redis did not take is sent again until it does. A process that was cut off from
Redis alone, and then ended, can leave others with what they knew for the rest of the minute.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import redis
from django.conf import settings
from django.db import transaction

from games.live import announcing
from games.live.announcing import FORGET
from wallets.values import house

RowT = TypeVar("RowT")

SECONDS: Final = 60.0
ENTRIES_MAX: Final = 20_000
# Redis is pinged so often, and has to answer within this time.
PING_SECONDS: Final = 1.0
SILENCE_SECONDS: Final = 3.0

# The owner of the rows.
PLAYER: Final = "player"
TOKEN: Final = "token"  # noqa: S105 # nosec B105
SESSION: Final = "session"
# A session that continues with other values; its streams remain open.
SAVED: Final = "saved"
EVERYBODY: Final = "everybody"
# What was found out about the sender of a request; its value names the rows that it rests on
# (`rests_on`), and is forgotten with any of them.
SENDER: Final = "sender"
# Another version of what the house is called, says and looks like (`wallets/values/house.py`).
HOUSE: Final = "house"

log = logging.getLogger(__name__)


class _Entry(NamedTuple):
    value: Any
    until: float


class _Memory:
    """The cache of this process, and the time of its last message from Redis."""

    entries: ClassVar[dict[tuple[str, str], _Entry]] = {}
    # Rises with each announcement: rows read before it are not cached after it.
    generation: ClassVar[int] = 0
    heard_at: ClassVar[float] = float("-inf")
    ends: ClassVar[threading.Event | None] = None


_lock: Final = threading.Lock()
_unsent: Final[deque[str]] = deque(maxlen=ENTRIES_MAX)


def is_listening() -> bool:
    """Whether changes elsewhere reach this process, so that it may remember anything."""
    return time.monotonic() - _Memory.heard_at <= SILENCE_SECONDS


def is_cached(kind: str, key: str) -> bool:
    """Whether a row is remembered now."""
    return is_listening() and (kind, key) in _Memory.entries


def changes() -> int:
    """How many changes this process has received."""
    return _Memory.generation


def known(kind: str, key: str) -> Any | None:
    """What is remembered under a key, if anything; nothing is read."""
    entry = _Memory.entries.get((kind, key)) if is_listening() else None
    return entry.value if entry is not None and time.monotonic() < entry.until else None


def keep(kind: str, key: str, value: object, generation: int, seconds: float = SECONDS) -> None:
    """Remember what was found out since `changes()` was this, unless anything has changed since."""
    with _lock:
        if generation == _Memory.generation and is_listening():
            if len(_Memory.entries) >= ENTRIES_MAX:
                _Memory.entries.clear()
            _Memory.entries[kind, key] = _Entry(value, time.monotonic() + min(seconds, SECONDS))


def remember(kind: str, key: str, read: Callable[[], RowT]) -> RowT:
    """The row of a key, from memory or read now. All readers share it, and copy it to change it."""
    cached_row = known(kind, key)
    if cached_row is not None:
        row: RowT = cached_row
        return row
    generation = changes()
    row = read()
    if row is not None:
        keep(kind, key, row, generation)
    return row


def drop(kind: str, key: str) -> None:
    """Forget this in this process alone."""
    with _lock:
        _Memory.entries.pop((kind, key), None)


def forget(kind: str, key: str = "") -> None:
    """Forget a row, here and in every other process, once the transaction is committed."""
    transaction.on_commit(partial(_forget_everywhere, f"{kind}:{key}"))


def _forget_everywhere(what: str) -> None:
    _forget_in_process(what)
    _unsent.append(what)
    if announcing.breaker.may_try():
        try:
            _send()
        except (redis.RedisError, OSError) as problem:
            if announcing.breaker.failed():
                log.warning("who has changed is not announced yet: %s", problem)


def _send() -> None:
    """Announce what waits; several threads may do so at once."""
    while _unsent:
        with suppress(IndexError):
            what = _unsent.popleft()
            try:
                announcing.client().publish(FORGET, what)
            except (redis.RedisError, OSError):
                _unsent.appendleft(what)
                raise


def _forget_in_process(what: str) -> None:
    kind, _colon, key = what.partition(":")
    if kind == HOUSE:
        house.forget()
    with _lock:
        _Memory.generation += 1
        for entry in [item for item in _Memory.entries.items() if _is_of(*item, kind, key)]:
            del _Memory.entries[entry[0]]


def _is_of(name: tuple[str, str], entry: _Entry, kind: str, key: str) -> bool:
    """Whether what is remembered under a name is what has changed."""
    if kind == EVERYBODY:
        return name[0] != SESSION
    if name[0] == SENDER:
        return f"{kind}:{key}" in entry.value.rests_on
    if kind == PLAYER and name[0] == TOKEN:
        # The row of a token holds that of its player.
        return str(entry.value.player_id) == key
    return name == (SESSION if kind == SAVED else kind, key)


def _forget_all() -> None:
    house.forget()
    with _lock:
        _Memory.generation += 1
        _Memory.entries.clear()
        _Memory.heard_at = float("-inf")


# Listening.


def start() -> None:
    """Begin to listen, and so to remember, once a process."""
    if _Memory.ends is None:
        _Memory.ends = threading.Event()
        work = (_Memory.ends,)
        house.told_by(is_listening)
        threading.Thread(target=_keep_listening, args=work, name="forgetting", daemon=True).start()


def stop() -> None:
    if _Memory.ends is not None:
        _Memory.ends.set()
        _Memory.ends = None
        _forget_all()


def _keep_listening(ends: threading.Event) -> None:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=SILENCE_SECONDS, socket_connect_timeout=1.0
    )
    while not ends.is_set():
        with suppress(redis.RedisError, OSError), _subscription(client) as subscription:
            heard_at = time.monotonic()
            while not ends.is_set():
                if time.monotonic() - max(heard_at, _Memory.heard_at) > SILENCE_SECONDS:
                    break
                _listen(subscription)
        _forget_all()
        ends.wait(PING_SECONDS)
    client.close()


def _subscription(client: redis.Redis) -> Any:
    subscription: Any = client.pubsub()  # type: ignore[no-untyped-call]
    subscription.subscribe(FORGET)
    return subscription


def _listen(subscription: Any) -> None:
    """Hear one message or, after a second of silence, ask Redis whether it is there."""
    message = subscription.get_message(timeout=PING_SECONDS)
    if message is None:
        subscription.ping()
        return
    if message["type"] == "message":
        _forget_in_process(message["data"].decode())
    _Memory.heard_at = time.monotonic()
    _send()
