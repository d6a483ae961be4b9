"""Idempotency keys: a request that is sent twice is done once, and answered the same.

The key's row and what the request does stand in one transaction. So there is never a key without
its effect, nor an effect without its key, whatever breaks when; and no state "in flight" has to be
kept or cleared up: a repeat that comes meanwhile waits in the database until the first one is
through, and then finds its row (or, where that failed, does the work itself).

Of what was done no answer is stored but the status. It is answered again with how things stand now,
which is built for this player at that moment; so no card lies in the database, and none is told to
somebody who may not see it any more. A refusal has no such state: it is stored as it was said,
encrypted. Input that could not be read (400) uses no key up.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _n
from rest_framework.response import Response

from games.api.models import KEY_MAX, AnsweredRequest
from games.refusal import Refused
from games.rules.errors import Unreadable
from games.words.refusals import REFUSALS, status_of, told_refusal
from wallets.models import Currency
from wallets.sealing import seal, unseal

HEADER: Final = "Idempotency-Key"
# A key is known for at least so long.
KEPT: Final = timedelta(days=1)
CHUNK: Final = 5_000


def once(
    request: Any,
    effect: Callable[[], object],
    shown: Callable[[], Response],
    currency: Currency | None,
) -> Response:
    """Do it, unless its key says that it was done; then show how things stand, or the refusal."""
    key, now = _key(request), timezone.now()
    with transaction.atomic():
        row, is_new = _claim(request, key, now)
        if is_new:
            _do(row, effect, currency)
    if row.refusal:
        return Response(msgspec.json.decode(unseal(row.refusal)), row.status)
    return shown()


def _key(request: Any) -> str:
    told: str = request.headers.get(HEADER, "")
    if not told or len(told) > KEY_MAX or not (told.isascii() and told.isprintable()):
        raise Unreadable(
            "idempotency_key",
            _n("Send a header {header} of 1 to {most} characters, a new one for each request."),
            header=HEADER,
            most=KEY_MAX,
        )
    return told


def _claim(request: Any, key: str, now: datetime) -> tuple[AnsweredRequest, bool]:
    """The row of this key, and whether it is ours; one that is being written is waited for."""
    ours = AnsweredRequest(player=request.user, key=key, request=_fingerprint(request), made_at=now)
    AnsweredRequest.objects.bulk_create([ours], ignore_conflicts=True)
    row = AnsweredRequest.objects.get(player=request.user, key=key)
    if row.request != ours.request:
        raise Refused("key_reused", _n("This key was sent with another request before."))
    return row, row.pk == ours.pk


def _fingerprint(request: Any) -> str:
    """What was asked for, whatever the order of its fields."""
    asked = [request.method, request.path, request.data]
    text = msgspec.json.encode(asked, order="deterministic")
    return salted_hmac("games.api.once", text, algorithm="sha256").hexdigest()


def _do(row: AnsweredRequest, effect: Callable[[], object], currency: Currency | None) -> None:
    """Have it done; a refusal is kept, as the key stands for it from now on."""
    try:
        effect()
    except REFUSALS as error:
        if status_of(error) == 400:
            raise
        row.status = status_of(error)
        row.refusal = seal(msgspec.json.encode(told_refusal(error, currency)))
        row.save(update_fields=["status", "refusal"])


def forget(now: datetime) -> int:
    """Delete keys whose time is over: how many there were."""
    deleted = 0
    old = AnsweredRequest.objects.filter(made_at__lt=now - KEPT).order_by("made_at")
    while chunk := list(old.values_list("pk", flat=True)[:CHUNK]):
        deleted += AnsweredRequest.objects.filter(pk__in=chunk).delete()[0]
    return deleted
