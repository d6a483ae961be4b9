"""Every refusal of the API: a status, a stable code, a sentence, and where in the input it is."""

from math import ceil
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

from games.words.refusals import REFUSALS, status_of, told_refusal


class WrongSignIn(exceptions.AuthenticationFailed):
    """A name and a password that do not belong together, for whatever reason."""


# What the framework refuses by itself, in the words of the house.
OWN_WORDS: Final[tuple[tuple[type[Exception], int, str, Promise], ...]] = (
    (exceptions.NotAuthenticated, 401, "not_signed_in", _("Sign in first.")),
    (
        WrongSignIn,
        401,
        "wrong_sign_in",
        _("Name and password do not belong together. Please try again."),
    ),
    (
        exceptions.AuthenticationFailed,
        401,
        "token_refused",
        _("This token does not sign anybody in. Sign in again."),
    ),
    (exceptions.PermissionDenied, 403, "forbidden", _("This is not open to you.")),
    (PermissionDenied, 403, "forbidden", _("This is not open to you.")),
    (exceptions.NotFound, 404, "not_found", _("There is nothing at this address.")),
    (Http404, 404, "not_found", _("There is nothing at this address.")),
    (
        exceptions.MethodNotAllowed,
        405,
        "wrong_method",
        _("This address does not take that method; the header Allow names those it takes."),
    ),
    (exceptions.NotAcceptable, 406, "not_acceptable", _("The answers here are JSON.")),
    (exceptions.UnsupportedMediaType, 415, "not_json", _("Send JSON as application/json.")),
    (
        exceptions.Throttled,
        429,
        "too_many_requests",
        _("Too many requests. The header Retry-After says how many seconds to wait."),
    ),
    (exceptions.ParseError, 400, "not_json", _("The body of the request could not be read.")),
)
# Codes of fields that say more than that the shape is wrong.
OWN_CODES: Final = frozenset(("amount", "unknown_field"))


def refuse(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an exception; None for a fault of ours, which `casino.errors` answers."""
    if isinstance(error, REFUSALS):
        return Response(told_refusal(error), status_of(error))
    if isinstance(error, exceptions.ValidationError):
        return Response(told_problem(error.detail), 400)
    for kind, status, code, sentence in OWN_WORDS:
        if isinstance(error, kind):
            return Response(
                {"code": code, "sentence": str(sentence)}, status, headers=_headers(error, status)
            )
    return None


def _headers(error: Any, status: int) -> dict[str, str]:
    headers = {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if getattr(error, "wait", None) is not None:
        headers["Retry-After"] = str(max(1, ceil(error.wait)))
    return headers


def told_problem(detail: Any, path: str = "$") -> dict[str, str]:
    """The first thing that is wrong with what was sent, and where it stands."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return told_problem(inner, path if name == "non_field_errors" else f"{path}.{name}")
    if isinstance(detail, list):
        place, inner = next((place, each) for place, each in enumerate(detail) if each)
        nested = isinstance(inner, (dict, list))
        return told_problem(inner, f"{path}[{place}]" if nested else path)
    code = detail.code if detail.code in OWN_CODES else "wrong_shape"
    return {"code": code, "sentence": str(detail), "path": path}
