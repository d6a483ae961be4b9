"""Limits on tries to sign in under a name: from one address, and over all addresses.

Five failures lock a name from one address (`axes`), so that no user is locked out by failures
elsewhere. A device on which this person has signed in before has its own lock, so a neighbour
behind the same address cannot lock it either. An attacker with many addresses would still have five
tries from each. So a name has its own bound, which slows down strangers alone: a device or a line
on which this person has signed in before is counted for itself. `docs/compliance.md` says why.
"""

from datetime import datetime, timedelta
from typing import Final

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from casino.accounts import devices
from casino.accounts.models import AccessToken, Device
from casino.accounts.names import name_key
from casino.web.addresses import line_of, network_of
from casino.web.counting import HOUR, count, seconds_left

PASSWORDS: Final = "passwords"
CODES: Final = "codes"
# A code has six digits, and three are right at a time.
TRIES_AN_HOUR: Final = {PASSWORDS: 100, CODES: 10}
# The prefix of the text that replaces a known device's user agent, and the length of its hash.
KNOWN_DEVICE: Final = "known device "
DEVICE_NAME_LENGTH: Final = 20
# A line remains known for so long after a player has been seen there.
KNOWN_FOR: Final = timedelta(days=30)


def name_device(request: HttpRequest, name: str) -> None:
    """Have failures of a known device counted apart from those of its address.

    `axes` stores what a browser calls itself. Of a known device it gets a name instead that only
    the house can compute, so that others cannot count failures under it.
    """
    AxesProxyHandler.update_request(request)
    digest = devices.digest_in(request)
    of_name = Device.objects.filter(player__username_key=name_key(name), digest=digest)
    if digest and of_name.exists():
        secret = salted_hmac(__name__, digest).hexdigest()[:DEVICE_NAME_LENGTH]
        request.axes_user_agent = f"{KNOWN_DEVICE}{secret}"  # type: ignore[attr-defined]


def locked_by(request_or_failure: object, _credentials: object = None) -> list[list[str]]:
    """The columns of a failure that a lock is about, as `axes` asks for them."""
    named: str = getattr(request_or_failure, "axes_user_agent", "")
    return [["username", "user_agent" if named.startswith(KNOWN_DEVICE) else "ip_address"]]


def allowed(request: HttpRequest, name: str, what: str) -> bool:
    """Count one more try; whether it may be looked at."""
    key = name_key(name)
    # Text in the wrong field may be a password, so no counter is named after it.
    who = salted_hmac(__name__, f"{key}|{_known_as(request, key)}").hexdigest()
    return count(f"tries:{what}:{who}", HOUR) <= TRIES_AN_HOUR[what]


def locked_until(attempt: AccessAttempt) -> datetime | None:
    """Return when the lock of a failed sign-in ends, if it has locked the name."""
    if attempt.failures_since_start < settings.AXES_FAILURE_LIMIT:
        return None
    ends: datetime = attempt.attempt_time + timedelta(hours=settings.AXES_COOLOFF_TIME)
    return ends


def seconds_to_wait() -> int:
    return seconds_left(HOUR)


def _known_as(request: HttpRequest, key: str) -> str:
    """The device or the line, if this person has signed in there; otherwise nothing."""
    digest = devices.digest_in(request)
    of_name = Device.objects.filter(player__username_key=key)
    if digest and of_name.filter(digest=digest).exists():
        return digest
    since, line = timezone.now() - KNOWN_FOR, line_of(request)
    seen = [
        *of_name.filter(seen_at__gte=since).values_list("address", flat=True),
        *AccessToken.objects.filter(player__username_key=key, made_at__gte=since).values_list(
            "address", flat=True
        ),
    ]
    return line if line in {network_of(address) for address in seen if address} else ""
