"""One-time codes: the second factor of staff, and of any player who wants one.

An authenticator app and the house share a secret, from which both derive a code for every thirty
seconds (TOTP, RFC 6238). The secret is encrypted in the database, and each code is accepted once.
Recovery codes, of which only keyed hashes are stored, replace a lost phone (`docs/compliance.md`).
"""

import hmac
import logging
import secrets
from base64 import b32encode
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import transaction
from django_otp.oath import TOTP

from casino.accounts.models import Authenticator, Player, RecoveryCode
from wallets.models.holders import lock_player
from wallets.of_record.verbs import verb
from wallets.storage.sealed_columns import SealBroken, sealed_column
from wallets.values.house import house_name

log = logging.getLogger(__name__)

SECRET: Final = sealed_column(Authenticator, "sealed_secret")
SECRET_BYTES: Final = 20
STEP_SECONDS: Final = 30
DIGITS: Final = 6
# A phone's clock may be a step off, and its user slow; how far it is off is remembered.
STEPS_OFF: Final = 1
DRIFT_MAX: Final = 10
# A secret that stays unconfirmed for so long is not offered again.
SETTING_UP_MAX: Final = timedelta(hours=1)

RECOVERY_CODES: Final = 10
# No letters or digits that read alike; sixteen of 32 characters are 80 bits, which a hash protects.
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz123456789"
RECOVERY_LENGTH: Final = 16
GROUP: Final = 4


def required_of(player: Player) -> bool:
    """Whether this person may not sign in without a code."""
    return bool(settings.STAFF_CODES) and (player.is_staff or player.is_superuser)


def has_codes(player: Player) -> bool:
    return confirmed(player) is not None


def confirmed(player: Player) -> Authenticator | None:
    return player.authenticators.filter(confirmed_at__isnull=False).first()


@verb("player:codes.set_up")
def begin(player: Player, now: datetime) -> Authenticator:
    """The authenticator that is being set up; loading the page again shows the same secret."""
    with transaction.atomic():
        lock_player(player)
        waiting = player.authenticators.filter(confirmed_at=None).first()
        if waiting is not None and now - waiting.made_at < SETTING_UP_MAX:
            return waiting
        player.authenticators.filter(confirmed_at=None).delete()
        sealed = SECRET.seal(secrets.token_bytes(SECRET_BYTES), player.pk, now)
        return Authenticator.objects.create(player=player, sealed_secret=sealed, made_at=now)


@verb("player:codes.confirm")
def confirm(player: Player, code: str, now: datetime) -> list[str] | None:
    """Put the new authenticator in the place of any other, if its code is right.

    Return the recovery codes, which are shown only now.
    """
    with transaction.atomic():
        lock_player(player)
        waiting = player.authenticators.filter(confirmed_at=None).first()
        if waiting is None or not _accept(waiting, code, now):
            return None
        player.authenticators.exclude(pk=waiting.pk).delete()
        Authenticator.objects.filter(pk=waiting.pk).update(confirmed_at=now)
        return new_recovery_codes(player)


def accept(player: Player, typed: str, now: datetime) -> bool:
    """Whether this is a code of the phone, or a recovery code; either is used up by it."""
    code = "".join(typed.split())
    if code.isascii() and code.isdecimal() and len(code) == DIGITS:
        authenticator = confirmed(player)
        return authenticator is not None and _accept(authenticator, code, now)
    return _accept_recovery(player, typed, now)


def _accept(authenticator: Authenticator, typed: str, now: datetime) -> bool:
    code = "".join(typed.split())
    if not (code.isascii() and code.isdecimal() and len(code) == DIGITS):
        return False
    secret = _secret_of(authenticator)
    if secret is None:
        return False
    totp = TOTP(secret, STEP_SECONDS, drift=authenticator.drift)
    totp.time = now.timestamp()
    if not totp.verify(int(code), STEPS_OFF, authenticator.last_step + 1):
        return False
    drift = max(-DRIFT_MAX, min(DRIFT_MAX, totp.drift))
    # Of two requests with one code, the database lets one have it.
    unused = Authenticator.objects.filter(pk=authenticator.pk, last_step__lt=totp.t())
    return bool(unused.update(last_step=totp.t(), drift=drift))


@verb("player:codes.use_recovery")
def _accept_recovery(player: Player, typed: str, now: datetime) -> bool:
    secret = _secret_of(confirmed(player))
    if secret is None:
        return False
    left = player.recovery_codes.filter(digest=_digest(secret, typed), used_at=None)
    return bool(left.update(used_at=now))


def _secret_of(authenticator: Authenticator | None) -> bytes | None:
    """The secret of a row; none if the row was copied or edited, which is logged."""
    if authenticator is None:
        return None
    try:
        return SECRET.open(authenticator)
    except SealBroken as problem:
        log.error("the authenticator of player %s: %s", authenticator.player_id, problem)
        return None


@verb("player:codes.renew_recovery")
def new_recovery_codes(player: Player) -> list[str]:
    """Replace all recovery codes, and return the new ones."""
    made = [_random_code() for _code in range(RECOVERY_CODES)]
    secret = SECRET.open(player.authenticators.get(confirmed_at__isnull=False))
    with transaction.atomic():
        player.recovery_codes.all().delete()
        RecoveryCode.objects.bulk_create(
            RecoveryCode(player=player, digest=_digest(secret, code)) for code in made
        )
    return [in_groups(code) for code in made]


def _random_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _place in range(RECOVERY_LENGTH))


def recovery_codes_left(player: Player) -> int:
    return player.recovery_codes.filter(used_at=None).count()


@verb("player:codes.forget")
def forget(player: Player) -> bool:
    """Remove everything; return whether there was anything that worked."""
    with transaction.atomic():
        there = has_codes(player)
        player.authenticators.all().delete()
        player.recovery_codes.all().delete()
    return there


def _digest(secret: bytes, code: str) -> str:
    """A hash with the secret of the player's app: who writes the database can make no other."""
    plain = "".join(character for character in code.lower() if character in ALPHABET)
    return hmac.digest(secret, f"recovery code|{plain}".encode(), "sha256").hex()


def in_groups(code: str, between: str = "-") -> str:
    return between.join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def secret_as_text(authenticator: Authenticator) -> str:
    """The secret for those who type it in, as authenticator apps read it."""
    return b32encode(SECRET.open(authenticator)).decode()


def address_of(authenticator: Authenticator, player: Player) -> str:
    """Return the text of the QR code."""
    issuer = house_name()
    label = quote(f"{issuer}:{player.username}")
    values = {"secret": secret_as_text(authenticator), "issuer": issuer}
    return f"otpauth://totp/{label}?{urlencode(values, quote_via=quote)}"
