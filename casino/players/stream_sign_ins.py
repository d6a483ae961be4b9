"""The sessions and tokens by which streams of tables are opened, and what ends them.

A sign-in is named after the hash under which its session or token is stored; nobody can sign in
with that. The name is the one under which every process is told to forget the session or token
(`remembered.py`), and its streams end with the same message; those of a player end where the
player's row or rights change.
"""

from collections.abc import Iterable, Mapping

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models.signals import m2m_changed
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from casino.players import tokens
from casino.players.backends import PlayersBackend
from casino.players.models import AccessToken, Player
from casino.players.remembered import PLAYER, SESSION, TOKEN, forget
from casino.players.session_store import ALIVE, SessionStore, stored_key
from games.live import tickets
from wallets.player import Viewer


def token_name(token: AccessToken) -> str:
    return f"{TOKEN}:{token.digest}"


class SignIns:
    """Sessions and tokens, by name."""

    def session_of(self, request: HttpRequest) -> str:
        signed_in = request.user.is_authenticated and request.session.session_key
        return f"{SESSION}:{stored_key(request.session.session_key)}" if signed_in else ""

    def viewer_of(self, sign_in: str) -> Player | None:
        kind, _colon, key = sign_in.partition(":")
        if kind == TOKEN:
            found = tokens.of_digest(key, timezone.now())
            return found.player if found is not None else None
        return _of_session(key) if kind == SESSION else None

    def ended(self, viewers: Mapping[str, Viewer]) -> frozenset[str]:
        now = timezone.now()
        sessions = Session.objects.filter(
            session_key__in=_keys(SESSION, viewers), expire_date__gt=now
        )
        known = AccessToken.objects.filter(digest__in=_keys(TOKEN, viewers), expires_at__gt=now)
        alive = {f"{SESSION}:{key}" for key in sessions.values_list("session_key", flat=True)}
        alive |= {f"{TOKEN}:{digest}" for digest in known.values_list("digest", flat=True)}
        players = Player.objects.filter(pk__in={one.pk for one in viewers.values()}, is_active=True)
        passwords = dict(players.values_list("pk", "password"))
        return frozenset(
            name
            for name, viewer in viewers.items()
            if name not in alive or passwords.get(viewer.pk) != getattr(viewer, "password", "")
        )


def _keys(kind: str, names: Iterable[str]) -> list[str]:
    return [name.removeprefix(f"{kind}:") for name in names if name.startswith(f"{kind}:")]


def _of_session(stored: str) -> Player | None:
    row = ALIVE.first(stored, timezone.now())
    if row is None:
        return None
    session = SessionStore().decode(row.session_data)
    player = PlayersBackend().get_user(int(session.get(SESSION_KEY, 0)))
    if player is None:
        return None
    stamps = (player.get_session_auth_hash(), *player.get_session_auth_fallback_hash())
    held = session.get(HASH_SESSION_KEY, "")
    return player if any(constant_time_compare(held, stamp) for stamp in stamps) else None


def _rights_changed(instance: object, action: str, **_: object) -> None:
    if isinstance(instance, Player) and action.startswith("post_"):
        forget(PLAYER, str(instance.pk))


def register() -> None:
    tickets.register(SignIns())
    for rights in (Player.groups.through, Player.user_permissions.through):
        m2m_changed.connect(_rights_changed, rights, dispatch_uid=f"streams.{rights.__name__}")
