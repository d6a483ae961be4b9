"""Limits on the requests of one player or one address, counted by `casino.web.counting`."""

import re
from typing import TYPE_CHECKING, Final

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from casino.web.addresses import line_of
from casino.web.counting import count, count_loosely, seconds_left

if TYPE_CHECKING:
    # The views import their throttles.
    from rest_framework.views import APIView

# The address of one table.
TABLE: Final = re.compile(r"/api/v1/tables/[0-9]+/")
UNSAFE: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))


class Rate(SimpleRateThrottle):
    """The number of requests allowed in a window, for a player or else for an address."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if not self.counts(request):
            return True
        scope, most = self.limit(request)
        counted = self.counter(f"requests:{scope}:{self.who(request)}", self.duration)
        return counted <= most

    def counter(self, name: str, seconds: int) -> int:
        """Count a request; a few more than the limit do no harm."""
        return count_loosely(name, seconds)

    def limit(self, request: Request) -> tuple[str, int]:
        """The kind of a request for counting, and its limit."""
        return str(self.scope), int(self.num_requests)

    def counts(self, request: Request) -> bool:
        """Return whether this limit applies to the request."""
        return True

    def who(self, request: Request) -> str:
        if request.user.is_authenticated:
            return f"player-{request.user.pk}"
        return f"address-{line_of(request)}"

    def wait(self) -> float:
        return seconds_left(self.duration)


class Players(Rate):
    scope = "user"

    def counts(self, request: Request) -> bool:
        return bool(request.user.is_authenticated)


class Strangers(Rate):
    """All requests of one address without a sign-in."""

    scope = "anon"

    def counts(self, request: Request) -> bool:
        return not request.user.is_authenticated

    def limit(self, request: Request) -> tuple[str, int]:
        """Count looks at a table apart: a club behind one address watches a final together."""
        if request.method == "GET" and TABLE.fullmatch(request.path):
            most, _seconds = self.parse_rate(self.THROTTLE_RATES["watch"])
            return "watch", int(most or 0)
        return super().limit(request)


class Writes(Rate):
    """Requests that change something: each takes a lock for which others wait."""

    scope = "write"

    def counts(self, request: Request) -> bool:
        return request.method in UNSAFE


class SignIns(Rate):
    """Sign-ins of one address, right or wrong: each costs as much as a hundred other requests."""

    scope = "sign-in"

    def counter(self, name: str, seconds: int) -> int:
        """Count exactly: these limits protect passwords."""
        return count(name, seconds)

    def counts(self, request: Request) -> bool:
        return bool(request.method == "POST")
