"""How fast somebody may go: forms of a player, and passwords of an address.

Programs have limits of their own (`casino.api.throttling`), and all are counted by the same hand.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from casino.api.throttling import count
from casino.errors import API_PREFIX, answer

# Hashing a password costs as much as a hundred pages; enough for a club behind one router.
PASSWORDS_A_MINUTE: Final = 120
# Each form takes locks, and many leave rows that stay. Nobody plays ten times a second.
FORMS_A_MINUTE: Final = 600
MINUTE: Final = 60

View = Callable[..., HttpResponseBase]


def paced(view: View) -> View:
    """Have an address that has sent too many passwords wait for the next minute."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and _too_many("passwords", _address(request)):
            return _wait(
                request,
                _("Very many sign-ins come from where you are. Wait a minute and try again."),
            )
        return view(request, *args, **kwargs)

    return answered


def forms(get_response: View) -> View:
    """Have somebody wait who sends forms faster than any hand is played."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and not request.path.startswith(API_PREFIX):
            who = f"player-{request.user.pk}" if request.user.pk else _address(request)
            if _too_many("forms", who):
                return _wait(request, _("You send more than we can do. Wait a minute."))
        return get_response(request)

    return respond


def _too_many(what: str, who: str) -> bool:
    most = {"passwords": PASSWORDS_A_MINUTE, "forms": FORMS_A_MINUTE}[what]
    return count(f"{what}:{who}:{int(time.time() // MINUTE)}", MINUTE) > most


def _address(request: HttpRequest) -> str:
    return f"address-{request.META.get('REMOTE_ADDR', '')}"


def _wait(request: HttpRequest, sentence: str) -> HttpResponse:
    refused = answer(request, 429, "too_many_requests", _("Too many at once"), sentence)
    refused["Retry-After"] = str(MINUTE - int(time.time() % MINUTE))
    return refused
