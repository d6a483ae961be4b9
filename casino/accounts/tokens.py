"""Tokens sign a program in. Only a hash of each is stored, so they cannot be read here."""

import hmac
import secrets
from collections.abc import Mapping
from copy import copy
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from casino.accounts import codes, devices
from casino.accounts.backends import may_stay_signed_in
from casino.accounts.models import AccessToken, Player
from casino.accounts.sign_in_cache import TOKEN, remember
from casino.accounts.staff import IDLE_MAX, is_staff_member
from games.models.prepared import Query
from wallets.of_record.verbs import verb
from wallets.staff import journal
from wallets.storage.batched_writes import Batch, unlocked
from wallets.values import house

KIND: Final = "Bearer"
AGE_MAX: Final = timedelta(days=30)
# A new token beyond this number replaces the oldest.
TOKENS_MAX: Final = 10
SEEN_EVERY: Final = timedelta(minutes=1)
BY_DIGEST: Final = Query(
    lambda digest: AccessToken.objects.select_related("player").filter(digest=digest), str
)


@verb("player:account.issue_token")
def issue(
    player: Player,
    now: datetime,
    origin: devices.From | None = None,
    *,
    by_code: bool = False,
) -> tuple[str, AccessToken]:
    """Create a token for a player; return the token, which is shown only now, and its row."""
    token = secrets.token_urlsafe(32)
    address, user_agent = origin or ("", "")
    with transaction.atomic():
        kept = AccessToken.objects.create(
            player=player,
            digest=digest(token),
            stamp=_stamp(player.get_session_auth_hash(), player.pk, digest(token), by_code),
            expires_at=now + AGE_MAX,
            by_code=by_code,
            user_agent=user_agent,
            address=address,
            seen_at=now,
        )
        newest = player.access_tokens.order_by("-pk").values_list("pk", flat=True)[:TOKENS_MAX]
        player.access_tokens.exclude(pk__in=list(newest)).delete()
    return token, kept


def digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def find(token: str, now: datetime) -> AccessToken | None:
    """Return the row of a token that still signs its player in.

    Like a session, it ends when the password changes or the player is deactivated.
    """
    return of_digest(digest(token), now)


def of_digest(sought: str, now: datetime) -> AccessToken | None:
    """Return the row that has this hash of a token, while it signs its player in."""
    kept = copy(remember(TOKEN, sought, lambda: BY_DIGEST.first(sought)))
    if (
        kept is None
        or kept.expires_at <= now
        or not may_stay_signed_in(kept.player)
        or (codes.required_of(kept.player) and not kept.by_code)
        or not _stamped(kept)
    ):
        return None
    kept.player = copy(kept.player)
    return kept


def _stamped(kept: AccessToken) -> bool:
    """Whether row and password are unchanged, by the current secret key or an earlier one."""
    player, about = kept.player, (kept.player_id, kept.digest, kept.by_code)
    keys = (player.get_session_auth_hash(), *player.get_session_auth_fallback_hash())
    return any(constant_time_compare(kept.stamp, _stamp(key, *about)) for key in keys)


def _stamp(secret: str, player_id: int, digest: str, by_code: bool) -> str:
    """A keyed hash of what a row says, so that a copied or edited row opens no session.

    The key follows from the password and the secret key, which the database does not have.
    """
    said = f"{player_id}|{digest}|{by_code}"
    return hmac.digest(secret.encode(), said.encode(), "sha256").hex()


@verb("house:account.expire_tokens")
def forget_expired(now: datetime) -> int:
    """Delete expired tokens and return how many there were."""
    deleted, _each = AccessToken.objects.filter(expires_at__lte=now).delete()
    return deleted


def sent_with(request: HttpRequest) -> str | None:
    """The token in the header of a request; None where there is none."""
    kind, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == KIND.lower() else None


def token_of(request: HttpRequest) -> AccessToken | None:
    """The token that signs a request in; None where it sends none, refused where it is invalid."""
    token = sent_with(request)
    if token is None:
        return None
    kept = find(token, timezone.now())
    if kept is None:
        raise AuthenticationFailed
    _note_use(kept, request)
    _speak_to(kept.player, request)
    return kept


class Tokens(BaseAuthentication):
    """Authenticates a request by its header `Authorization: Bearer …`."""

    def authenticate(self, request: Request) -> tuple[Player, AccessToken] | None:
        kept = token_of(request._request)
        return None if kept is None else (kept.player, kept)

    def authenticate_header(self, request: Request) -> str:
        return KIND


def _note_use(kept: AccessToken, request: HttpRequest) -> None:
    """Note, not more than once a minute, that a token is used, and from where.

    A token of staff that was idle does nothing any more that has to be confirmed. Whether it was is
    decided by these times, so those of staff are stored immediately.
    """
    now, since = timezone.now(), kept.seen_at
    if since is None or now - since >= SEEN_EVERY:
        kept.seen_at, kept.address = now, devices.origin_of(request).address
        if is_staff_member(kept.player):
            kept.idled |= since is None or now - since >= IDLE_MAX
            kept.save(update_fields=["seen_at", "address", "idled"])
        else:
            USES.add(kept.pk, kept)
    journal.set_due(kept.idled)


def _store_uses(used: Mapping[int, AccessToken]) -> None:
    with transaction.atomic():
        rows = unlocked(AccessToken.objects.filter(pk__in=used))
        free = [used[key] for key in rows.values_list("pk", flat=True)]
        AccessToken.objects.bulk_update(free, ["seen_at", "address"])


USES: Final = Batch[int, AccessToken](_store_uses)


def _speak_to(player: Player, request: HttpRequest) -> None:
    """Use the player's language, unless the program requests one."""
    if player.language in house.current().offered and "Accept-Language" not in request.headers:
        translation.activate(player.language)
