"""Passkeys (WebAuthn): a key on a phone or computer that signs its owner in.

The device asks for a finger, a face or a PIN before it signs, which the house requires, so a
passkey is both factors: it signs players and staff in alone, and replaces a code after the
password. The house stores public keys only. `fido2` reads and checks what devices send.

A challenge is in the session of the browser that asked for it, is valid for five minutes, and once.
"""

import json
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _n

from casino.accounts.devices import in_words, origin_of
from casino.accounts.models import Passkey, Player
from wallets.models.holders import lock_player
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.house import house_name

if TYPE_CHECKING:
    from fido2.server import Fido2Server
    from fido2.webauthn import AttestedCredentialData

# In the session: the challenge, what it is for, and when it was made.
KEY: Final = "passkey_challenge"
ADD: Final = "add"
SIGN_IN: Final = "sign in"
SECONDS_MAX: Final = 300
PASSKEYS_MAX: Final = 10
# What a browser sends is a few kilobytes at most.
SENT_MAX: Final = 20_000

log = logging.getLogger("casino.accounts")


def domain_of(request: HttpRequest) -> str:
    """The domain that passkeys are bound to; empty where there is none, as at a plain address."""
    domain, _port = split_domain_port(request.get_host())
    try:
        ip_address(domain.strip("[]"))
    except ValueError:
        return domain
    return ""


def are_on(request: HttpRequest) -> bool:
    return bool(settings.PASSKEYS) and bool(domain_of(request))


def has_passkeys(player: Player) -> bool:
    return player.passkeys.exists()


def _server(request: HttpRequest) -> "Fido2Server":
    # Read by those who use passkeys alone.
    from fido2.server import Fido2Server  # noqa: PLC0415
    from fido2.webauthn import PublicKeyCredentialRpEntity  # noqa: PLC0415

    entity = PublicKeyCredentialRpEntity(id=domain_of(request), name=house_name())
    return Fido2Server(entity)


def options_to_add(request: HttpRequest, player: Player, now: datetime) -> dict[str, Any]:
    """What the browser needs to make a passkey that the player does not have yet."""
    from fido2.webauthn import (  # noqa: PLC0415
        PublicKeyCredentialUserEntity,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    handle = salted_hmac("casino.accounts.passkeys", str(player.pk), algorithm="sha256").digest()
    options, state = _server(request).register_begin(
        PublicKeyCredentialUserEntity(
            id=handle, name=player.username, display_name=player.username
        ),
        credentials=[_credential(passkey) for passkey in player.passkeys.all()],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    _keep(request, ADD, player.pk, state, now)
    return dict(options)


def options_to_sign_in(request: HttpRequest, now: datetime) -> dict[str, Any]:
    """The browser offers all passkeys of this domain: the house need not know whose."""
    from fido2.webauthn import UserVerificationRequirement  # noqa: PLC0415

    options, state = _server(request).authenticate_begin(
        user_verification=UserVerificationRequirement.REQUIRED
    )
    _keep(request, SIGN_IN, 0, state, now)
    return dict(options)


def _keep(request: HttpRequest, what: str, player: int, state: Any, now: datetime) -> None:
    request.session[KEY] = [what, player, state, int(now.timestamp())]


def _challenge(request: HttpRequest, what: str, player: int, now: datetime) -> Any:
    """The challenge that this browser was given for this, which is then used up."""
    kept = request.session.pop(KEY, None)
    if not kept or kept[:2] != [what, player] or now.timestamp() - kept[3] > SECONDS_MAX:
        raise _refused()
    return kept[2]


def _refused() -> Refused:
    return Refused("passkey_refused", _n("This passkey was not accepted. Try again."))


def _read(sent: str) -> Mapping[str, Any]:
    if len(sent) > SENT_MAX:
        raise _refused()
    try:
        values = json.loads(sent)
    except (ValueError, RecursionError):
        raise _refused() from None
    if not isinstance(values, dict):
        raise _refused()
    return values


@verb("player:passkeys.add")
def add(request: HttpRequest, player: Player, sent: str, now: datetime) -> Passkey:
    """Store the passkey that a browser has just made."""
    state = _challenge(request, ADD, player.pk, now)
    try:
        made = _server(request).register_complete(state, _read(sent))
    except Exception as problem:
        log.warning("player %s made a passkey that is none: %s", player.pk, _kind_of(problem))
        raise _refused() from None
    credential = made.credential_data
    assert credential is not None, "a registration without its key is refused"
    with transaction.atomic():
        lock_player(player)
        if player.passkeys.count() >= PASSKEYS_MAX:
            raise Refused("too_many_passkeys", _n("You have ten passkeys. Remove one first."))
        try:
            with transaction.atomic():
                return Passkey.objects.create(
                    player=player,
                    credential_id=_text(credential.credential_id),
                    public_key=_text(bytes(credential)),
                    sign_count=made.counter,
                    label=in_words(origin_of(request).user_agent)[:80],
                    made_at=now,
                )
        except IntegrityError:
            raise _refused() from None


def signed(request: HttpRequest, sent: str, now: datetime) -> Player:
    """The player whose passkey has signed the challenge of this browser."""
    from fido2.webauthn import AuthenticationResponse  # noqa: PLC0415

    state, values = _challenge(request, SIGN_IN, 0, now), _read(sent)
    rows = Passkey.objects.select_related("player")
    passkey = rows.filter(credential_id=str(values.get("id"))).first()
    if passkey is None:
        raise _refused()
    try:
        answer = AuthenticationResponse.from_dict(values)
        _server(request).authenticate_complete(state, [_credential(passkey)], answer)
    except Exception as problem:
        # Malformed, or of another challenge, domain or key.
        log.warning("a passkey of player %s failed: %s", passkey.player_id, _kind_of(problem))
        raise _refused() from None
    _note_use(passkey, answer.response.authenticator_data.counter, now)
    return passkey.player


def _kind_of(problem: Exception) -> str:
    """What a log may have of it: the sentence may hold what was sent."""
    return type(problem).__name__


def _note_use(passkey: Passkey, counter: int, now: datetime) -> None:
    """Devices that count their signatures never count back: another one has a copy of the key."""
    rows = Passkey.objects.filter(pk=passkey.pk)
    if counter or passkey.sign_count:
        rows = rows.filter(sign_count__lt=counter)
    if not rows.update(sign_count=counter, used_at=now):
        log.warning("a passkey of player %s counts back: it was copied", passkey.player_id)
        raise _refused()


@verb("player:passkeys.remove")
def remove(player: Player, number: int) -> int:
    removed, _each = player.passkeys.filter(pk=number).delete()
    return removed


def _credential(passkey: Passkey) -> "AttestedCredentialData":
    from fido2.webauthn import AttestedCredentialData  # noqa: PLC0415

    padding = "=" * (-len(passkey.public_key) % 4)
    return AttestedCredentialData(urlsafe_b64decode(passkey.public_key + padding))


def _text(octets: bytes) -> str:
    """As browsers write it: without padding."""
    return urlsafe_b64encode(octets).rstrip(b"=").decode()
