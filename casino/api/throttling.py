"""Limits on the requests of one player or one address, counted by `casino.counting`."""

from typing import TYPE_CHECKING, Final

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from casino.counting import count, seconds_left
from casino.players.addresses import line_of

if TYPE_CHECKING:
    # The views import their throttles.
    from rest_framework.views import APIView

UNSAFE: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))


class Rate(SimpleRateThrottle):
    """The number of requests allowed in a window, for a player or else for an address."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if not self.counts(request):
            return True
        name = f"requests:{self.scope}:{self.who(request)}"
        allowed: bool = count(name, self.duration) <= self.num_requests
        return allowed

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
    """All requests of one player."""

    scope = "user"

    def counts(self, request: Request) -> bool:
        return bool(request.user.is_authenticated)


class Strangers(Rate):
    """All requests of one address without a sign-in."""

    scope = "anon"

    def counts(self, request: Request) -> bool:
        return not request.user.is_authenticated


class Writes(Rate):
    """Requests that change something: each takes a lock for which others wait."""

    scope = "write"

    def counts(self, request: Request) -> bool:
        return request.method in UNSAFE


class SignIns(Rate):
    """Sign-ins of one address, right or wrong: each costs as much as a hundred other requests."""

    scope = "sign-in"

    def counts(self, request: Request) -> bool:
        return bool(request.method == "POST")
