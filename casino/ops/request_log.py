"""A line of the log for each request, with its number, and the numbers of its table and hand.

Only with `LOG_FORMAT=json`. A request is named by the pattern of its address, never by the address:
that may hold a link, an invitation, or any other typed text.
"""

from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from games.models import Hand
from games.tables.signals import played

METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
NOWHERE: Final = "(no such address)"
# Requests that machines repeat every few seconds would only fill the log.
QUIET: Final = frozenset(("/health/", "/ready/", "/metrics"))
# The parts of addresses that are numbers of ours, and what a line calls them.
NUMBERS: Final = {"table_id": "table", "hand_id": "hand"}


log: Final = structlog.get_logger("django_structlog")


class RequestLog(RequestMiddleware):
    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        played.connect(bind_hand, dispatch_uid="casino.ops.request_log.played")

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request) if request.path in QUIET else super().__call__(request)

    def prepare(self, request: HttpRequest) -> None:
        clear_contextvars()
        super().prepare(request)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        method = request.method if request.method in METHODS else "other"
        return f"{method} {route_of(request)}"

    def process_view(
        self, _request: HttpRequest, _view: object, _args: object, kwargs: dict[str, object]
    ) -> None:
        numbers = {name: kwargs.get(part) for part, name in NUMBERS.items()}
        bind_contextvars(**{name: given for name, given in numbers.items() if type(given) is int})

    def process_got_request_exception(
        self, sender: type[object], request: HttpRequest, **_signal: object
    ) -> None:
        """Django logs the fault with its traceback; the request's line says that it failed."""


def note_act(request: HttpRequest, hand: Hand) -> None:
    """The line of an act that the event loop has answered like an earlier request."""
    if settings.LOG_FORMAT == "json":
        numbers = {"table": hand.table_id, "hand": hand.pk, "request_id": str(uuid4())}
        log.info(
            "request_finished", code=204, request=RequestLog.format_request(request), **numbers
        )


def route_of(request: HttpRequest) -> str:
    """The pattern of an address."""
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return NOWHERE
    return f"/{match.route}"


def bind_hand(table: int, hand: int, **_signal: object) -> None:
    """The hand in which a request has played, for the lines that follow."""
    if "request_id" in get_contextvars():
        bind_contextvars(table=table, hand=hand)
