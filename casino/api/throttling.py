"""How many requests one player or one address may send: counted for all web processes together.

The counts lie in Redis. While it is away each process counts for itself, so that play goes on; the
limit is then as many times higher as there are processes. A window begins with the minute, the
hour or the day, and counting is one step, so that two processes cannot both be the last.
"""

import logging
import time
from typing import Any, Final

from django.core.cache import caches
from redis.exceptions import RedisError
from rest_framework.throttling import SimpleRateThrottle

from games.live import Breaker

SHARED: Final = "counts"
OWN: Final = "default"
UNSAFE: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))

log = logging.getLogger(__name__)
breaker: Final = Breaker()


def count(name: str, seconds: int) -> int:
    """One more under this name, which is forgotten after so many seconds: how many there are."""
    if breaker.may_try():
        try:
            counted = _count_in(SHARED, name, seconds)
        except (RedisError, OSError) as problem:
            if breaker.failed():
                log.warning("Redis does not answer, each process counts requests: %s", problem)
        else:
            breaker.worked()
            return counted
    return _count_in(OWN, name, seconds)


def _count_in(alias: str, name: str, seconds: int) -> int:
    counts = caches[alias]
    if counts.add(name, 1, seconds):
        return 1
    try:
        counted: int = counts.incr(name)
    except ValueError:
        # It was forgotten just now.
        return 1
    return counted


class Rate(SimpleRateThrottle):
    """So many requests in a window, of a player or else of an address."""

    def allow_request(self, request: Any, view: Any) -> bool:
        if not self.counts(request):
            return True
        self.now = time.time()
        window = int(self.now // self.duration)
        who = self.who(request)
        name = f"requests:{self.scope}:{who}:{window}"
        allowed: bool = count(name, self.duration) <= self.num_requests
        return allowed

    def counts(self, request: Any) -> bool:
        """Whether a request counts here."""
        return True

    def who(self, request: Any) -> str:
        if request.user.is_authenticated:
            return f"player-{request.user.pk}"
        return f"address-{self.get_ident(request)}"

    def wait(self) -> float:
        rest: float = self.duration - self.now % self.duration
        return rest


class Players(Rate):
    """All that one player asks."""

    scope = "user"

    def counts(self, request: Any) -> bool:
        return bool(request.user.is_authenticated)


class Strangers(Rate):
    """All that comes from one address without a sign-in."""

    scope = "anon"

    def counts(self, request: Any) -> bool:
        return not request.user.is_authenticated


class Writes(Rate):
    """What changes something: each of these takes a lock that others wait for."""

    scope = "write"

    def counts(self, request: Any) -> bool:
        return request.method in UNSAFE


class SignIns(Rate):
    """Sign-ins from one address, right or wrong: each costs as much as a hundred other requests."""

    scope = "sign-in"

    def counts(self, request: Any) -> bool:
        return bool(request.method == "POST")
