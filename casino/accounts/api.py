"""Sign programs in and out, and serve operations of the API (`games/web/operations.py`).

A token or a session signs the sender of a request in, and the same limits count requests of the
framework's views and of operations. A refusal has the same code, sentence and headers.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final

import msgspec
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_noop as _n
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.accounts import codes, devices, sign_ins, tokens
from casino.accounts.code_pages import check
from casino.accounts.models import AccessToken, Player
from casino.accounts.session_store import SIGN_OUT
from casino.accounts.stream_sign_ins import token_name
from casino.accounts.tokens import token_of
from casino.web.api_requests import (
    DECODER,
    CodeNeeded,
    CodeNotSetUp,
    Players,
    RefusalResponse,
    SignIns,
    Strangers,
    Writes,
    WrongCode,
    WrongSignIn,
    response_to,
)
from games.live import tickets
from games.rules.reading import read_json
from games.web.operations import JSON, ApiRequest, Operation, answer, nothing
from games.web.payloads import Moment, Payload, Sent, Text, described, read
from games.web.schema import refusals
from wallets.of_record.verbs import under
from wallets.values.errors import Refused
from wallets.values.player import Viewer

LIMITS: Final = (Players, Strangers, Writes)
METHODS: Final = {"GET": "GET, HEAD", "POST": "POST"}

View = Callable[..., HttpResponse]


def addresses_of(operations: Iterable[Operation]) -> list[URLPattern]:
    return [
        path(f"v1/{operation.route}", view_of(operation), name=operation.address)
        for operation in operations
    ]


def view_of(operation: Operation) -> View:
    """The view of an operation; a fault is left to `casino.web.errors`."""

    @csrf_exempt
    def respond(request: HttpRequest, **parts: Any) -> HttpResponse:
        try:
            return operation.answer(_read(operation, request), **parts)
        except Exception as error:
            refusal = response_to(error)
            if refusal is None:
                raise
            return _refused(refusal, operation)

    return respond


def _read(operation: Operation, request: HttpRequest) -> ApiRequest:
    """Read a request, in the order in which the framework refuses one."""
    if request.headers.get("Accept") and not request.accepts(JSON):
        raise exceptions.NotAcceptable
    token = token_of(request)
    user = _signed_in(request, token)
    if not operation.for_all and not user.is_authenticated:
        raise exceptions.NotAuthenticated
    count_request(request)
    if request.method not in METHODS[operation.method].split(", "):
        raise exceptions.MethodNotAllowed(request.method)
    query = read(operation.query, request.GET.dict(), from_text=True)
    data = {} if operation.body is None else _body(request)
    return ApiRequest(
        method=operation.method,
        path=request.path,
        headers=request.headers,
        user=user,
        sign_in=token_name(token) if token else tickets.session_of(request),
        query=query,
        body=None if operation.body is None else read(operation.body, data),
        data=data,
    )


def _signed_in(request: HttpRequest, token: AccessToken | None) -> Viewer:
    """The sender of a request; with a session, a request that changes data needs the form token."""
    if token is not None:
        request.user = token.player
    elif not request.user.is_active:
        request.user = AnonymousUser()
    else:
        SessionAuthentication().enforce_csrf(request)
    return request.user


def count_request(request: HttpRequest) -> None:
    """Count one more request of its sender, or refuse it."""
    limits = [limit() for limit in LIMITS]
    waits = [limit.wait() for limit in limits if not limit.allow_request(request, None)]
    if waits:
        raise exceptions.Throttled(max(waits))


def _body(request: HttpRequest) -> object:
    """The body of a request, read; nothing is an empty object.

    A form is not looked into: to find its token, the sign-in by session may have read it already.
    """
    if request.content_type != JSON:
        if request.META.get("CONTENT_LENGTH", "") not in ("", "0"):
            raise exceptions.UnsupportedMediaType(request.content_type)
        return {}
    return read_json(request.body, DECODER) if request.body else {}


def _refused(refusal: RefusalResponse, operation: Operation) -> HttpResponse:
    headers = {"Allow": METHODS[operation.method]} if refusal.status == 405 else {}
    return HttpResponse(
        msgspec.json.encode(refusal.payload),
        content_type=JSON,
        status=refusal.status,
        headers=refusal.headers | headers,
    )


class SignInRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[Text, Meta(max_length=100)]
    # The same limit as Django's own form: longer input only costs time.
    password: Annotated[Text, Meta(max_length=4096)]
    code: Annotated[
        str,
        Meta(max_length=40, pattern=r"^[^\x00]*$"),
        described(_n("A one-time code or a recovery code, for those who sign in with codes.")),
    ] = ""


class Token(Payload, frozen=True, kw_only=True):
    token: Annotated[str, described(_n("Shown only once; the server stores only a hash."))]
    expires_at: Moment


class TokensDescribed(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes in the OpenAPI schema how a token signs in."""

    target_class = "casino.accounts.tokens.Tokens"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


@method_decorator(sensitive_post_parameters(), "dispatch")
class SignIn(APIView):
    """Sign in. After five failures a name is locked from this address for a while.

    Where `code_needed` is the answer, send the same with a code.
    """

    permission_classes = ()
    # A sign-in ignores any token or session that the program still sends.
    authentication_classes = ()
    throttle_classes = (*APIView.throttle_classes, SignIns)

    @extend_schema(
        operation_id="sign_in",
        request=SignInRequest,
        responses={201: Token} | refusals(400, 401, 403, 409, 415, 429),
        auth=[],
    )
    @method_decorator(sensitive_variables("credentials"))
    def post(self, request: Request) -> HttpResponse:
        credentials = read(SignInRequest, request.data)
        # The lock is in the plain request, where the middleware of `axes` looks for it.
        plain = request._request
        player = authenticate(
            plain, username=credentials.name.strip(), password=credentials.password
        )
        if player is None:
            raise WrongSignIn
        assert isinstance(player, Player)
        why = sign_ins.refusal(player, timezone.now())
        if why is not None:
            raise why
        by_code = _require_code(plain, player, credentials.code.strip())
        _note_sign_in(plain, player)
        origin = devices.origin_of(plain)
        token, kept = tokens.issue(player, timezone.now(), origin, by_code=by_code)
        return answer(Token(token=token, expires_at=kept.expires_at), 201)


def _require_code(request: HttpRequest, player: Player, code: str) -> bool:
    """Refuse a user of codes who sends none, or a wrong one; return whether there was one."""
    if not codes.has_codes(player):
        if codes.required_of(player):
            raise CodeNotSetUp
        return False
    if not code:
        raise CodeNeeded
    if not check(request, player, code):
        raise WrongCode
    return True


def _note_sign_in(request: HttpRequest, player: Player) -> None:
    """Do what follows every sign-in: forget the wrong passwords before it."""
    has_session = request.session.session_key is not None
    user_logged_in.send(type(player), request=request, user=player)
    if not has_session:
        # The log of sign-ins would open a session, which a program does not need.
        request.session.flush()


class SignOut(APIView):
    """Sign out: the token becomes invalid."""

    @extend_schema(
        operation_id="sign_out", request=None, responses={204: None} | refusals(401, 409, 429)
    )
    def post(self, request: Request) -> HttpResponse:
        if not isinstance(request.auth, AccessToken):
            raise Refused("no_token", _n("This request was not signed in by a token."))
        with under(SIGN_OUT):
            request.auth.delete()
        return nothing()
