"""What the house sends out: rows on their way, each until it arrives, and the post of one message.

Rows have the columns `next_at` and `attempts`. A process claims a row by compare-and-set until a
lease ends, so that a row whose process has died is due again. No transaction is open while
something is sent. When to try again, and when to give up, is said by each outbox.

A post goes to an address that a browser or a member of staff has given, and may lead anywhere. The
house checks its form when it stores it, resolves its name at each sending, and connects to exactly
the address that it checked. It reads no answer and follows no redirect.
"""

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from http.client import HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from time import monotonic
from typing import Any, Final, TypeVar
from urllib.parse import SplitResult, urlsplit

from django.db.models import F

Row = TypeVar("Row")


def claim(row: Any, until: datetime | None, **columns: object) -> bool:
    """Claim a due row until then, or for good; False if another process was quicker."""
    same = type(row).objects.filter(pk=row.pk, next_at=row.next_at)
    if not same.update(next_at=until, attempts=F("attempts") + 1, **columns):
        return False
    row.next_at, row.attempts = until, row.attempts + 1
    return True


def doubled(first: timedelta, attempts: int, most: timedelta = timedelta.max) -> timedelta:
    """The wait after so many attempts, which doubles each time."""
    return min(first * (1 << min(attempts - 1, 20)), most)


def send(
    queues: Iterable[Iterable[Row]],
    attempt: Callable[[Row, datetime], bool | None],
    now: datetime,
    *,
    seconds_max: float,
) -> int:
    """Attempt the rows of each receiver in turn; return how many have arrived.

    An attempt that returns False has found its receiver dead: the others of its queue wait for the
    next run, and delay no other queue. A lease begins when a process claims the row.
    """
    began, arrived = monotonic(), 0
    for rows in queues:
        for row in rows:
            passed = monotonic() - began
            if passed > seconds_max:
                return arrived
            answer = attempt(row, now + timedelta(seconds=passed))
            if answer is False:
                break
            arrived += bool(answer)
    return arrived


# In these networks an IPv6 address is the way to an IPv4 address, which is its end.
TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address is on the internet, and is not the way to one that is not."""
    ip = ip_address(address.partition("%")[0])
    ends = [ip, *_ends_of(ip)]
    return all(end.is_global and not end.is_multicast for end in ends)


def _ends_of(pv6_address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(pv6_address, IPv4Address):
        return []
    translated = IPv4Address(int(pv6_address) & 0xFFFFFFFF) if pv6_address in TRANSLATED else None
    tunnelled = pv6_address.teredo[1] if pv6_address.teredo else None
    return [
        address for address in (pv6_address.sixtofour, tunnelled, translated) if address is not None
    ]


HTTPS_PORT: Final = 443
# The status of a message that did not reach its address, or was not answered.
NO_ANSWER: Final = 0


class Unreachable(OSError):
    """A name that leads nowhere, or into a network of the house's own."""


def is_outside(address: str, length_max: int, *, certificate: str = "") -> bool:
    """Whether an address may be stored: HTTPS, on its usual port, by a name that may lead outside.

    With the certificate of a test's own server, this machine is outside.
    """
    if len(address) > length_max or not address.isascii() or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    bare = not (parts.username or parts.password or parts.fragment or " " in address)
    if parts.scheme != "https" or not parts.hostname or not bare:
        return False
    if certificate:
        return True
    return port in (None, HTTPS_PORT) and _may_be_public(parts.hostname)


def _may_be_public(host: str) -> bool:
    """Whether a name may lead out of the house; a number says so by itself."""
    try:
        return is_public(host)
    except ValueError:
        # No number, but a name. One that a resolver would read as a number has no letters.
        return "." in host.strip(".") and host.rstrip(".").rpartition(".")[2].isalpha()


def resolved(parts: SplitResult, *, certificate: str = "") -> tuple[str, int]:
    """The address and port to connect to; a name with any address inside is refused whole."""
    host, port = parts.hostname or "", parts.port or HTTPS_PORT
    places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(place[4][0]) for place in places]
    if not addresses:
        raise Unreachable(f"{host} has no address")
    if not certificate and not all(map(is_public, addresses)):
        raise Unreachable(f"{host} leads into a network of the house")
    return addresses[0], port


class _Pinned(HTTPSConnection):
    """A connection to the address that was checked, even if the name now resolves to another."""

    def __init__(self, parts: SplitResult, certificate: str, seconds: float) -> None:
        trusted = _trusted(certificate)
        super().__init__(parts.hostname or "", parts.port, timeout=seconds, context=trusted)
        self.target = resolved(parts, certificate=certificate)
        self.trusted, self.seconds = trusted, seconds

    def connect(self) -> None:
        plain = socket.create_connection(self.target, self.seconds)
        self.sock = self.trusted.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()

    def cut(self) -> None:
        """End it from another thread: a service that sends a byte a second is never silent."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def post(
    address: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    seconds: float,
    certificate: str = "",
) -> int:
    """Send, and return the status of the answer; `NO_ANSWER` where there is none in time."""
    try:
        return _post(urlsplit(address), headers, body, seconds, certificate)
    except (OSError, HTTPException, ValueError):
        return NO_ANSWER


def _post(
    parts: SplitResult, headers: Mapping[str, str], body: bytes, seconds: float, certificate: str
) -> int:
    connection = _Pinned(parts, certificate, seconds)
    clock = threading.Timer(seconds, connection.cut)
    clock.daemon = True
    clock.start()
    try:
        path = parts.path or "/"
        target = f"{path}?{parts.query}" if parts.query else path
        connection.request("POST", target, body, dict(headers))
        return connection.getresponse().status
    finally:
        clock.cancel()
        connection.close()


@lru_cache(maxsize=2)
def _trusted(certificate: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate or None)
