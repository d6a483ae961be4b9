"""A web process that kills itself: python -m bench.faults_web POINT NTH [options of the web server]

It does so at the n-th commit of a request that has written a move: before the commit, after it, or
when everything is done but the answer, in a thread or in the event loop; or at the n-th message of
a stream.
"""

import os
import runpy
import signal
import sys
from collections.abc import Awaitable, Callable
from enum import Enum
from importlib import import_module
from threading import local
from typing import Any, Final, TypeVar

from django.core.handlers.base import BaseHandler
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Response = TypeVar("Response")

# A transaction that has written a move holds this lock until it ends.
WROTE_A_MOVE: Final = """
    SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid()
    AND relation = 'games_move'::regclass AND mode = 'RowExclusiveLock'
"""


class Point(Enum):
    BEFORE_COMMIT = "before-commit"
    AFTER_COMMIT = "after-commit"
    BEFORE_ANSWER = "before-answer"
    BETWEEN_PIECES = "between-pieces"


class Aim:
    """Counts the commits of moves, and says at which point of which to end."""

    def __init__(self, point: Point, nth: int, end: Callable[[], object]) -> None:
        self.point, self.nth, self.messages, self.end = point, nth, nth, end
        self.request = local()

    def commit(self, wrote: bool, commit: Callable[[], object]) -> None:
        if wrote:
            self.request.wrote = True
            self.nth -= 1
            self._reach(Point.BEFORE_COMMIT)
        commit()
        if wrote:
            self._reach(Point.AFTER_COMMIT)

    def answer(self, respond: Callable[[], Response]) -> Response:
        """Respond to a request; a thread has one at a time."""
        self.request.wrote = False
        response = respond()
        if self.request.wrote:
            self._reach(Point.BEFORE_ANSWER)
        return response

    async def store(self, rows: Awaitable[Response]) -> Response:
        """Store a move in the event loop: one statement, which is its own transaction."""
        self.nth -= 1
        self._reach(Point.BEFORE_COMMIT)
        response = await rows
        self._reach(Point.AFTER_COMMIT)
        return response

    async def respond(self, answer: Awaitable[Response]) -> Response:
        """Respond in the event loop, if it can."""
        response = await answer
        if response is not None:
            self._reach(Point.BEFORE_ANSWER)
        return response

    def sent(self) -> None:
        """A stream has sent a message."""
        self.messages -= 1
        if self.point is Point.BETWEEN_PIECES and self.messages <= 0:
            self.end()

    def _reach(self, point: Point) -> None:
        if point is self.point and self.nth <= 0:
            self.end()


def install(aim: Aim) -> None:
    commit, get_response = BaseDatabaseWrapper.commit, BaseHandler.get_response

    def committing(self: BaseDatabaseWrapper) -> None:
        with self.cursor() as cursor:
            cursor.execute(WROTE_A_MOVE)
            wrote = cursor.fetchone() is not None
        aim.commit(wrote, lambda: commit(self))

    def responding(self: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        return aim.answer(lambda: get_response(self, request))

    BaseDatabaseWrapper.commit = committing  # type: ignore[method-assign]
    BaseHandler.get_response = responding  # type: ignore[method-assign]


def install_in_loop(aim: Aim) -> None:
    """The same for the event loop, whose modules need the models."""
    links: Any = import_module("wallets.storage.database_connections").Links
    acts: Any = import_module("casino.acts").Acts
    streams: Any = import_module("games.views.streams").Streams
    rows, answer, watch = links.rows, acts.answer, streams.__call__

    def storing(self: Any, sql: str, values: Any, **named: Any) -> Awaitable[Any]:
        sent: Awaitable[Any] = rows(self, sql, values, **named)
        return aim.store(sent) if sql.startswith("WITH") else sent

    def answering(self: Any, *request: Any) -> Awaitable[Any]:
        return aim.respond(answer(self, *request))

    def watching(self: Any, scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        async def counted(message: Any) -> None:
            await send(message)
            aim.sent()

        watched: Awaitable[None] = watch(self, scope, receive, counted)
        return watched

    links.rows, acts.answer, streams.__call__ = storing, answering, watching


def main() -> None:
    point, nth, *words = sys.argv[1:]
    aim = Aim(Point(point), int(nth), lambda: os.kill(os.getpid(), signal.SIGKILL))
    import_module("casino.asgi")
    install(aim)
    install_in_loop(aim)
    sys.argv = ["casino.ops.server.web", *words]
    runpy.run_module("casino.ops.server.web", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
