"""Rules of signing in: who may after the right password, how many tries, and a line in the log.

Rules run only after the right password, so a stranger learns nothing from them. Players who are
signed in already are not checked again: a rule that forbids signing in also ends sessions and
tokens.

The log names a player by number. It does not contain the name that was typed, which may be a
password.

Five failures lock a name from one address (`axes`), so that no user is locked out by failures
elsewhere. A device on which this person has signed in before has its own lock, so a neighbour
behind the same address cannot lock it either. An attacker with many addresses would still have five
tries from each. So a name has its own bound, which slows down strangers alone: a device or a line
on which this person has signed in before is counted for itself. `docs/compliance.md` says why.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from casino.accounts import devices
from casino.accounts.models import AccessToken, Device, Player
from casino.accounts.names import name_key
from casino.web.addresses import address_of, line_of, network_of
from casino.web.rate_limits import HOUR, count, seconds_left
from wallets.values.days import with_zone
from wallets.values.errors import Refused
from wallets.values.registry import Registry

Rule = Callable[[Player, datetime], Refused | None]

RULES: Final = Registry[Rule]("rule of sign-ins")


def refusal(player: Player, now: datetime) -> Refused | None:
    """Return why a player may not sign in now, or None if they may."""
    rules = (_refuse_inactive, *RULES.values())
    return next((why for rule in rules if (why := rule(player, now))), None)


def _refuse_inactive(player: Player, _now: datetime) -> Refused | None:
    """Tell the owner of an account that it is closed, or frozen and until when."""
    if player.is_active:
        return None
    if player.closed_at is not None:
        return Refused("account_closed", _("This account is closed."))
    if player.frozen_until is None:
        return Refused("account_frozen", _("Your account is frozen. Please ask the house why."))
    return Refused(
        "account_frozen",
        _("Your account is frozen until {until}. Please ask the house why."),
        until=with_zone(player.frozen_until),
    )


log = logging.getLogger("casino.accounts")


def _where(request: HttpRequest | None) -> str:
    return (address_of(request) if request else "") or "nowhere"


def signed_in(user: AbstractBaseUser, request: HttpRequest | None = None, **_: object) -> None:
    log.info("player %s signed in from %s", user.pk, _where(request))


def signed_out(
    request: HttpRequest | None = None, user: AbstractBaseUser | None = None, **_: object
) -> None:
    if user:
        log.info("player %s signed out from %s", user.pk, _where(request))


def failed(request: HttpRequest | None = None, **_: object) -> None:
    # The attempt that locks a name is logged as a lock.
    if not getattr(request, "axes_locked_out", False):
        log.warning("a sign-in from %s failed", _where(request))


def locked(request: HttpRequest | None = None, **_: object) -> None:
    log.warning("a sign-in from %s failed, and the name is locked there", _where(request))


def begin() -> None:
    """Subscribe to sign-ins, after the lock, which handles them first."""
    user_logged_in.connect(signed_in, dispatch_uid="casino.accounts.sign_in_rules.signed_in")
    user_logged_out.connect(signed_out, dispatch_uid="casino.accounts.sign_in_rules.signed_out")
    user_login_failed.connect(failed, dispatch_uid="casino.accounts.sign_in_rules.failed")
    user_locked_out.connect(locked, dispatch_uid="casino.accounts.sign_in_rules.locked")


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
