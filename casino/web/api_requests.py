"""What the whole API shares: parsing bodies, refusals, and limits on requests; see `docs/api.md`.

Bodies are read by the same strict decoder as hand records. Every refusal has a status, a stable
code, a sentence, and the place in the input. Requests of one player or one address are counted.
"""

import re
from math import ceil
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle

from casino.web.addresses import line_of
from casino.web.rate_limits import count, count_loosely, seconds_left, wait_sentence
from games.rules.reading import read_json
from games.words.refusals import refusal_payload
from wallets.staff.journal import ConfirmationNeeded
from wallets.values.errors import Refused

DECODER: Final = msgspec.json.Decoder(Any)


class Json(BaseParser):
    """JSON of bounded size and depth; anything else is refused with a sentence."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: object = None, parser_context: object = None
    ) -> object:
        return read_json(stream.read(), DECODER)


class WrongSignIn(exceptions.AuthenticationFailed):
    """A wrong name or password."""


class CodeNeeded(exceptions.AuthenticationFailed):
    """The password is right, and a code is needed too."""


class WrongCode(exceptions.AuthenticationFailed):
    """The password is right, and the code is not."""


class CodeNotSetUp(exceptions.PermissionDenied):
    """Staff have to set up codes on the pages before a program can sign in for them."""


# Refusals by the framework, in our words.
OWN_WORDS: Final[tuple[tuple[type[Exception], int, str, Promise], ...]] = (
    (exceptions.NotAuthenticated, 401, "not_signed_in", _("Sign in first.")),
    (
        WrongSignIn,
        401,
        "wrong_sign_in",
        _("Wrong name or password."),
    ),
    (CodeNeeded, 401, "code_needed", _("Send a one-time code, too.")),
    (
        WrongCode,
        401,
        "wrong_code",
        _("This code is wrong, or was used already. Wait for the next one."),
    ),
    (
        CodeNotSetUp,
        403,
        "code_not_set_up",
        _("Sign in on the pages first, and set up codes there."),
    ),
    (
        exceptions.AuthenticationFailed,
        401,
        "token_refused",
        _("This token is not valid. Sign in again."),
    ),
    (
        ConfirmationNeeded,
        403,
        "confirmation_needed",
        _("You were away for a while: sign in again, then send this once more."),
    ),
    (exceptions.PermissionDenied, 403, "forbidden", _("You are not allowed to do this.")),
    (PermissionDenied, 403, "forbidden", _("You are not allowed to do this.")),
    (exceptions.NotFound, 404, "not_found", _("There is nothing at this address.")),
    (Http404, 404, "not_found", _("There is nothing at this address.")),
    (
        exceptions.MethodNotAllowed,
        405,
        "wrong_method",
        _("This address does not allow that method; the Allow header lists the allowed methods."),
    ),
    (exceptions.NotAcceptable, 406, "not_acceptable", _("Responses here are JSON only.")),
    (exceptions.UnsupportedMediaType, 415, "not_json", _("Send JSON as application/json.")),
    (exceptions.ParseError, 400, "not_json", _("The body of the request could not be read.")),
)


class RefusalResponse(NamedTuple):
    """A refusal as it is sent."""

    payload: dict[str, str]
    status: int
    headers: dict[str, str] = {}  # noqa: RUF012 - never written to


def refuse(error: Exception, context: dict[str, object]) -> Response | None:
    """Return the framework's response to an exception; None for a fault (`casino.web.errors`)."""
    refusal = response_to(error)
    return refusal and Response(*refusal[:2], headers=refusal.headers)


def response_to(error: Exception) -> RefusalResponse | None:
    """Return how an exception is refused; None for a fault."""
    if isinstance(error, Refused):
        return RefusalResponse(refusal_payload(error), error.status)
    if isinstance(error, exceptions.Throttled):
        seconds = max(1, ceil(error.wait or 1))
        payload = {"code": "too_many_requests", "sentence": wait_sentence(seconds)}
        return RefusalResponse(payload, 429, {"Retry-After": str(seconds)})
    for kind, status, code, sentence in OWN_WORDS:
        if isinstance(error, kind):
            headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
            return RefusalResponse({"code": code, "sentence": str(sentence)}, status, headers)
    return None


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
