"""Acts answered by the event loop of a web process, and who sends them.

Everything that an act needs is in the memory of the process: its sender and a copy of the table.
The rules play it on the copy, one statement of an asynchronous connection stores the moves if the
table is still at the copy's version, and the answer follows the commit. The statement of an act
that ends the hand is a plan (`ops/server/plans.py`).

Nothing is refused here. Whatever is not known, does not fit, comes second twice or fails is
left to Django, which is always right: an act that was stored already is answered there as
one that was sent twice.

The first act of a sender goes through Django: host, origin, form token, session or token, staff,
idle sessions, devices. If Django has served it, the process remembers whom it is from, under a hash
of everything that these checks look at: address, all headers, and the form's token without its
mask. The next act with the same hash would be found to be the same, for a minute at the most, not
beyond the moment when Django has to note or end something, and not after any change of session,
token or player, which is announced to every process at once (`casino/accounts/sign_in_cache.py`).
"""

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context, copy_context
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec
import psycopg
from django.core.exceptions import SynchronousOnlyOperation, TooManyFieldsSent
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.middleware import csrf
from django.utils import timezone
from rest_framework.exceptions import Throttled

from casino.accounts import sign_in_cache, tokens
from casino.accounts.api import count_request
from casino.accounts.devices import SEEN, SEEN_EVERY
from casino.accounts.idle_sessions import limit_of, noted_every
from casino.accounts.session_store import stored_key
from casino.accounts.sign_in_cache import PLAYER, SAVED, SECONDS, SENDER, SESSION, TOKEN
from casino.accounts.staff import ACTIVE, is_staff_member
from casino.ops import request_log
from casino.ops.metrics.counting import note_request
from casino.ops.server.pages import Answer, Environ, Scope
from casino.ops.server.plans import Herald, Plans
from casino.web.errors import API_PREFIX
from casino.web.rate_limits import too_many_forms
from games.api.table_requests import ActRequest
from games.live.hub import Hub
from games.models.combined import CannotPlan
from games.tables import optimistic_act
from games.tables.admission import reads_of_holds
from games.tables.carried import RECEIPT, Carried, compact
from games.tables.decisions import Decision, bettors
from games.tables.optimistic_act import WRITE_MOVES, DoesNotFit, NeedsLock, Planned
from games.tables.presence import seen_in_house
from games.tables.signals import tell_acted
from games.tables.table_cache import TABLE_CACHE, CachedTable, game_of_live
from games.views.act_form import SPOTS, Sent, bets_in, moves_in, number_in
from games.views.table import STREAM_VERSION, shown_version
from wallets.storage.batched_writes import is_collecting
from wallets.storage.database_connections import Links, has_links
from wallets.storage.database_time import known_house_now
from wallets.values.errors import Refused
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


def name_of_sender(scope: Scope, form_token: str) -> str:
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


def known_sender(name: str) -> Sender | None:
    """The sender of a request of this name, if that is known now."""
    sender: Sender | None = sign_in_cache.known(SENDER, name)
    return sender if sender is not None and _seconds() < sender.until else None


def learn_sender(name: str, environ: Environ, answer: Answer) -> None:
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


ADDRESS: Final = re.compile(r"(?:/api/v1)?/tables/([1-9][0-9]{0,17})/act/")
STREAMED: Final = b"streamed=true"
FORM: Final = b"application/x-www-form-urlencoded"
FORM_TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105 # nosec B105
SHOWS: Final = STREAM_VERSION.lower().encode()
# The form of an act with all thirteen cards of a hand is a tenth of this.
BODY_MAX: Final = 16_384
# On the copy at hand, and on a fresh one.
TRIES: Final = 2
REQUESTS: Final = msgspec.json.Decoder(ActRequest)
# What says that Django has to decide.
NOT_HERE: Final = (
    CannotPlan,
    DoesNotFit,
    NeedsLock,
    Refused,
    SynchronousOnlyOperation,
    Throttled,
    TooManyFieldsSent,
    msgspec.DecodeError,
    psycopg.Error,
    OSError,
    TimeoutError,
    UnicodeError,
)

# The moves of an act on a copy, which a page may say by what is to lie on the felt.
Read = Callable[[CachedTable], Sent]

log = logging.getLogger(__name__)


class Act(NamedTuple):
    """An act as it was sent: to which table, under which sender's name, and how it is read."""

    table: int
    sender: str
    read: Callable[[Sender], Read]
    # The version that a page shows.
    shows: int = -1


class Acts:
    """The acts of a process that need no thread."""

    def __init__(self, hub: Hub, links: Links, herald: Herald) -> None:
        self._hub, self._herald, self._links = hub, herald, links
        self._plans = Plans(links, herald)
        # By table: who plays on its copy now; the next waits for what the first has made.
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def answer(self, scope: Scope, body: bytes, environ: Environ) -> Answer | None:
        """The answer to an act; None for any other request, and where Django has to answer."""
        began = perf_counter()
        try:
            act = act_in(scope, body)
            if act is None:
                return None
            # What Django finds out about its sender is compared with changes since now.
            environ[BEGAN] = sign_in_cache.changes()
            sender = known_sender(act.sender)
            if sender is None:
                return None
            playing = await self._play(act, sender)
        except NOT_HERE:
            return None
        except Exception:
            log.exception("an act could not be played in the event loop")
            return None
        seconds = perf_counter() - began
        tell_acted(playing.table, seconds)
        note_request("POST", scope["path"], 204, seconds)
        request_log.note_act(sender.request, playing.hand)
        headers = [*sender.headers, (SHOWS, b"%d" % playing.table.version)]
        if playing.receipt is not None:
            headers.append((RECEIPT.lower().encode(), compact(playing.receipt).encode()))
        return Answer(204, headers, b"")

    def learn(self, scope: Scope, body: bytes, environ: Environ, answer: Answer) -> None:
        """Remember who has sent an act that Django has answered."""
        if FOUND in environ and (act := act_in(scope, body)) is not None:
            learn_sender(act.sender, environ, answer)

    async def _play(self, act: Act, sender: Sender) -> Planned:
        async with self._turns.setdefault(act.table, asyncio.Lock()):
            read = act.read(sender)
            for attempt in range(TRIES):
                if attempt:
                    await self._hub.ask_database(partial(TABLE_CACHE.newest, act.table))
                copy, now = TABLE_CACHE.known(act.table), known_house_now()
                if copy is None or copy.version < act.shows or now is None:
                    raise DoesNotFit
                sent = read(copy)
                moves = (sent.decision, sent.moves, now, Carried(sent.mix))
                with await self._read_for(copy):
                    playing = optimistic_act.planned(copy, sender.player, *moves)
                    plan = None if playing.waiting else playing.plan_end(now)
                if not attempt:
                    _count(sender)
                if await (self._plans.carry_out(plan) if plan else self._store(playing, now)):
                    sender.context.run(playing.trace, sender.player, now)
                    seen_in_house(sender.player.pk, timezone.now())
                    return playing
        raise DoesNotFit

    async def _read_for(self, copy: CachedTable) -> AbstractContextManager[None]:
        """A block in which what an act at this copy may ask for is read: the first bet, whether the
        house opens hands.
        """
        live, standing = copy.live, copy.standing
        if live is None or standing is None or bettors(live.game, standing.state):
            return nullcontext()
        manager: AbstractContextManager[None] = await self._plans.read(reads_of_holds())
        return manager

    async def _store(self, playing: Planned, now: datetime) -> bool:
        """Store the moves of an act in mid-hand, if no other write came first."""
        version = playing.raise_version(now)
        statement = WRITE_MOVES.statement(playing.table, version, playing.moves, playing.beside)
        if not WRITE_MOVES.inserted(playing.moves, await self._links.rows(*statement)):
            return False
        playing.done(self._herald.announce)
        return True


def act_in(scope: Scope, body: bytes) -> Act | None:
    """The act that a request sends, if the event loop could answer it."""
    match = ADDRESS.fullmatch(scope["path"])
    if match is None or scope["method"] != "POST" or len(body) > BODY_MAX:
        return None
    if not has_links() or not is_collecting():
        return None
    table = int(match[1])
    if scope["path"].startswith(API_PREFIX):
        if scope["query_string"] != STREAMED:
            return None
        return Act(table, name_of_sender(scope, ""), lambda _sender: _from_program(body))
    headers = dict(scope["headers"])
    shows = shown_version(headers.get(SHOWS, b"").decode("latin-1"))
    if scope["query_string"] or shows is None or headers.get(b"content-type") != FORM:
        return None
    form = QueryDict(body, encoding="utf-8")
    name = name_of_sender(scope, form.get(FORM_TOKEN, ""))
    return Act(table, name, lambda sender: partial(_from_page, form, sender), shows)


def _from_program(body: bytes) -> Read:
    sent = REQUESTS.decode(body)
    moves = Sent(Decision(sent.hand, sent.turn, sent.decision), [sent.action], sent.mix)
    return lambda _copy: moves


def _from_page(form: QueryDict, sender: Sender, copy: CachedTable) -> Sent:
    if SPOTS in form:
        sent = bets_in(form, sender.player, copy.own_table(), copy.seats)
    else:
        game = game_of_live(copy.table.pk, number_in(form, "played_hand"))
        sent = moves_in(form, copy.own_table(), game) if game is not None else None
    if sent is None or not sent.moves:
        raise DoesNotFit
    return sent


def _count(sender: Sender) -> None:
    """Count one more act of its sender against the limits; one too many is refused by Django."""
    if sender.request.path.startswith(API_PREFIX):
        count_request(sender.request)
    elif too_many_forms(sender.request):
        raise DoesNotFit
