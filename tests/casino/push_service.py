"""A push service on this machine, in a thread of a test's own, and a browser that it serves."""

import json
import ssl
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tests.casino.servers import served

CURVE: Final = ec.SECP256R1()
HERE: Final = "127.0.0.1"


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """What a browser keeps of its subscription: with it, and nothing else, messages are read."""

    def __init__(self, endpoint: str, key: ec.EllipticCurvePrivateKey | None = None) -> None:
        self.endpoint = endpoint
        self.key = key or ec.generate_private_key(CURVE)
        self.secret = bytes(range(16))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def fields(self) -> dict[str, str]:
        keys = {"p256dh": text_of(self.point), "auth": text_of(self.secret)}
        return {"endpoint": self.endpoint, **keys}

    def read(self, body: bytes) -> bytes:
        """Decrypt as RFC 8291 says, written here once more from the receiver's side."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        shared = self.key.exchange(ec.ECDH(), theirs)

        def derived(material: bytes, start: bytes, purpose: bytes, size: int) -> bytes:
            return HKDF(hashes.SHA256(), size, start, purpose).derive(material)

        info = b"WebPush: info\0" + self.point + sender
        material = derived(shared, self.secret, info, 32)
        key = derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
        text, end = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0"), b"\x02"
        assert text.endswith(end)
        return text.removesuffix(end)


class PushService(ThreadingHTTPServer):
    """Keeps what was sent to it, and answers with `status`; with None it hangs."""

    daemon_threads = True

    def __init__(self, certificate: Path) -> None:
        super().__init__((HERE, 0), _Answer)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.status: int | None = 201
        # What it sends a little of, again and again, while it hangs.
        self.drip = b""
        self.released = threading.Event()
        self.received: list[tuple[str, dict[str, str], bytes]] = []

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.address}/{quote(name)}")

    @property
    def address(self) -> str:
        return f"https://{HERE}:{self.server_port}"

    def read_by(self, browser: Browser) -> list[dict[str, str]]:
        """The messages that have come for this browser."""
        path = browser.endpoint.removeprefix(self.address)
        sealed = [body for where, _headers, body in self.received if where == path]
        return [json.loads(browser.read(body)) for body in sealed]


class _Answer(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, dict(self.headers), body))
        if self.server.status is None:
            self.hang()
            return
        self.send_response(self.server.status)
        if self.server.status == 302:
            self.send_header("Location", f"{self.server.address}/elsewhere")
        self.end_headers()

    def hang(self) -> None:
        while not self.server.released.wait(0.02):
            if self.server.drip:
                self.wfile.write(self.server.drip)
                self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """A test prints nothing."""


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    certificate = folder / "push_service.pem"
    certificate.write_bytes(_certificate())
    with served(PushService(certificate)) as server:
        try:
            yield server
        finally:
            server.released.set()


def _certificate() -> bytes:
    """A key and its own certificate for this machine, in one file."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HERE)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now - timedelta(days=1),
        not_valid_after=now + timedelta(days=1),
    )
    names = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address(HERE))])
    made = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + made.public_bytes(Encoding.PEM)


def claims_of(authorization: str) -> dict[str, object]:
    """Check the signature of a VAPID header by the key that it names, and return what it signs."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    statement, _, signature = parts["t"].rpartition(".")
    raw = bytes_of(signature)
    numbers = (int.from_bytes(half) for half in (raw[:32], raw[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, bytes_of(parts["k"]))
    point.verify(encode_dss_signature(*numbers), statement.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (json.loads(bytes_of(part)) for part in statement.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    all_claims: dict[str, object] = claims | {"key": parts["k"]}
    return all_claims
