"""Tokens: how a program is signed in. Only a hash of each is kept, so nobody reads them here."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from casino.players.backends import PlayersBackend
from casino.players.models import AccessToken, Player

KIND: Final = "Bearer"
AGE_MAX: Final = timedelta(days=30)
# The oldest goes when one more is made.
TOKENS_MAX: Final = 10


def issue(player: Player, now: datetime) -> tuple[str, AccessToken]:
    """A new token for a player: the token itself, told this once, and what is kept of it."""
    told = secrets.token_urlsafe(32)
    with transaction.atomic():
        kept = AccessToken.objects.create(
            player=player,
            digest=digest(told),
            stamp=player.get_session_auth_hash(),
            expires_at=now + AGE_MAX,
        )
        newest = player.access_tokens.order_by("-pk").values_list("pk", flat=True)[:TOKENS_MAX]
        player.access_tokens.exclude(pk__in=list(newest)).delete()
    return told, kept


def digest(told: str) -> str:
    return sha256(told.encode()).hexdigest()


def find(told: str, now: datetime) -> AccessToken | None:
    """What is kept of a token that still signs its player in.

    A changed password ends it, as it ends sessions, and so does shutting the player out.
    """
    kept = AccessToken.objects.select_related("player").filter(digest=digest(told)).first()
    if (
        kept is None
        or kept.expires_at <= now
        or not PlayersBackend().user_can_authenticate(kept.player)
        or not _stamped(kept)
    ):
        return None
    return kept


def _stamped(kept: AccessToken) -> bool:
    """Whether the password is still the one of then, by the house's key of now or one before it."""
    player = kept.player
    stamps = (player.get_session_auth_hash(), *player.get_session_auth_fallback_hash())
    return any(constant_time_compare(kept.stamp, stamp) for stamp in stamps)


def forget_expired(now: datetime) -> int:
    """Delete the tokens whose time is over: how many there were."""
    deleted, _each = AccessToken.objects.filter(expires_at__lte=now).delete()
    return deleted


class Tokens(BaseAuthentication):
    """Signs a request in by its header `Authorization: Bearer …`."""

    def authenticate(self, request: Any) -> tuple[Player, AccessToken] | None:
        kind, _space, told = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != KIND.lower():
            return None
        kept = find(told.strip(), timezone.now())
        if kept is None:
            raise AuthenticationFailed
        _speak_to(kept.player, request)
        return kept.player, kept

    def authenticate_header(self, request: Any) -> str:
        return KIND


def _speak_to(player: Player, request: Any) -> None:
    """In the player's language, unless the program asks for one."""
    if player.language in dict(settings.LANGUAGES) and "Accept-Language" not in request.headers:
        translation.activate(player.language)
