"""Whether the database answers at all.

A server that has stopped refuses connections at once. One that is frozen, or whose machine is lost,
takes what it is sent and says nothing, and no time limit of a statement ends that: the server
itself would have to look at its clock. A slow statement looks the same to the thread that waits, so
a web process asks apart from it: by a new connection, which waits for no lock and no other
statement. Without an answer the process ends its connections, so that all who wait are refused, and
refuses what comes until the database answers again.
"""

import asyncio
import logging
import os
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final
from weakref import WeakSet

from django.db import OperationalError, connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import ConnStatus, PGconn, PollingStatus

# Together they are less than the second within which a player is refused. An overloaded server
# takes a tenth of a second for a connection.
DOUBT_SECONDS: Final = 0.2
ANSWER_SECONDS: Final = 0.7
# The shortest time between two questions while the database answers: some statements take long.
PAUSE_SECONDS: Final = 0.5
# Parameters of the driver, which the server's library does not know.
OF_DRIVER: Final = frozenset({"context", "cursor_factory", "prepare_threshold"})

log: Final = logging.getLogger(__name__)


class Silence:
    """Watches over the database of a web process, from a thread of its own."""

    def __init__(self) -> None:
        self.is_silent = False
        self._links: WeakSet[Any] = WeakSet()
        self._lock = threading.Lock()
        self._doubted, self._ends = threading.Event(), threading.Event()
        self._address = ""

    def start(self) -> None:
        database: Any = connection
        if database.vendor != "postgresql":
            return
        given = database.get_connection_params()
        self._address = make_conninfo(**{k: v for k, v in given.items() if k not in OF_DRIVER})
        self._ends = threading.Event()
        threading.Thread(target=self._watch, name="silence", daemon=True).start()

    def stop(self) -> None:
        self._ends.set()
        self._doubted.set()

    def note(self, link: Any) -> None:
        """Note a connection of this process, which is to end when the database says nothing."""
        with self._lock:
            self._links.add(link)

    def refuse(self) -> None:
        """Fail as a connection does that gets no answer, but at once."""
        if self.is_silent:
            raise OperationalError("the database does not answer")

    @contextmanager
    def doubted(self) -> Iterator[None]:
        """A block of an event loop that waits for the database, which is asked if it takes long."""
        loop = asyncio.get_running_loop()

        def doubt() -> None:
            self._doubted.set()
            timers.append(loop.call_later(ANSWER_SECONDS, doubt))

        timers = [loop.call_later(DOUBT_SECONDS, doubt)]
        try:
            yield
        finally:
            timers[-1].cancel()

    def _watch(self) -> None:
        ends = self._ends
        while not ends.is_set():
            self._doubted.wait()
            self._doubted.clear()
            while not ends.is_set() and not answers(self._address):
                if not self.is_silent:
                    log.error("the database does not answer; requests are refused until it does")
                self.is_silent = True
                self._end_links()
            if self.is_silent:
                log.warning("the database answers again")
            self.is_silent = False
            ends.wait(PAUSE_SECONDS)

    def _end_links(self) -> None:
        with self._lock:
            links = list(self._links)
        for link in links:
            try:
                # The driver's own object stays with its thread, which reads the end.
                with socket.socket(fileno=os.dup(link.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)
            except Exception:
                # It has ended already.
                with self._lock:
                    self._links.discard(link)


def answers(address: str) -> bool:
    """Whether a server at this address takes a new connection in time, or all refuse it.

    Of a primary and its replica one answers and refuses; the house waits for the other.
    """
    ends = monotonic() + ANSWER_SECONDS
    asked = {PGconn.connect_start(host.encode()): select.POLLOUT for host in each_host(address)}
    try:
        while True:
            if any(gconn.status == ConnStatus.OK for gconn in asked):
                return True
            lines, waiting = select.poll(), {}
            for gconn, events in asked.items():
                if gconn.status != ConnStatus.BAD:
                    waiting[gconn.socket] = gconn
                    lines.register(gconn.socket, events)
            if not waiting:
                return True
            ready = lines.poll(max(0.0, ends - monotonic()) * 1000)
            if not ready:
                return False
            for line, _event in ready:
                reads = waiting[line].connect_poll() == PollingStatus.READING
                asked[waiting[line]] = select.POLLIN if reads else select.POLLOUT
    finally:
        for gconn in asked:
            gconn.finish()


def each_host(address: str) -> list[str]:
    """An address that names several servers, as one for each."""
    given: dict[str, Any] = conninfo_to_dict(address)
    hosts = str(given.get("host", "")).split(",")
    ports = str(given.get("port", "")).split(",")
    ports = ports if len(ports) == len(hosts) else ports * len(hosts)
    return [
        make_conninfo(**given | {"host": host or None, "port": port or None})
        for host, port in zip(hosts, ports, strict=True)
    ]


SILENCE: Final = Silence()


def connected(connection: Any, **_signal: object) -> None:
    """Note a connection that Django has opened."""
    if connection.vendor == "postgresql":
        SILENCE.note(connection.connection)
