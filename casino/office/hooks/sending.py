"""The kinds of events, finding and sending them, signed, until each has arrived.

Each is found in the rows that its own transaction has written: these rows are the outbox. What was
rolled back left none, and what was committed left one, so no message reports what did not happen,
and the verbs of the house know no subscriber. No kind names a card; messages about players go to
endpoints that two people have approved.

A look reads again what was found lately, since a row may have been committed after a later one; a
constraint lets each event be stored once. Events and the messages about them are one transaction.
A message may arrive twice (`casino/ops/outbox.py`), under the same id, as the standard says. A
program that has not taken a message for two days, which is given up, is an alarm.
"""

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.care.models import Exclusion
from casino.office.alarms.conditions import OF_THE_HOUSE, Condition, Moment, State
from casino.office.alarms.models import Alarm
from casino.office.hooks.models import Endpoint, Found, Happening, Sending
from casino.ops import outbox
from games.models import Hand
from tournaments.models import Tournament
from wallets.models import Account, Entry
from wallets.models.staff_models import JournalEntry
from wallets.values.registry import Registry


class Fact(NamedTuple):
    """One event: the row that says so, when it was, and what receivers are told."""

    key: str
    at: datetime
    data: Mapping[str, Any]


# Finds the events since a time; it may find the same ones again.
Find = Callable[[datetime], Iterator[Fact]]


class Kind(NamedTuple):
    words: str | Promise
    # Whether it says something about a player.
    is_personal: bool
    find: Find


KINDS: Final = Registry[Kind]("kind of event")


def _hands(since: datetime) -> Iterator[Fact]:
    rows = Hand.objects.filter(status=Hand.Status.FINISHED, ended_at__gte=since)
    columns = ("pk", "ended_at", "number", "table", "table__game", "table__currency")
    for pk, at, number, table, game, currency in rows.order_by("ended_at").values_list(*columns):
        said = {"hand": pk, "number": number, "table": table, "game": game, "currency": currency}
        yield Fact(str(pk), at, said)


def _moved(kind: str) -> Find:
    """Postings of a kind, by what they moved in a player's wallet or what was set aside of it."""

    def find(since: datetime) -> Iterator[Fact]:
        rows = Entry.objects.filter(
            transaction__kind=kind,
            transaction__time__gte=since,
            account__kind__in=(Account.Kind.PLAYER, Account.Kind.ESCROW),
        )
        columns = ("transaction__key", "transaction__time", "account__owner",
                   "account__currency", "amount")  # fmt: skip
        for key, at, owner, currency, amount in rows.order_by("transaction").values_list(*columns):
            said = {"player": owner, "currency": currency, "amount": abs(amount)}
            yield Fact(str(key), at, {"posting": str(key), **said})

    return find


def _frozen(since: datetime) -> Iterator[Fact]:
    rows = JournalEntry.objects.filter(verb="player.freeze", at__gte=since).order_by("position")
    for entry in rows:
        yield Fact(str(entry.position), entry.at, {"player": entry.subject})


def _excluded(since: datetime) -> Iterator[Fact]:
    for row in Exclusion.objects.filter(begins_at__gte=since).order_by("pk"):
        until = row.until.isoformat() if row.until else None
        said = {"player": f"player:{row.player_id}", "kind": row.kind, "until": until}
        yield Fact(str(row.pk), row.begins_at, said)


def _events(since: datetime) -> Iterator[Fact]:
    rows = Tournament.objects.filter(state=Tournament.State.FINISHED, ended_at__gte=since)
    for event in rows.order_by("ended_at"):
        assert event.ended_at is not None
        said = {"event": event.pk, "name": event.name, "game": event.game}
        yield Fact(str(event.pk), event.ended_at, said)


def _alarms(since: datetime) -> Iterator[Fact]:
    for alarm in Alarm.objects.filter(raised_at__gte=since).order_by("pk"):
        yield Fact(str(alarm.pk), alarm.raised_at, {"alarm": alarm.pk, "kind": alarm.kind})


KINDS.add("hand.finished", Kind(_("a hand has finished"), False, _hands))
KINDS.add("event.finished", Kind(_("a tournament has finished"), False, _events))
KINDS.add("alarm.raised", Kind(_("an alarm was raised"), False, _alarms))
KINDS.add("deposit", Kind(_("a player has paid in"), True, _moved("deposit")))
KINDS.add("withdrawal", Kind(_("a player was paid out"), True, _moved("withdrawal")))
KINDS.add("player.frozen", Kind(_("a player was frozen"), True, _frozen))
KINDS.add("player.excluded", Kind(_("a player takes a break"), True, _excluded))


PREFIX: Final = "whsec_"
# A transaction takes less than this, so no event is committed so long after its time.
LOOKED_BACK: Final = timedelta(minutes=2)
# Events that are stored together.
AT_ONCE: Final = 500
# The waits that the standard suggests; after the last one a message is given up.
WAITS: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
)
LEASE: Final = timedelta(minutes=1)
SECONDS_MAX: Final = 5.0
SENT_AT_ONCE: Final = 50
# One run sends for so long; the next run sends the rest.
RUN_SECONDS_MAX: Final = 60.0
# A receiver that says so wants no more of this message.
GONE: Final = 410
KEPT: Final = timedelta(days=30)


def open_endpoints() -> QuerySet[Endpoint]:
    return Endpoint.objects.filter(ended_at=None)


def due(now: datetime) -> QuerySet[Sending]:
    return Sending.objects.filter(next_at__lte=now)


def look(now: datetime) -> int:
    """Find new events of the subscribed kinds; return their number."""
    listeners = list(open_endpoints())
    kinds = sorted({kind for endpoint in listeners for kind in endpoint.kinds} & KINDS.keys())
    return sum(_look_for(kind, listeners, now) for kind in kinds)


@transaction.atomic
def _look_for(kind: str, listeners: list[Endpoint], now: datetime) -> int:
    told = [endpoint for endpoint in listeners if kind in endpoint.kinds]
    since = min(endpoint.made_at for endpoint in told)
    Found.objects.get_or_create(pk=kind, defaults={"at": since})
    row = Found.objects.select_for_update(skip_locked=True).filter(pk=kind).first()
    if row is None:
        # Another process looks.
        return 0
    facts = KINDS[kind].find(max(row.at - LOOKED_BACK, since))
    count = 0
    while some := {fact.key: fact for fact in islice(facts, AT_ONCE)}:
        count += _store(kind, some, told, now)
    row.at = now
    row.save(update_fields=["at"])
    return count


def _store(kind: str, facts: dict[str, Fact], told: list[Endpoint], now: datetime) -> int:
    """Store the events that are not known, with the messages about them."""
    known = Happening.objects.filter(kind=kind, key__in=facts).values_list("key", flat=True)
    for key in list(known):
        del facts[key]
    happenings = Happening.objects.bulk_create(
        Happening(
            code=uuid5(NAMESPACE_URL, f"card-room:{kind}:{fact.key}"),
            kind=kind,
            key=fact.key,
            data=dict(fact.data),
            at=fact.at,
        )
        for fact in facts.values()
    )
    Sending.objects.bulk_create(
        Sending(endpoint=endpoint, happening=happening, next_at=now)
        for happening in happenings
        for endpoint in told
        if happening.at >= endpoint.made_at
    )
    return len(happenings)


def send_due(now: datetime) -> int:
    """Send what is due to each endpoint; return how much has arrived."""
    rows = due(now).select_related("endpoint", "happening").order_by("next_at", "pk")
    queues = (rows.filter(endpoint=endpoint)[:SENT_AT_ONCE] for endpoint in open_endpoints())
    return outbox.send(queues, attempt, now, seconds_max=RUN_SECONDS_MAX)


def attempt(sending: Sending, now: datetime) -> bool | None:
    if not outbox.claim(sending, now + LEASE):
        return None
    if sending.endpoint.ended_at is not None:
        Sending.objects.filter(pk=sending.pk).update(next_at=None)
        return None
    body = body_of(sending.happening)
    status = outbox.post(
        sending.endpoint.address,
        headers_of(sending, body, timezone.now()),
        body,
        seconds=SECONDS_MAX,
        certificate=settings.HOOKS_TEST_CERTIFICATE,
    )
    arrived = 200 <= status < 300
    given_up = status == GONE or sending.attempts > len(WAITS)
    wait = None if arrived or given_up else now + WAITS[sending.attempts - 1]
    Sending.objects.filter(pk=sending.pk).update(
        next_at=wait, status=status, delivered_at=timezone.now() if arrived else None
    )
    return arrived


def body_of(happening: Happening) -> bytes:
    """The message, with the same bytes each time."""
    said = {
        "type": happening.kind,
        "timestamp": happening.at.isoformat(),
        "data": happening.data,
    }
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode()


def headers_of(sending: Sending, body: bytes, now: datetime) -> Mapping[str, str]:
    code, at = f"msg_{sending.happening.code.hex}", str(int(now.timestamp()))
    return {
        "Content-Type": "application/json",
        "webhook-id": code,
        "webhook-timestamp": at,
        "webhook-signature": signature_of(sending.endpoint.secret, code, at, body),
    }


def signature_of(secret: str, code: str, at: str, body: bytes) -> str:
    """The signature of the standard, in its first version: HMAC-SHA-256 over id, time and body."""
    key = b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, f"{code}.{at}.".encode() + body, sha256)
    return f"v1,{b64encode(signed).decode()}"


def forget_old(now: datetime) -> None:
    """Delete what was sent, or given up, a month ago."""
    Happening.objects.filter(at__lt=now - KEPT).delete()


def _given_up(_moment: Moment) -> Iterator[State]:
    lost = Endpoint.objects.filter(
        ended_at=None, sendings__next_at=None, sendings__delivered_at=None,
        sendings__attempts__gt=0,
    )  # fmt: skip
    for endpoint in lost.distinct():
        yield State(endpoint.reference, {"name": endpoint.name})


GIVEN_UP: Final = Condition(
    "hook_given_up",
    _("A webhook does not answer"),
    _("Messages for {name} were given up: send them again, or end the webhook."),
    OF_THE_HOUSE,
    _given_up,
    every_seconds=60,
    may_stand=lambda _now: Endpoint.objects.filter(ended_at=None),
)
