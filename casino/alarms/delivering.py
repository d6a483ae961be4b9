"""Sending alarms by e-mail and webhook: each address on its own, again and again until it arrives.

A delivery is claimed by compare-and-set, so of several processes one sends it; if that process dies
meanwhile, the delivery is due again after its lease. A message may then arrive twice: its number is
in it. No transaction is open while something is sent.
"""

import hashlib
import hmac
import json
import logging
import urllib.request
from collections.abc import Callable
from datetime import datetime, timedelta
from http.client import HTTPMessage
from typing import IO, Any, Final
from urllib.error import HTTPError

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F
from django.utils import timezone, translation

from casino.alarms.conditions import registered
from casino.alarms.models import ERROR_MAX, Alarm, Delivery

# The wait doubles after each attempt, up to an hour; a delivery is given up after a day of them.
WAIT_FIRST: Final = timedelta(seconds=15)
WAIT_MAX: Final = timedelta(hours=1)
ATTEMPTS_MAX: Final = 30
# Who has claimed a delivery has this long to send it.
LEASE: Final = timedelta(minutes=2)
WEBHOOK_SECONDS_MAX: Final = 5
AT_ONCE: Final = 50

SIGNATURE: Final = "X-Card-Room-Signature"
TIMESTAMP: Final = "X-Card-Room-Timestamp"

log = logging.getLogger(__name__)


def enqueue(alarm: Alarm, now: datetime) -> None:
    """Set a new alarm on its way to every configured address."""
    channel = Delivery.Channel
    addresses = [(channel.EMAIL, one) for one in settings.ALARM_EMAILS]
    addresses += [(channel.WEBHOOK, one) for one in settings.ALARM_WEBHOOKS]
    Delivery.objects.bulk_create(
        Delivery(alarm=alarm, channel=kind, address=address, next_at=now)
        for kind, address in dict.fromkeys(addresses)
    )


def send_due(now: datetime) -> int:
    """Send what is due; return how much has arrived."""
    due = Delivery.objects.filter(next_at__lte=now).order_by("next_at").select_related("alarm")
    return sum(attempt(delivery, now) for delivery in due[:AT_ONCE])


def attempt(delivery: Delivery, now: datetime) -> bool:
    same = Delivery.objects.filter(pk=delivery.pk, next_at=delivery.next_at)
    if not same.update(next_at=now + LEASE, attempts=F("attempts") + 1):
        # Another process was quicker.
        return False
    attempts = delivery.attempts + 1
    outcome: dict[str, Any]
    try:
        SENDERS[delivery.channel](delivery.alarm, delivery.address)
    except Exception as problem:
        log.warning("alarm %s could not be delivered: %s", delivery.alarm_id, problem)
        outcome = {"last_error": _words_of(problem), "next_at": _next(attempts, now)}
    else:
        outcome = {"delivered_at": timezone.now(), "next_at": None, "last_error": ""}
    Delivery.objects.filter(pk=delivery.pk).update(**outcome)
    return outcome["next_at"] is None and "delivered_at" in outcome


def _next(attempts: int, now: datetime) -> datetime | None:
    """When to try again after so many attempts; None gives it up."""
    if attempts >= ATTEMPTS_MAX:
        return None
    doubled: int = 1 << min(attempts - 1, 20)
    return now + min(WAIT_FIRST * doubled, WAIT_MAX)


def _words_of(problem: Exception) -> str:
    """Describe an error without its address, which may contain a password."""
    words = f"HTTP {problem.code}" if isinstance(problem, HTTPError) else str(problem)
    return f"{type(problem).__name__}: {words}".replace("\0", " ")[:ERROR_MAX]


def words_of(alarm: Alarm) -> tuple[str, str]:
    """The title and the sentence of an alarm, in the language that is active."""
    condition = registered().get(alarm.kind)
    if condition is None:
        # A newer or older house has raised it.
        return alarm.kind, alarm.subject
    return str(condition.words), condition.say(alarm.figures)


def address_of_page(alarm: Alarm) -> str:
    """Where the alarm is shown, if the house knows its own address."""
    origins = settings.CSRF_TRUSTED_ORIGINS
    return f"{origins[0]}/admin/alarms/{alarm.pk}/" if origins else ""


def send_email(alarm: Alarm, address: str) -> None:
    with translation.override(settings.ALARM_LANGUAGE):
        title, sentence = words_of(alarm)
    lines = [sentence, "", f"{alarm.raised_at:%Y-%m-%d %H:%M:%S} UTC", address_of_page(alarm)]
    # A name in the title must not begin another header.
    subject = " ".join(f"[{alarm.reference}] {title}".split())
    EmailMessage(subject, "\n".join(lines), to=[address]).send()


def payload_of(alarm: Alarm) -> bytes:
    with translation.override(settings.ALARM_LANGUAGE):
        title, sentence = words_of(alarm)
    payload = {
        "id": alarm.pk,
        "kind": alarm.kind,
        "subject": alarm.subject,
        "title": title,
        "sentence": sentence,
        "figures": alarm.figures,
        "raised_at": alarm.raised_at.isoformat(),
        "address": address_of_page(alarm),
    }
    return json.dumps(payload, ensure_ascii=False).encode()


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over time and body, so that an old message cannot be sent again as a new one."""
    message = timestamp.encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


class _Straight(urllib.request.HTTPRedirectHandler):
    """An alarm goes where it was addressed to, and nowhere else."""

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


def send_webhook(alarm: Alarm, address: str) -> None:
    if not address.startswith(("https://", "http://")):
        raise ValueError("the address of a webhook begins with https:// or http://")
    body, timestamp = payload_of(alarm), str(int(timezone.now().timestamp()))
    headers = {"Content-Type": "application/json", TIMESTAMP: timestamp}
    if settings.ALARM_WEBHOOK_SECRET:
        headers[SIGNATURE] = signature_of(settings.ALARM_WEBHOOK_SECRET, timestamp, body)
    request = urllib.request.Request(address, body, headers)  # noqa: S310 - checked above
    with _opener.open(request, timeout=WEBHOOK_SECONDS_MAX):
        pass


SENDERS: Final[dict[str, Callable[[Alarm, str], None]]] = {
    Delivery.Channel.EMAIL: send_email,
    Delivery.Channel.WEBHOOK: send_webhook,
}
