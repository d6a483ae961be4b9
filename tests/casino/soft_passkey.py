"""A phone that holds a passkey, as far as a house can tell."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from django.urls import reverse
from fido2.cose import ES256
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

HOUSE = "testserver"
ORIGIN = f"https://{HOUSE}"
FLAG = AuthenticatorData.FLAG
SEEN = FLAG.UP | FLAG.UV


def text(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


def octets_of(words: str) -> bytes:
    return urlsafe_b64decode(words + "=" * (-len(words) % 4))


@dataclass
class Phone:
    """What it signs, and what it says of it."""

    origin: str = ORIGIN
    house: str = HOUSE
    flags: Any = SEEN
    counts: bool = False
    counter: int = 0
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    name: bytes = field(default_factory=lambda: token_bytes(32))

    def makes(self, options: dict[str, Any]) -> str:
        """The answer to `navigator.credentials.create`."""
        client = self._client("webauthn.create", options)
        public = ES256.from_cryptography_key(self.key.public_key())
        made = AttestedCredentialData.create(bytes(16), self.name, public)
        data = self._data(FLAG.AT, made)
        attestation = AttestationObject.create("none", data, {})
        return self._answer(clientDataJSON=client, attestationObject=attestation)

    def signs(self, options: dict[str, Any]) -> str:
        """The answer to `navigator.credentials.get`."""
        if self.counts:
            self.counter += 1
        client, data = self._client("webauthn.get", options), self._data()
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        challenge = octets_of(options["publicKey"]["challenge"])
        return CollectedClientData.create(kind, challenge, self.origin)

    def _data(self, more: Any = 0, made: bytes = b"") -> AuthenticatorData:
        house = sha256(self.house.encode()).digest()
        return AuthenticatorData.create(house, self.flags | more, self.counter, made)

    def _answer(self, **response: bytes) -> str:
        said = {name: text(bytes(octets)) for name, octets in response.items()}
        return json.dumps(
            {
                "id": text(self.name),
                "rawId": text(self.name),
                "type": "public-key",
                "response": said,
                "clientExtensionResults": {},
            }
        )


def options(client: Client, what: str) -> Any:
    return client.post(reverse("passkey-options"), {"for": what}).json()


def add(client: Client, phone: Phone, **proof: str) -> Any:
    """Prove who one is, and add a passkey."""
    client.post(reverse("passkeys"), proof)
    sent = phone.makes(options(client, "add"))
    return client.post(reverse("add-passkey"), {"credential": sent})


def sign_in_by(client: Client, phone: Phone, **more: str) -> Any:
    sent = phone.signs(options(client, "sign-in"))
    return client.post(reverse("passkey-sign-in"), {"credential": sent, **more})
