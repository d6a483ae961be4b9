"""Count how often something was done, over all processes together.

The counts are in Redis, behind the one connection pool of a process. While Redis is down each
process counts for itself, so that play continues; the limit is then multiplied by the number of
processes. A window begins with the minute, the hour or the day. Counting is one atomic step, so two
processes cannot both be the last.
"""

import logging
import time
from typing import Final

from django.core.cache import caches
from redis.exceptions import RedisError

from games.live import announcing

PREFIX: Final = "card-room:counts:"
MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * 3600

log = logging.getLogger(__name__)
breaker: Final = announcing.Breaker()


def count(name: str, seconds: int) -> int:
    """Count one more event under this name; return the count in the current window."""
    name = f"{name}:{int(time.time() // seconds)}"
    if breaker.may_try():
        try:
            counted = _count_together(PREFIX + name, seconds)
        except (RedisError, OSError) as problem:
            if breaker.failed():
                log.warning("Redis does not answer, each process counts requests: %s", problem)
        else:
            breaker.worked()
            return counted
    return _count_alone(name, seconds)


def seconds_left(seconds: int) -> int:
    """The seconds left in the current window of this length."""
    return seconds - int(time.time() % seconds)


def _count_together(name: str, seconds: int) -> int:
    with announcing.client().pipeline(transaction=True) as steps:
        steps.set(name, 0, ex=seconds, nx=True)
        steps.incr(name)
        counted: int = steps.execute()[1]
        return counted


def _count_alone(name: str, seconds: int) -> int:
    counts = caches["default"]
    if counts.add(name, 1, seconds):
        return 1
    try:
        counted: int = counts.incr(name)
    except ValueError:
        # It expired just now.
        return 1
    return counted
