"""Limit sign-ups: each new player is given play money, and names are free."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from casino.counting import DAY, count, seconds_left
from casino.players.addresses import line_of


def welcome_from(request: HttpRequest) -> bool:
    """Whether one more may sign up from this address today; counts them."""
    allowed: int = settings.SIGN_UPS_A_DAY
    return count(f"sign-ups:{line_of(request)}", DAY) <= allowed


def retry_after() -> int:
    """In how many seconds an address that has had all its sign-ups has new ones."""
    return seconds_left(DAY)


def origin_of(request: HttpRequest) -> str:
    """A keyed hash of a sign-up's address: equal for one household, and not reversible."""
    return salted_hmac("casino.players.newcomers", line_of(request)).hexdigest()
