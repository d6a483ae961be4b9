"""Sessions and tokens of streams, what ends them, and dropping rows of `sign_in_cache`.

A sign-in is named after the hash under which its session or token is stored, which signs in
no request. The name is the one under which every process is told to forget the session or token
(`sign_in_cache.py`), and the streams of those who may be concerned are then checked. They end if
the session or token is gone, or if their player has been frozen or has another password or other
rights; a new language, face or time of a visit ends no stream.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Value
from django.db.models.signals import m2m_changed, post_delete, post_save
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from casino.accounts import tokens
from casino.accounts.backends import PlayersBackend
from casino.accounts.models import AccessToken, Player
from casino.accounts.session_store import read, stored_key
from casino.accounts.sign_in_cache import PLAYER, SAVED, SESSION, TOKEN, forget
from games.live import tickets
from games.live.tickets import SignedIn
from wallets.values.player import Viewer


def connect() -> None:
    """Announce every change of the rows that are remembered."""
    for signal, model, changed in (
        (post_save, Player, _player_changed),
        (post_delete, Player, _player_changed),
        (post_save, AccessToken, _token_changed),
        (post_delete, AccessToken, _token_changed),
        (post_save, Session, _session_saved),
        (post_delete, Session, _session_ended),
    ):
        name = f"casino.accounts.stream_sign_ins.{changed.__name__}"
        signal.connect(changed, sender=model, dispatch_uid=name)


def _player_changed(instance: models.Model, created: bool = False, **_signal: object) -> None:
    if not created:
        forget(PLAYER, str(instance.pk))


def _token_changed(instance: Any, created: bool = False, **_signal: object) -> None:
    if not created:
        forget(TOKEN, instance.digest)


def _session_saved(instance: models.Model, created: bool = False, **_signal: object) -> None:
    if not created:
        forget(SAVED, str(instance.pk))


def _session_ended(instance: Any, **_signal: object) -> None:
    # A cached row that has expired is of no use.
    if instance.expire_date > timezone.now():
        forget(SESSION, str(instance.pk))


# The columns of a player whose change ends their streams.
STANDING: Final = ("is_active", "password", "is_staff", "is_superuser")
_GROUPS: Final = Player.groups.through
_RIGHTS: Final = Player.user_permissions.through


def token_name(token: AccessToken) -> str:
    return f"{TOKEN}:{token.digest}"


class SignIns:
    """Sessions and tokens, by name."""

    def session_of(self, request: HttpRequest) -> str:
        signed_in = request.user.is_authenticated and request.session.session_key
        return f"{SESSION}:{stored_key(request.session.session_key)}" if signed_in else ""

    def is_presented(self, sign_in: str, request: HttpRequest) -> bool:
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        token = tokens.sent_with(request)
        held = f"{TOKEN}:{tokens.digest(token)}" if token else f"{SESSION}:{stored_key(cookie)}"
        return constant_time_compare(sign_in, held)

    def viewer_of(self, sign_in: str) -> Player | None:
        kind, _colon, key = sign_in.partition(":")
        if kind == TOKEN:
            token = tokens.of_digest(key, timezone.now())
            return token.player if token is not None else None
        return _of_session(key) if kind == SESSION else None

    def signed_in(self, viewer: Viewer) -> SignedIn:
        columns = tuple(getattr(viewer, name) for name in STANDING)
        return SignedIn(viewer.pk, (columns, _rights_of([viewer.pk])[viewer.pk]))

    def ended(self, held: Mapping[str, SignedIn]) -> frozenset[str]:
        now = timezone.now()
        sessions = Session.objects.filter(session_key__in=_keys(SESSION, held), expire_date__gt=now)
        known = AccessToken.objects.filter(digest__in=_keys(TOKEN, held), expires_at__gt=now)
        alive = {f"{SESSION}:{key}" for key in sessions.values_list("session_key", flat=True)}
        alive |= {f"{TOKEN}:{digest}" for digest in known.values_list("digest", flat=True)}
        numbers = {signed_in.player for signed_in in held.values()}
        rows = Player.objects.filter(pk__in=numbers).values_list("pk", *STANDING)
        columns = {number: tuple(values) for number, *values in rows}
        rights = _rights_of(numbers)
        return frozenset(
            name
            for name, (player, standing) in held.items()
            if name not in alive or standing != (columns.get(player), rights[player])
        )


def _rights_of(players: Collection[int]) -> Mapping[int, frozenset[tuple[str, int]]]:
    """The groups and the rights of their own that each of these players has."""
    groups = _GROUPS.objects.filter(player__in=players).values_list(
        "player", Value("group"), "group"
    )
    own = _RIGHTS.objects.filter(player__in=players).values_list(
        "player", Value("right"), "permission"
    )
    rights: dict[int, set[tuple[str, int]]] = defaultdict(set)
    for player, kind, number in groups.union(own):
        rights[player].add((kind, number))
    return defaultdict(frozenset, {player: frozenset(all_) for player, all_ in rights.items()})


def _keys(kind: str, names: Iterable[str]) -> list[str]:
    return [name.removeprefix(f"{kind}:") for name in names if name.startswith(f"{kind}:")]


def _of_session(stored: str) -> Player | None:
    stored_session = read(stored)
    if stored_session is None:
        return None
    session = stored_session.values
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
    for rights in (_GROUPS, _RIGHTS):
        m2m_changed.connect(_rights_changed, rights, dispatch_uid=f"streams.{rights.__name__}")
