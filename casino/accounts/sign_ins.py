"""Signing in: who may after the right password, how many tries, the log, and the next step.

After a right password the code is asked for where one is due, and then the first page follows.

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
from django.contrib.auth import login
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from casino.accounts import codes, devices, passkeys
from casino.accounts.models import AccessToken, Device, Player
from casino.accounts.names import name_key
from casino.accounts.staff import is_staff_member
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


def connect() -> None:
    """Subscribe to sign-ins, after the lock, which handles them first."""
    user_logged_in.connect(signed_in, dispatch_uid="casino.accounts.sign_ins.signed_in")
    user_logged_out.connect(signed_out, dispatch_uid="casino.accounts.sign_ins.signed_out")
    user_login_failed.connect(failed, dispatch_uid="casino.accounts.sign_ins.failed")
    user_locked_out.connect(locked, dispatch_uid="casino.accounts.sign_ins.locked")


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


KEY: Final = "pending_sign_in"
# In the session of a user who has signed in with a code.
BY_CODE: Final = "by_code"
SECONDS_MAX: Final = 600
BACKEND: Final = "casino.accounts.backends.PlayersBackend"


def begin_steps(request: HttpRequest, player: Player) -> None:
    """The session gets a new key, as with every sign-in, and keeps nothing of what was before."""
    request.session.flush()
    request.session[KEY] = {
        "player": player.pk,
        "stamp": player.get_session_auth_hash(),
        "at": int(timezone.now().timestamp()),
    }


def player_in(request: HttpRequest) -> Player | None:
    """Return the player who gave the right password minutes ago, unless it has changed since."""
    half = request.session.get(KEY)
    if not half or timezone.now().timestamp() - half["at"] > SECONDS_MAX:
        return None
    player = Player.objects.filter(pk=half["player"]).first()
    if player is None or player.is_bot:
        return None
    if refusal(player, timezone.now()) is not None:
        return None
    same = constant_time_compare(half["stamp"], player.get_session_auth_hash())
    return player if same else None


def has_second_factor(player: Player) -> bool:
    """Whether a code or passkey is asked for after the password, for who has one.

    Players may use a passkey for convenience and keep to their password; staff may not.
    """
    return codes.has_codes(player) or (codes.required_of(player) and passkeys.has_passkeys(player))


def without_second_factor(request: HttpRequest) -> Player | None:
    """The player who gave the right password and has nothing else to sign in with yet."""
    player = player_in(request)
    return None if player is None or has_second_factor(player) else player


def finish(request: HttpRequest, player: Player) -> None:
    """The code was right too, or a passkey has signed: sign in."""
    request.session.pop(KEY, None)
    login(request, player, backend=BACKEND)
    request.session[BY_CODE] = True


def lacks_code(request: HttpRequest, player: Player) -> bool:
    """Whether a session of staff must end, because it was begun without a code."""
    return (
        bool(settings.STAFF_CODES)
        and (player.is_staff or player.is_superuser)
        and not request.session.get(BY_CODE)
    )


def home_of(player: Player) -> str:
    """The first page after a sign-in: the office for staff, the lobby for players."""
    return reverse("admin:index") if is_staff_member(player) else resolve_url("lobby")


def password_was_right(request: HttpRequest, player: Player, next_page: str = "") -> HttpResponse:
    """Sign in, or ask for a code first; the password is not asked for again."""
    if refusal(player, timezone.now()) is not None:
        return redirect("sign-in")
    following = next_page or home_of(player)
    has_one = has_second_factor(player)
    if has_one or codes.required_of(player):
        begin_steps(request, player)
        step = "sign-in-code" if has_one else "set-up-codes"
        return redirect(reverse(step, query={"next": following}))
    login(request, player, backend=BACKEND)
    return redirect(following)
