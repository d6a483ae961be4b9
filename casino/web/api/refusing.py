"""Every refusal of the API: a status, a stable code, a sentence, and the place in the input."""

from math import ceil
from typing import Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

from casino.web.rate_limits import wait_sentence
from games.words.refusals import refusal_payload
from wallets.staff.journal import ConfirmationNeeded
from wallets.values.errors import Refused


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
