"""The kinds of events, and where each is found: in the rows that its own transaction has written.

These rows are the outbox. What was rolled back left none, and what was committed left one, so
no message reports what did not happen, and the verbs of the house know no subscriber. No kind names
a card; messages about players go to endpoints that two people have approved.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.care.models import Exclusion
from casino.office.alarms.models import Alarm
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
