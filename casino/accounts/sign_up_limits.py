"""Limit sign-ups: each new player is given play money, and names are free."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from casino.web.addresses import line_of
from casino.web.counting import DAY, count, seconds_left


def welcome_from(request: HttpRequest) -> bool:
    """Whether one more may sign up from this address today; counts them."""
    allowed: int = settings.SIGN_UPS_A_DAY
    return count(f"sign-ups:{line_of(request)}", DAY) <= allowed


def retry_after() -> int:
    """In how many seconds an address that has had all its sign-ups has new ones."""
    return seconds_left(DAY)


def origin_of(request: HttpRequest) -> str:
    """A keyed hash of a sign-up's address: equal for one household, and not reversible."""
    return salted_hmac("casino.accounts.sign_up_limits", line_of(request)).hexdigest()
