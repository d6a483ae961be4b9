"""Sending alarms and anchors, also to outside witnesses: each address until it arrives.

A message may arrive twice (`casino/ops/outbox.py`): its number is in it. A witness checks each
anchor against the one before, so those that it lacks are sent first.
"""

import hashlib
import hmac
import json
import logging
import socket
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from http.client import HTTPMessage
from typing import IO, Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.utils import timezone

from casino.office.alarms import conditions
from casino.office.alarms.conditions import Message
from casino.office.alarms.models import ERROR_MAX, Alarm, Delivery
from casino.ops import outbox
from casino.ops.existence import WhichExist
from casino.ops.outbox import is_public
from games.models import Anchor
from games.shoes.witnesses import Disagrees, Witness, accept
from wallets.values import house

SECONDS_MAX: Final = 10
ANSWER_BYTES_MAX: Final = 1 << 16
# How many missing anchors one attempt sends.
ANCHORS_AT_ONCE: Final = 100
# The codes of a witness that has something else, and of one that lacks an earlier anchor.
CONFLICT, GAP = "conflict", "gap"


def send(anchor: Anchor, address: str) -> None:
    """Have an anchor countersigned; raises where it is not."""
    url, _, key = address.partition("#")
    witness = Witness(url, key)
    _require_outside(url)
    refusal = _post(anchor, witness)
    if refusal.get("code") == GAP:
        missing = Anchor.objects.filter(number__gt=refusal["have"], number__lte=anchor.number)
        for missing_anchor in missing.order_by("number")[:ANCHORS_AT_ONCE]:
            refusal = _post(missing_anchor, witness)
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
    places = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    if not all(is_public(str(place[4][0])) for place in places):
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


# The wait doubles after each attempt, up to an hour; a delivery is given up after a day of them.
WAIT_FIRST: Final = timedelta(seconds=15)
WAIT_MAX: Final = timedelta(hours=1)
ATTEMPTS_MAX: Final = 30
# A worker that has claimed a delivery has this long to send it.
LEASE: Final = timedelta(minutes=2)
WEBHOOK_SECONDS_MAX: Final = 5
AT_ONCE: Final = 500
# One run sends for so long; the next run sends the rest.
RUN_SECONDS_MAX: Final = 60.0
WITNESS: Final = Delivery.Channel.WITNESS

SIGNATURE: Final = "X-Card-Room-Signature"
TIMESTAMP: Final = "X-Card-Room-Timestamp"

log = logging.getLogger(__name__)


class Address(NamedTuple):
    channel: str
    address: str


def addresses(emails: Iterable[str], webhooks: Iterable[str]) -> list[Address]:
    """Each address once, in the order of the settings."""
    channel = Delivery.Channel
    named = [Address(channel.EMAIL, email) for email in emails]
    named += [Address(channel.WEBHOOK, webhook) for webhook in webhooks]
    return list(dict.fromkeys(named))


def enqueue(alarm: Alarm, now: datetime) -> None:
    """Set a new alarm on its way to every configured address."""
    Delivery.objects.bulk_create(
        _to(address, now, alarm=alarm)
        for address in addresses(settings.ALARM_EMAILS, settings.ALARM_WEBHOOKS)
    )


def _to(to: Address, now: datetime, **message: Alarm | Anchor) -> Delivery:
    delivery = Delivery(channel=to.channel, next_at=now, **message)
    delivery.address = to.address
    return delivery


def addresses_of_anchors() -> list[Address]:
    return addresses(settings.ANCHOR_EMAILS, settings.ANCHOR_WEBHOOKS)


def enqueue_anchor(anchor: Anchor, now: datetime, **_of_the_signal: object) -> None:
    """Set a new anchor on its way; in its transaction, so that none is forgotten."""
    to = [*addresses_of_anchors(), *(Address(WITNESS, witness) for witness in settings.WITNESSES)]
    Delivery.objects.bulk_create(_to(address, now, anchor=anchor) for address in to)


def send_due(now: datetime) -> int:
    """Send what is due; return how much has arrived."""
    # Every sweeper asks every five seconds, and Django takes longer to put a query together than
    # the database to answer it.
    if not _IS_DUE(now):
        return 0
    queues: dict[str, list[Delivery]] = defaultdict(list)
    due = _due(now).order_by("next_at", "pk").select_related("alarm", "anchor")
    for delivery in due[:AT_ONCE]:
        queues[delivery.address].append(delivery)
    return outbox.send(queues.values(), attempt, now, seconds_max=RUN_SECONDS_MAX)


def _due(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(next_at__lte=now)


_IS_DUE: Final = WhichExist({"delivery": _due})


def attempt(delivery: Delivery, now: datetime) -> bool | None:
    if not outbox.claim(delivery, now + LEASE):
        return None
    outcome: dict[str, object]
    try:
        if delivery.channel == WITNESS:
            assert delivery.anchor is not None, "alarms have no witness"
            send(delivery.anchor, delivery.address)
        else:
            SENDERS[delivery.channel](message_of(delivery), delivery.address)
    except Exception as problem:
        log.warning("%s could not be delivered: %s", delivery, problem)
        outcome = {"last_error": _words_of(problem), "next_at": _next(delivery.attempts, now)}
    else:
        outcome = {"delivered_at": timezone.now(), "next_at": None, "last_error": ""}
    Delivery.objects.filter(pk=delivery.pk).update(**outcome)
    return "delivered_at" in outcome


def _next(attempts: int, now: datetime) -> datetime | None:
    """Return the time of the next try after so many attempts; None gives it up."""
    if attempts >= ATTEMPTS_MAX:
        return None
    return now + outbox.doubled(WAIT_FIRST, attempts, WAIT_MAX)


def _words_of(problem: Exception) -> str:
    """Describe an error without its address, which may contain a password."""
    words = f"HTTP {problem.code}" if isinstance(problem, HTTPError) else str(problem)
    return f"{type(problem).__name__}: {words}".replace("\0", " ")[:ERROR_MAX]


def message_of(delivery: Delivery) -> Message:
    if delivery.alarm is not None:
        return conditions.of_alarm(delivery.alarm)
    assert delivery.anchor is not None, "the database holds one of the two"
    return conditions.of_anchor(delivery.anchor)


def send_email(message: Message, address: str) -> None:
    # A name in the title must not begin another header.
    sender = house.sender(settings.DEFAULT_FROM_EMAIL)
    letter = EmailMessage(" ".join(message.title.split()), message.text, sender, [address])
    if message.attachment is not None:
        letter.attach(*message.attachment)
    letter.send()


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over time and body, so that an old message cannot be sent again as a new one."""
    message = timestamp.encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


class _Straight(urllib.request.HTTPRedirectHandler):
    """Send to the given address only."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


_opener: Final = urllib.request.build_opener(_Straight)


def send_webhook(message: Message, address: str) -> None:
    if not address.startswith(("https://", "http://")):
        raise ValueError("the address of a webhook begins with https:// or http://")
    body, timestamp = message.payload, str(int(timezone.now().timestamp()))
    headers = {"Content-Type": "application/json", TIMESTAMP: timestamp}
    if message.secret:
        headers[SIGNATURE] = signature_of(message.secret, timestamp, body)
    request = urllib.request.Request(address, body, headers)  # noqa: S310 - checked above
    with _opener.open(request, timeout=WEBHOOK_SECONDS_MAX):
        pass


SENDERS: Final[dict[str, Callable[[Message, str], None]]] = {
    Delivery.Channel.EMAIL: send_email,
    Delivery.Channel.WEBHOOK: send_webhook,
}
