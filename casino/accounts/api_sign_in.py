"""Serve operations of the API (`games/web/operations.py`) without the framework's views.

A token or a session signs the sender of a request in, as everywhere in the API, and the same limits
count their requests. A refusal has the same code, sentence and headers.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication

from casino.accounts.models import AccessToken
from casino.accounts.stream_sign_ins import token_name
from casino.accounts.tokens import token_of
from casino.web.api.parsing import DECODER
from casino.web.api.refusing import RefusalResponse, response_to
from casino.web.api.throttling import Players, Strangers, Writes
from games.live import tickets
from games.rules.reading import read_json
from games.web.operations import JSON, ApiRequest, Operation
from games.web.reading import read
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
