"""Rate limits: forms of a player, and passwords of an address.

Programs have limits of their own (`casino.web.api.throttling`); `casino.web.counting` counts for
both.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.web.addresses import line_of
from casino.web.counting import MINUTE, count, count_loosely, seconds_left
from casino.web.errors import API_PREFIX, answer

# Hashing a password costs as much as a hundred pages; a club behind one router needs fewer.
PASSWORDS_A_MINUTE: Final = 120
# Each form takes locks, and many write permanent rows. No player acts ten times a second.
FORMS_A_MINUTE: Final = 600

View = Callable[..., HttpResponseBase]


def limit_passwords(view: View) -> View:
    """Make an address that has sent too many passwords wait for the next minute."""

    @wraps(view)
    def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.method == "POST" and _too_many("passwords", _address(request)):
            return _wait(
                request,
                _("Too many sign-ins from your network. Wait a minute and try again."),
            )
        return view(request, *args, **kwargs)

    return answered


def forms(get_response: View) -> View:
    """Make a player wait who sends forms faster than any hand is played."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        is_form = request.method == "POST" and not request.path.startswith(API_PREFIX)
        if is_form and too_many_forms(request):
            return _wait(request, wait_sentence(seconds_left(MINUTE)))
        return get_response(request)

    return respond


def too_many_forms(request: HttpRequest) -> bool:
    """Count one more form of a player or address; return whether that is too many."""
    return _too_many("forms", f"player-{request.user.pk}" if request.user.pk else _address(request))


def wait_sentence(seconds: int) -> str:
    """The refusal for a browser or a program that sends too much."""
    sentence = ngettext(
        "Too many requests; try again in {seconds} second.",
        "Too many requests; try again in {seconds} seconds.",
        seconds,
    )
    return sentence.format(seconds=seconds)


def _too_many(what: str, who: str) -> bool:
    if what == "forms":
        return count_loosely(f"forms:{who}", MINUTE) > FORMS_A_MINUTE
    return count(f"passwords:{who}", MINUTE) > PASSWORDS_A_MINUTE


def _address(request: HttpRequest) -> str:
    return f"address-{line_of(request)}"


def _wait(request: HttpRequest, sentence: str) -> HttpResponse:
    refused = answer(request, 429, "too_many_requests", _("Too many requests"), sentence)
    refused["Retry-After"] = str(seconds_left(MINUTE))
    return refused
