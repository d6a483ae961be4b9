"""Who looks on: the people who have a table's stream open and do not sit there.

The streams of each process know theirs. Every ten seconds they say so here: that is one write to
Redis for a process, however many people watch, and none to the database. Whoever shows the lobby
reads what all processes have said. Without Redis a process tells of its own streams alone.
"""

import json
import os
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Final, NamedTuple

import redis
from django.core.cache import cache

from games.live import breaker, client

KEY: Final = "card-room:watching"
# What a process has said is believed for so long; it says it anew three times meanwhile.
BELIEVED_SECONDS: Final = 35.0
# All readers of a process share one look.
READ_SECONDS: Final = 5
# What this process is called there.
NAME: Final = f"{os.getpid()}-{secrets.token_hex(4)}"


class Looking(NamedTuple):
    """Whose streams of a table are open: how many strangers', and which players'."""

    strangers: int
    players: frozenset[int]


class _Own:
    """What the streams of this process have said last."""

    said: ClassVar[Mapping[int, Looking]] = {}


def tell(here: Mapping[int, Looking]) -> None:
    """Say who looks on at the streams of this process."""
    _Own.said = here
    tables = {table_id: [one.strangers, sorted(one.players)] for table_id, one in here.items()}
    told = json.dumps([time.time(), tables])
    _asked(lambda: client().hset(KEY, NAME, told))


def watchers(seated: Mapping[int, Collection[int]]) -> dict[int, int]:
    """How many people look on at each of these tables, given who sits there."""
    looking = cache.get_or_set("watching", _everybody, READ_SECONDS) or {}
    found = {}
    for table_id, sits in seated.items():
        strangers, players = looking.get(table_id, (0, frozenset()))
        found[table_id] = strangers + len(players - set(sits))
    return found


def _everybody() -> dict[int, Looking]:
    """What all processes have said lately; of one that has ended nothing is kept."""
    said = _asked(lambda: client().hgetall(KEY))
    if said is None:
        return dict(_Own.said)
    found: dict[int, Looking] = {}
    ended = []
    oldest = time.time() - BELIEVED_SECONDS
    for name, told in said.items():
        at, tables = json.loads(told)
        if at < oldest:
            ended.append(name)
            continue
        for key, (strangers, players) in tables.items():
            before = found.get(int(key), Looking(0, frozenset()))
            found[int(key)] = Looking(before.strangers + strangers, before.players | set(players))
    if ended:
        _asked(lambda: client().hdel(KEY, *ended))
    return found


def _asked(question: Callable[[], Any]) -> Any:
    """What Redis answers; None where it does not, and for a while nobody asks again."""
    if not breaker.may_try():
        return None
    try:
        return question()
    except (redis.RedisError, OSError):
        breaker.failed()
        return None
