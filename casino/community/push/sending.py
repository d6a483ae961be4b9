"""One message to one push service: over TLS, without redirects, within three seconds in all.

A service that does not answer is left alone for half a minute, so that one which hangs does not
hold up the messages for others.
"""

import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from http.client import HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from casino.community.push.addresses import resolved

SECONDS_MAX: Final = 3.0
REST_SECONDS: Final = 30.0
# The status of a message that did not reach its service, or was not answered.
NO_ANSWER: Final = 0


class _Pinned(HTTPSConnection):
    """A connection to the address that was checked, even if the name now resolves to another."""

    def __init__(self, parts: SplitResult, trusted: ssl.SSLContext) -> None:
        super().__init__(parts.hostname or "", parts.port, timeout=SECONDS_MAX, context=trusted)
        self.target, self.trusted = resolved(parts), trusted

    def connect(self) -> None:
        plain = socket.create_connection(self.target, SECONDS_MAX)
        self.sock = self.trusted.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()

    def cut(self) -> None:
        """End it from another thread: a service that sends a byte a second is never silent."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


class Resting:
    """The services that have not answered lately."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def note(self, host: str) -> None:
        now = time.monotonic()
        self._until = {one: until for one, until in self._until.items() if until > now}
        self._until[host] = now + REST_SECONDS

    def holds(self, host: str) -> bool:
        return self._until.get(host, 0.0) > time.monotonic()

    def clear(self) -> None:
        self._until.clear()


resting: Final = Resting()


def post(endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
    """Send a message and return the status of the answer, without reading its text."""
    parts = urlsplit(endpoint)
    host = parts.netloc
    if resting.holds(host):
        return NO_ANSWER
    try:
        return _post(parts, headers, body)
    except (OSError, HTTPException, ValueError):
        resting.note(host)
        return NO_ANSWER


def _post(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
    connection = _Pinned(parts, _trusted(settings.PUSH_TEST_CERTIFICATE))
    clock = threading.Timer(SECONDS_MAX, connection.cut)
    clock.daemon = True
    clock.start()
    try:
        path = parts.path or "/"
        connection.request("POST", f"{path}?{parts.query}" if parts.query else path, body, headers)
        return connection.getresponse().status
    finally:
        clock.cancel()
        connection.close()


@lru_cache(maxsize=2)
def _trusted(certificate: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate or None)
