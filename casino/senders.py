"""Who sends an act: what Django has found out about a request, remembered for those like it.

The first act of a sender goes through Django: host, origin, form token, session or token, staff,
idle sessions, devices. If Django has served it, the process remembers whom it is from, under a hash
of everything that these checks look at: address, all headers, and the form's token without its
mask. The next act with the same hash would be found to be the same, for a minute at the most, not
beyond the moment when Django has to note or end something, and not after any change of session,
token or player, which is announced to every process at once (`casino/accounts/sign_in_cache.py`).
"""

from collections.abc import Callable
from contextvars import Context, copy_context
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware import csrf
from django.utils import timezone

from casino.accounts import sign_in_cache, tokens
from casino.accounts.devices import SEEN, SEEN_EVERY
from casino.accounts.idle_sessions import limit_of, noted_every
from casino.accounts.session_store import stored_key
from casino.accounts.sign_in_cache import PLAYER, SAVED, SECONDS, SENDER, SESSION, TOKEN
from casino.accounts.staff import ACTIVE, is_staff_member
from casino.ops.server.pages import Answer, Environ, Scope
from casino.web.errors import API_PREFIX
from wallets.values.player import Player, is_player, player_of

# Headers that differ from act to act; none of the checks looks at them.
OF_ONE_ACT: Final = frozenset(
    (
        *(b"content-length", b"stream-version", b"idempotency-key"),
        *(b"hx-target", b"hx-trigger", b"hx-trigger-name"),
    )
)
# With the functions that no description of types knows.
CSRF: Final[Any] = csrf
FORM_TOKEN_HEADER: Final = b"x-csrftoken"
# In the environment of a request to Django: how many changes of sign-ins the process had received
# when it began, and afterwards who sent it.
BEGAN: Final = "card_room.began"
FOUND: Final = "card_room.sender"
# Headers of an answer that are another answer's own.
OF_ONE_ANSWER: Final = frozenset((b"set-cookie", b"stream-version"))


class Sender(NamedTuple):
    """The player who sends an act, and the request by which Django has found that out."""

    player: Player
    request: HttpRequest
    # What the middleware had set around the view: from where the act comes, for traces.
    context: Context
    # The rows whose change makes a process forget this, as `sign_in_cache` names them.
    rests_on: frozenset[str]
    # Until when Django would find the same, as seconds since 1970.
    until: float
    # The headers of Django's answer, for the next ones.
    headers: list[tuple[bytes, bytes]]


def name_of(scope: Scope, form_token: str) -> str:
    """The name of all requests about whose senders Django would find the same."""
    host, _port = scope.get("client") or ("", 0)
    is_api = scope["path"].startswith(API_PREFIX)
    said = [f"{host}\n{scope['scheme']}\n{is_api}\n{_unmasked(form_token)}".encode()]
    for name, value in scope["headers"]:
        if name == FORM_TOKEN_HEADER:
            said.append(b"%b:%b" % (name, _unmasked(value.decode("latin-1")).encode()))
        elif name not in OF_ONE_ACT:
            said.append(b"%b:%b" % (name, value))
    return sha256(b"\n".join(said)).hexdigest()


def _unmasked(form_token: str) -> str:
    """The secret in a form token, which Django masks anew for each page that it makes."""
    try:
        CSRF._check_token_format(form_token)
    except csrf.InvalidTokenFormat:
        return f"not a token: {form_token}"
    is_masked = len(form_token) == csrf.CSRF_TOKEN_LENGTH
    return str(CSRF._unmask_cipher_token(form_token)) if is_masked else form_token


def known(name: str) -> Sender | None:
    """The sender of a request of this name, if that is known now."""
    sender: Sender | None = sign_in_cache.known(SENDER, name)
    return sender if sender is not None and _seconds() < sender.until else None


def learn(name: str, environ: Environ, answer: Answer) -> None:
    """Remember the sender of an act that Django has just answered."""
    sender: Sender | None = environ.pop(FOUND)
    if sender is None or all(header != b"stream-version" for header, _value in answer.headers):
        return
    if any(header == b"set-cookie" for header, _value in answer.headers):
        return
    headers = [pair for pair in answer.headers if pair[0] not in OF_ONE_ANSWER]
    kept = sender._replace(headers=headers)
    sign_in_cache.keep(SENDER, name, kept, environ[BEGAN], sender.until - _seconds())


def noted(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, the innermost: note who has sent an act."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if BEGAN in request.META:
            request.META[FOUND] = _sender_of(request)
        return response

    return respond


def _sender_of(request: HttpRequest) -> Sender | None:
    """The sender of a request, if the next one may be believed to be the same."""
    if not is_player(request.user) or is_staff_member(request.user):
        return None
    player = player_of(request)
    token = tokens.sent_with(request) if request.path.startswith(API_PREFIX) else None
    if token is None:
        rows, until = _session_of(request, player)
    elif request.COOKIES:
        # A request with a session and a token is checked for both each time.
        return None
    else:
        rows, until = _token_of(token)
    rests_on = frozenset((f"{PLAYER}:{player.pk}", *rows))
    until = min(until, _seconds() + SECONDS)
    return Sender(player, request, copy_context(), rests_on, until, [])


def _session_of(request: HttpRequest, player: Player) -> tuple[tuple[str, ...], float]:
    """The names of a session's row, and when Django next has something to do about it."""
    session: Any = request.session
    key = stored_key(session.session_key)
    ends = [session.ends_at.timestamp() if session.ends_at and not session.modified else 0.0]
    ends.append(session.get(SEEN, 0) + SEEN_EVERY.total_seconds())
    limit: timedelta = limit_of(player)
    if limit:
        ends.append(session.get(ACTIVE, 0) + noted_every(limit).total_seconds())
    return (f"{SESSION}:{key}", f"{SAVED}:{key}"), min(ends)


def _token_of(token: str) -> tuple[tuple[str, ...], float]:
    kept = tokens.find(token, timezone.now())
    return (f"{TOKEN}:{tokens.digest(token)}",), kept.expires_at.timestamp() if kept else 0.0


def _seconds() -> float:
    return timezone.now().timestamp()
