"""Log one line for each sign-in, right or wrong.

It names a player by number. It does not contain the name that was typed, which may be a password.
"""

import logging

from axes.signals import user_locked_out
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from casino.web.addresses import address_of

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
    user_logged_in.connect(signed_in, dispatch_uid="casino.accounts.sign_in_log.signed_in")
    user_logged_out.connect(signed_out, dispatch_uid="casino.accounts.sign_in_log.signed_out")
    user_login_failed.connect(failed, dispatch_uid="casino.accounts.sign_in_log.failed")
    user_locked_out.connect(locked, dispatch_uid="casino.accounts.sign_in_log.locked")
