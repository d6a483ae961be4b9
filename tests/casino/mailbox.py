"""As much of a mail server as one letter needs, on this machine, in a thread of a test's own."""

import socketserver
from email import message_from_string, policy
from email.message import EmailMessage


class Mailbox(socketserver.TCPServer):
    """Keeps the letters that were sent to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.letters: list[EmailMessage] = []


class _Session(socketserver.StreamRequestHandler):
    server: Mailbox

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                letter = []
                for part in self.rfile:
                    if part == b".\r\n":
                        break
                    letter.append(part)
                text = b"".join(letter).decode()
                self.server.letters.append(message_from_string(text, policy=policy.default))
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
            if word == b"QUIT":
                return
