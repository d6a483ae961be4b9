"""Idempotency keys: a request that is sent twice is done once, and answered the same.

One transaction stores the row of the key and the effect of the request. So no failure leaves a key
without its effect, or an effect without its key. There is no state "in flight" to keep or to clear:
a repeat that arrives during it waits in the database until the first request is done, and then
finds its row (or does the work itself if the first request failed).

A successful request stores only its status. A repeat is answered with the present state of the
table as this player may see it, so the database holds no card, and a player never gets a card that
they may no longer see. A refusal is stored encrypted, as it was sent. Input that cannot be read
(400) uses up no key.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, TypeVar

import msgspec
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _n

from games.rules.errors import Unreadable
from games.web.models import KEY_MAX, AnsweredRequest
from games.web.operations import json_response
from games.words.refusals import refusal_payload
from wallets.models import Currency
from wallets.storage.sealed_columns import sealed_column
from wallets.values.errors import Refused

HEADER: Final = "Idempotency-Key"
# Part of stored fingerprints, so it outlives the name of this module.
SALT: Final = "games.web.idempotency"
REFUSAL: Final = sealed_column(AnsweredRequest, "refusal")
# The shortest time for which a key is stored.
KEPT: Final = timedelta(days=1)
CHUNK: Final = 5_000

R = TypeVar("R", bound=HttpResponse)


class Keyed(Protocol):
    """The parts of a request that are read: of the framework's, or of an operation's."""

    @property
    def method(self) -> str | None: ...

    @property
    def path(self) -> str: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def user(self) -> Any: ...

    @property
    def data(self) -> object: ...


def once(
    request: Keyed,
    effect: Callable[[], object],
    shown: Callable[[], R],
    currency: Currency | None,
) -> R | HttpResponse:
    """Do the request unless its key was used before; answer with state or refusal."""
    key, now = _key(request), timezone.now()
    with transaction.atomic():
        row, is_new = _claim(request, key, now)
        if is_new:
            _do(row, effect, currency)
    if row.refusal:
        return json_response(REFUSAL.open(row), row.status)
    return shown()


def _key(request: Keyed) -> str:
    key: str = request.headers.get(HEADER, "")
    if not key or len(key) > KEY_MAX or not (key.isascii() and key.isprintable()):
        raise Unreadable(
            "idempotency_key",
            _n("Send a header {header} of 1 to {most} characters, a new one for each request."),
            header=HEADER,
            most=KEY_MAX,
        )
    return key


def _claim(request: Keyed, key: str, now: datetime) -> tuple[AnsweredRequest, bool]:
    """The row of this key, and whether this request made it; waits for a row being written."""
    ours = AnsweredRequest(player=request.user, key=key, request=_fingerprint(request), made_at=now)
    AnsweredRequest.objects.bulk_create([ours], ignore_conflicts=True)
    row = AnsweredRequest.objects.get(player=request.user, key=key)
    if row.request != ours.request:
        raise Refused("key_reused", _n("This key was sent with another request before."))
    return row, row.pk == ours.pk


def _fingerprint(request: Keyed) -> str:
    """A keyed hash of the request that does not depend on the order of its fields."""
    content = [request.method, request.path, request.data]
    text = msgspec.json.encode(content, order="deterministic")
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()


def _do(row: AnsweredRequest, effect: Callable[[], object], currency: Currency | None) -> None:
    """Do the work, or store its refusal under the key."""
    try:
        effect()
    except Refused as error:
        if error.status == 400:
            raise
        row.status = error.status
        row.refusal = REFUSAL.seal(msgspec.json.encode(refusal_payload(error, currency)), row.pk)
        row.save(update_fields=["status", "refusal"])


def forget(now: datetime) -> int:
    """Delete expired keys and return their number."""
    deleted = 0
    old = AnsweredRequest.objects.filter(made_at__lt=now - KEPT).order_by("made_at")
    while chunk := list(old.values_list("pk", flat=True)[:CHUNK]):
        deleted += AnsweredRequest.objects.filter(pk__in=chunk).delete()[0]
    return deleted
