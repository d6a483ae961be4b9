"""The addresses that the house sends to: those of push services, never of an internal network.

A browser names its endpoint, so a client may send any address. Its form is checked
when it is stored; its name is resolved at each sending, and the connection is made to exactly
the address that was checked.
"""

import socket
from base64 import urlsafe_b64decode
from typing import Final
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from casino.community.push.keys import CURVE
from casino.community.push.models import ENDPOINT_MAX, KEY_MAX
from casino.ops.public_addresses import is_public
from wallets.values.errors import Refused

HTTPS_PORT: Final = 443
POINT_BYTES: Final = 65
SECRET_BYTES: Final = 16


class Unreachable(OSError):
    """A name that leads nowhere, or into a network of the house's own."""


def check(endpoint: str, public_key: str, secret: str) -> None:
    """Refuse what no browser gives."""
    if not (_is_endpoint(endpoint) and _is_point(public_key) and _is_secret(secret)):
        raise Refused("bad_subscription", _("The house cannot send notifications to this browser."))


def _is_endpoint(endpoint: str) -> bool:
    if len(endpoint) > ENDPOINT_MAX or not endpoint.isascii() or not endpoint.isprintable():
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    bare = not (parts.username or parts.password or parts.fragment or " " in endpoint)
    if parts.scheme != "https" or not parts.hostname or not bare:
        return False
    if settings.PUSH_TEST_CERTIFICATE:
        return True
    return port in (None, HTTPS_PORT) and _may_be_public(parts.hostname)


def _may_be_public(host: str) -> bool:
    """Whether a name may lead out of the house; a number says so by itself."""
    try:
        return is_public(host)
    except ValueError:
        # No number, but a name. One that a resolver would read as a number has no letters.
        return "." in host.strip(".") and host.rstrip(".").rpartition(".")[2].isalpha()


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


def resolved(parts: SplitResult) -> tuple[str, int]:
    """The address and port to connect to; a name with any address inside is refused whole."""
    host, port = parts.hostname or "", parts.port or HTTPS_PORT
    found = [one[4][0] for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    addresses = [str(one) for one in found]
    if not addresses:
        raise Unreachable(f"{host} has no address")
    if not settings.PUSH_TEST_CERTIFICATE and not all(map(is_public, addresses)):
        raise Unreachable(f"{host} leads into a network of the house")
    return addresses[0], port
