"""A mail server on this machine, in a thread of a test's own."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


class Mailbox:
    """Keeps the letters that were sent to it."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.address: tuple[str, int] = ("", 0)

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 ok"


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    mailbox = Mailbox()
    mailbox.address = address
    controller = Controller(mailbox, hostname=address[0], port=address[1])
    controller.start()
    try:
        yield mailbox
    finally:
        controller.stop()
