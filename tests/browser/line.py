"""A line between a browser and the house, which a test cuts and mends.

What the browser's driver offers for this does not hold for a service worker that starts anew.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit


class Line:
    def __init__(self, house: str) -> None:
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
            Thread(target=carry, args=[source, target], daemon=True).start()

    def cut(self) -> None:
        """From here on nothing arrives, and whatever is under way is broken off."""
        for end in (self.listening, *self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.ends.clear()

    def mend(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", self.port))
        self.serve()


def carry(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes until one end is closed, and then close the other."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


@contextmanager
def a_line(house: str) -> Iterator[Line]:
    line = Line(house)
    try:
        yield line
    finally:
        line.cut()
