"""Sending an anchor to an outside witness, and taking back what the witness signs.

The witness checks each anchor against the one before, so that those it lacks are sent first.
"""

import json
import socket
import urllib.request
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit

from django.conf import settings

from casino.ops.public_addresses import is_public
from games.models import Anchor
from games.shoes.witnesses import Disagrees, Witness, accept

SECONDS_MAX: Final = 10
ANSWER_BYTES_MAX: Final = 1 << 16
# How many missing anchors one attempt sends.
AT_ONCE: Final = 100
# The codes of a witness that has something else, and of one that lacks an earlier anchor.
CONFLICT, GAP = "conflict", "gap"


class _Straight(urllib.request.HTTPRedirectHandler):
    """Send an anchor to its own address only."""

    def redirect_request(self, *_args: Any, **_options: Any) -> None:
        return None


_opener: Final = urllib.request.build_opener(_Straight)


def send(anchor: Anchor, address: str) -> None:
    """Have an anchor countersigned; raises where it is not."""
    url, _, key = address.partition("#")
    witness = Witness(url, key)
    _require_outside(url)
    refusal = _post(anchor, witness)
    if refusal.get("code") == GAP:
        missing = Anchor.objects.filter(number__gt=refusal["have"], number__lte=anchor.number)
        for one in missing.order_by("number")[:AT_ONCE]:
            refusal = _post(one, witness)
            if refusal:
                break
    if refusal.get("code") == CONFLICT:
        raise Disagrees(str(refusal.get("sentence")))
    if refusal:
        raise ValueError(f"the witness refused the anchor: {refusal.get('sentence')}")


def _require_outside(url: str) -> None:
    """A witness is on a machine of others; one inside is for tests and for a closed network."""
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http"):
        raise ValueError("the address of a witness begins with https://")
    if settings.WITNESSES_INSIDE:
        return
    if parts.scheme != "https":
        raise ValueError("an outside witness is reached by https://")
    found = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    if not all(is_public(str(one[4][0])) for one in found):
        raise ValueError("this witness is inside the house (WITNESSES_INSIDE allows it)")


def _post(anchor: Anchor, witness: Witness) -> dict[str, Any]:
    """Post one anchor, and store what the witness has signed; return its refusal, if any."""
    body = json.dumps({"line": anchor.line}, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(witness.url, body, headers)  # noqa: S310 - checked above
    try:
        with _opener.open(request, timeout=SECONDS_MAX) as answer:
            accept(anchor, witness, json.loads(answer.read(ANSWER_BYTES_MAX)))
    except HTTPError as problem:
        if problem.code != 409:
            raise
        refusal = json.loads(problem.read(ANSWER_BYTES_MAX))
        if not (isinstance(refusal, dict) and isinstance(refusal.get("have"), int)):
            raise ValueError("the answer is that of no witness") from None
        return refusal
    return {}
