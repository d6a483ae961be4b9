"""The origin of the current request, as keyed hashes: equal for one origin, and not reversible.

Line and device have keys of their own, derived from `SECRET_KEY`, so a hash of one is never found
among those of the other. A new key changes all hashes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from casino.accounts.devices import digest_in
from casino.office.integrity.models import HASH_LENGTH
from casino.web.addresses import line_of


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


def current() -> Origin | None:
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
