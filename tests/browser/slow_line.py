"""A line between a browser and the house, which a test cuts, mends, and makes slow.

What the browser's driver offers for this does not hold for a service worker that starts anew.
"""

import random
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

# What is lost is sent again after a round trip and this many seconds, then after twice that.
RESENT_AFTER: Final = 0.2


class SlowLine:
    def __init__(self, house: str) -> None:
        self.round_trip, self.loss = 0.0, 0.0
        self.chances = random.Random(house)
        parts = urlsplit(house)
        self.house = (parts.hostname or "", parts.port or 80)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.ends: list[socket.socket] = []
        self.serve()

    def serve(self) -> None:
        Thread(target=self.accept, args=[self.listening], daemon=True).start()

    def accept(self, listening: socket.socket) -> None:
        # A listener that is shut down answers with an error, and ends this.
        with suppress(OSError):
            while True:
                browser, _ = listening.accept()
                self.connect(browser)

    def connect(self, browser: socket.socket) -> None:
        try:
            house = socket.create_connection(self.house)
        except OSError:
            # One connection fails, as it would without the line, and the next is tried.
            browser.close()
            return
        self.ends += [browser, house]
        for source, target in ((browser, house), (house, browser)):
            Thread(target=self.carry, args=[source, target], daemon=True).start()

    def worsen(self, round_trip: float, loss: float) -> None:
        """From here on everything takes half of these seconds one way, and some of it is lost."""
        self.round_trip, self.loss = round_trip, loss

    def seconds(self) -> float:
        """How long a piece is on its way."""
        took, again = self.round_trip / 2, self.round_trip + RESENT_AFTER
        while self.chances.random() < self.loss:
            took, again = took + again, 2 * again
        return took

    def carry(self, source: socket.socket, target: socket.socket) -> None:
        """Pass on what comes until one end is closed, and then close the other."""
        pieces = Queue[tuple[float, bytes]]()
        Thread(target=deliver, args=[pieces, target], daemon=True).start()
        with suppress(OSError):
            while data := source.recv(65536):
                pieces.put((time.monotonic() + self.seconds(), data))
        pieces.put((0, b""))

    def cut(self) -> None:
        """From here on nothing arrives, and requests under way are broken off."""
        for end in (self.listening, *self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.ends.clear()

    def mend(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", self.port))
        self.serve()


def deliver(pieces: "Queue[tuple[float, bytes]]", target: socket.socket) -> None:
    """Send each piece when it is due, in the order in which they came, up to an empty one."""
    with suppress(OSError):
        due, data = pieces.get()
        while data:
            time.sleep(max(0.0, due - time.monotonic()))
            target.sendall(data)
            due, data = pieces.get()
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


@contextmanager
def a_line(house: str) -> Iterator[SlowLine]:
    line = SlowLine(house)
    try:
        yield line
    finally:
        line.cut()
