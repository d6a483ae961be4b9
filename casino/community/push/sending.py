"""Messages to players in the browsers that they have subscribed in, each to one push service.

A message is signed with the house's key (VAPID, RFC 8292) and encrypted. A browser takes the public
half with its subscription, and its service then accepts messages from this house only. The private
half is a setting: it is in no database and in no log.

The push service between the house and the browser sees no text, and no length either: all messages
are equally long.

A browser names its endpoint, so a client may send any address (`casino/ops/outbox.py`).

A service that does not answer is left alone for half a minute, so that one which hangs does not
hold up the messages for others.
"""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from enum import Enum
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from casino.community.push.models import ENDPOINT_MAX, KEY_MAX, Subscription
from casino.ops import outbox
from casino.ops.metrics import counting
from wallets.values.errors import Refused

CURVE: Final = ec.SECP256R1()
# The order of the curve: a private key is a number below it.
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
NUMBER_BYTES: Final = 32
# A service refuses what is valid for more than a day.
VALID_FOR: Final = timedelta(hours=12)


def is_on() -> bool:
    """Whether this house calls players back: it has a key, and says how a service reaches it."""
    return bool(settings.PUSH and settings.PUSH_CONTACT and settings.PUSH_KEY)


def public_key() -> str:
    """The public half as browsers want it."""
    return base64(point_of(_private(settings.PUSH_KEY)))


def authorization(endpoint: str, now: datetime) -> str:
    """The header by which the service of an endpoint recognises the house."""
    parts = urlsplit(endpoint)
    kind: dict[str, object] = {"typ": "JWT", "alg": "ES256"}
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + VALID_FOR).timestamp()),
        "sub": settings.PUSH_CONTACT,
    }
    private = _private(settings.PUSH_KEY)
    statement = ".".join(
        base64(json.dumps(part, separators=(",", ":")).encode()) for part in (kind, claims)
    )
    numbers = decode_dss_signature(private.sign(statement.encode(), ec.ECDSA(SHA256())))
    signature = b"".join(number.to_bytes(NUMBER_BYTES) for number in numbers)
    return f"vapid t={statement}.{base64(signature)},k={public_key()}"


def point_of(private: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key as the protocol writes it: an uncompressed point."""
    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def base64(data: bytes) -> str:
    """URL-safe and without padding, as everywhere in this protocol."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@lru_cache(maxsize=4)
def _private(key: str) -> ec.EllipticCurvePrivateKey:
    """Any 32 bytes are a key: those few above the order of the curve begin again from 1."""
    number = int.from_bytes(urlsafe_b64decode(key)) % (ORDER - 1) + 1
    return ec.derive_private_key(number, CURVE)


# Table names have at most 60 characters, titles of tournaments 80: what is said fits in this.
LENGTH: Final = 1_024
RECORD: Final = 4_096
SALT_BYTES: Final = 16
# Follows the text of the last record.
END: Final = b"\x02"


def encrypt(text: bytes, browser: bytes, secret: bytes) -> bytes:
    """Encrypt JSON for the browser that has this public key and secret."""
    if len(text) > LENGTH:
        raise ValueError(f"a message has at most {LENGTH} bytes, not {len(text)}")
    own = ec.generate_private_key(CURVE)
    # Spaces after a JSON text mean nothing.
    return sealed(text.ljust(LENGTH), browser, secret, own, os.urandom(SALT_BYTES))


def sealed(
    text: bytes, browser: bytes, secret: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """One record, for a key and a salt that are used for nothing else."""
    public = point_of(own)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser))
    material = _derived(shared, secret, b"WebPush: info\0" + browser + public, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, text + END, None)


def _derived(material: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, purpose).derive(material)


POINT_BYTES: Final = 65
SECRET_BYTES: Final = 16


def check(endpoint: str, public_key: str, secret: str) -> None:
    """Refuse what no browser gives."""
    certificate = settings.PUSH_TEST_CERTIFICATE
    outside = outbox.is_outside(endpoint, ENDPOINT_MAX, certificate=certificate)
    if not (outside and _is_point(public_key) and _is_secret(secret)):
        raise Refused("bad_subscription", _("The house cannot send notifications to this browser."))


def _is_point(key: str) -> bool:
    try:
        data = decoded(key)
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError:
        return False
    return len(data) == POINT_BYTES


def _is_secret(secret: str) -> bool:
    try:
        return len(decoded(secret)) == SECRET_BYTES
    except ValueError:
        return False


def decoded(text: str) -> bytes:
    """The bytes of what a browser gives in URL-safe base64, with padding or without."""
    if len(text) > KEY_MAX:
        raise ValueError("this is longer than any key")
    bare = text.rstrip("=")
    return urlsafe_b64decode(bare + "=" * (-len(bare) % 4))


SECONDS_MAX: Final = 3.0
REST_SECONDS: Final = 30.0


class Resting:
    """The services that have not answered lately."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def note(self, host: str) -> None:
        now = time.monotonic()
        self._until = {name: until for name, until in self._until.items() if until > now}
        self._until[host] = now + REST_SECONDS

    def holds(self, host: str) -> bool:
        return self._until.get(host, 0.0) > time.monotonic()

    def clear(self) -> None:
        self._until.clear()


resting: Final = Resting()


def post_to(endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
    """Send a message and return the status of the answer, without reading its text."""
    host = urlsplit(endpoint).netloc
    if resting.holds(host):
        return outbox.NO_ANSWER
    status = outbox.post(
        endpoint, headers, body, seconds=SECONDS_MAX, certificate=settings.PUSH_TEST_CERTIFICATE
    )
    if status == outbox.NO_ANSWER:
        resting.note(host)
    return status


GONE: Final = (404, 410)
TOO_MANY: Final = 429


class Outcome(Enum):
    """What is known of one browser."""

    ARRIVED = "arrived"
    GONE = "gone"
    REFUSED = "refused"
    # Another attempt is of use: a browser that has it already replaces it by the same.
    LATER = "later"


def reached(players: Iterable[int]) -> set[int]:
    """The players among these who are signed in where they have subscribed."""
    if not is_on():
        return set()
    rows = Subscription.objects.filter(device__player__in=players, device__session_key__gt="")
    return set(rows.values_list("device__player", flat=True))


def tell(
    player: int, words_for: Callable[[Subscription], bytes], lasts: timedelta, now: datetime
) -> list[Outcome]:
    """Send JSON to each of a player's browsers; return what became of each."""
    if not is_on():
        return []
    rows = Subscription.objects.filter(device__player=player, device__session_key__gt="")
    outcomes = []
    for subscription in rows.order_by("pk"):
        status = deliver(subscription, words_for(subscription), lasts, "normal", now)
        outcomes.append(noted(subscription, status, now))
    return outcomes


def deliver(to: Subscription, text: bytes, lasts: timedelta, urgency: str, now: datetime) -> int:
    """Encrypt a text for a browser and send it; return the status of the answer."""
    body = encrypt(text, decoded(to.public_key), decoded(to.secret))
    headers = {
        "Authorization": authorization(to.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        # The service drops what it could not deliver within this time.
        "TTL": str(int(lasts.total_seconds())),
        "Urgency": urgency,
    }
    return post_to(to.endpoint, headers, body)


def noted(to: Subscription, status: int, now: datetime) -> Outcome:
    """Store what an answer says of a browser, and count it."""
    if status in GONE:
        Subscription.objects.filter(pk=to.pk).delete()
        counting.add(counting.PUSHES, "gone")
        return Outcome.GONE
    if 200 <= status < 300:
        Subscription.objects.filter(pk=to.pk).update(succeeded_at=now)
        counting.add(counting.PUSHES, "sent")
        return Outcome.ARRIVED
    counting.add(counting.PUSHES, "failed")
    return Outcome.REFUSED if 300 <= status < 500 and status != TOO_MANY else Outcome.LATER
