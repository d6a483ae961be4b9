"""Outside witnesses: other machines that countersign each anchor of the house.

A witness (`docs/witness.py`) belongs to people whom the house does not command. It checks each
anchor against the one before, keeps it, and signs its hash together with a time, and with the hash
of what it signed before. The house stores these signatures beside its anchors, shows the last on
its pages, and audits them (`games/records/audit_anchors.py`). Sending is the work of a package
above (`casino/office/alarms/delivering.py`).
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction

from games.models import Anchor, WitnessedAnchor
from games.shoes import anchors
from wallets.storage.signing import canonical, is_signed

KIND: Final = "witness"
FIELDS: Final = frozenset(("anchor", "at", "number", "place", "previous"))


class Witness(NamedTuple):
    """An address of the settings: where anchors are posted, and the key that countersigns them."""

    url: str
    key: str

    @property
    def name(self) -> str:
        return urlsplit(self.url).hostname or self.url


class Signed(NamedTuple):
    """The last signature of a witness, as pages show it."""

    witness: Witness
    anchor: Anchor
    statement: dict[str, Any]
    signature: str

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.statement["at"])

    def as_json(self) -> dict[str, object]:
        return {
            "url": self.witness.url,
            "key": self.witness.key,
            "statement": self.statement,
            "signature": self.signature,
        }


class Disagrees(Exception):
    """A witness has signed, or holds, something else than the house's anchor."""


def configured() -> list[Witness]:
    """The witnesses of the settings, each written as URL#KEY."""
    return [
        Witness(url, key)
        for url, _, key in (witness.partition("#") for witness in settings.WITNESSES)
    ]


def accept(anchor: Anchor, witness: Witness, answer: Mapping[str, Any]) -> None:
    """Store what a witness has answered for an anchor, if that is what it has to be."""
    statement, signature = answer["statement"], str(answer["signature"])
    if not (isinstance(statement, dict) and is_signed(KIND, statement, signature, witness.key)):
        raise ValueError("the answer is not signed by this witness")
    line_hash = anchors.hash_of(anchor.line)
    if statement.keys() != FIELDS or (statement["number"], statement["anchor"]) != (
        anchor.number,
        line_hash,
    ):
        raise Disagrees(f"it has signed another anchor {statement.get('number')}")
    values = {"statement": canonical(statement).decode(), "signature": signature}
    known = WitnessedAnchor.objects.filter(anchor=anchor, witness=witness.key).first()
    if known is not None and known.statement != values["statement"]:
        raise Disagrees(f"it has signed anchor {anchor.number} twice")
    if known is None:
        try:
            with transaction.atomic():
                anchor.witnessed.create(witness=witness.key, place=statement["place"], **values)
        except IntegrityError:
            raise Disagrees(f"it counts anchor {anchor.number} as another before") from None


def latest() -> list[Signed]:
    """The last signature of each witness of the settings that has signed any."""
    signeds = []
    for witness in configured():
        rows = WitnessedAnchor.objects.filter(witness=witness.key).select_related("anchor")
        row = rows.order_by("-place").first()
        if row is not None:
            signeds.append(Signed(witness, row.anchor, json.loads(row.statement), row.signature))
    return signeds
