"""Rate limits: forms of a player, and passwords of an address, counted over all processes together.

The counts are in Redis, behind the one connection pool of a process. While Redis is down each
process counts for itself, so that play continues; the limit is then multiplied by the number of
processes. A window begins with the minute, the hour or the day.

Attempts with a strict limit, such as passwords, are counted in one atomic step, so two processes
cannot both allow the last one. Requests are many, and a few more do no harm: a process counts them
itself, and adds its counts to those of the others every ten seconds.

Programs have limits of their own (`casino.web.api_requests`), counted here, too.
"""

import logging
import time
from collections.abc import Callable, Mapping
from functools import wraps
from threading import Lock
from typing import Final

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from redis.exceptions import RedisError

from casino.web.addresses import line_of
from casino.web.errors import API_PREFIX, answer
from games.live import announcing
from wallets.storage import batched_writes
from wallets.storage.batched_writes import Batch

PREFIX: Final = "card-room:counts:"
MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * 3600


class _Count:
    """This process's count in one window, the part that the others know, and their counts."""

    def __init__(self, ends_at: float) -> None:
        self.own = self.shared = self.others = 0
        self.ends_at = ends_at


_counted: Final[dict[str, _Count]] = {}
_lock: Final = Lock()

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


def count_loosely(name: str, seconds: int) -> int:
    """Count one more event; return the count of this process and, up to ten seconds ago, of all."""
    if not batched_writes.is_collecting():
        return count(name, seconds)
    name = f"{name}:{int(time.time() // seconds)}"
    with _lock:
        counted = _counted.setdefault(name, _Count(time.time() + seconds))
        counted.own += 1
    SHARES.add(name, seconds)
    return counted.own + counted.others


def share(windows: Mapping[str, int]) -> None:
    """Add what this process has counted since the last time, and learn what the others have."""
    with _lock:
        for name in [name for name, counter in _counted.items() if counter.ends_at < time.time()]:
            del _counted[name]
        added = {
            name: counter.own - counter.shared
            for name, counter in _counted.items()
            if name in windows
        }
    if not added or not breaker.may_try():
        return
    try:
        with announcing.client().pipeline(transaction=True) as steps:
            for name, number in added.items():
                steps.set(PREFIX + name, 0, ex=windows[name], nx=True)
                steps.incrby(PREFIX + name, number)
            together = steps.execute()[1::2]
    except (RedisError, OSError) as problem:
        if breaker.failed():
            log.warning("Redis does not answer, each process counts requests: %s", problem)
        return
    breaker.worked()
    with _lock:
        for name, total in zip(added, together, strict=True):
            counted = _counted[name]
            counted.shared += added[name]
            counted.others = total - counted.shared


SHARES: Final = Batch[str, int](share)


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
