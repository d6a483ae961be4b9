"""The scope of a package of evidence: a hand, a player, a gaming day or a tournament.

Each names its hands, and the entries of ledger and journal in addition to those of its hands. Only
what is over is packed: finished hands, days and tournaments.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.accounts.names import name_key
from games.models import Hand, Seat
from games.records.search import by_code, read_day
from games.tables.formats import format_of
from tournaments.event.money import entry_reference
from tournaments.models import EventTable, Tournament
from wallets.models import Account, Entry
from wallets.models.holders import player_reference
from wallets.values.days import ONE_DAY, day_of, end_of, start_of
from wallets.values.errors import Refused

NOTHING: Final = Q(pk__in=())
# Numbers with more digits are in no database.
DIGITS_MAX: Final = 18


class Wanted(NamedTuple):
    """A request for a package; the days are for a player, and the first for a day."""

    kind: str
    name: str
    first: date | None = None
    last: date | None = None


class Scope(NamedTuple):
    kind: str
    # As people call it, and as journal and ledger do.
    name: str
    reference: str
    hands: QuerySet[Hand]
    # In addition to those of the hands.
    postings: Q = NOTHING
    journal: Q = NOTHING
    since: datetime | None = None
    until: datetime | None = None
    # The number of the tournament that it is about.
    event: int | None = None


def scope_of(wanted: Wanted, now: datetime) -> Scope:
    """The scope of what is asked for; refused if there is none, or it is not over."""
    scope = KINDS.get(wanted.kind)
    if scope is None:
        raise Refused("no_such_subject", _("There is no evidence of this kind."))
    return scope(wanted, now)


def paid() -> QuerySet[Hand]:
    """Hands that were played to their end, reversed ones too."""
    return Hand.objects.filter(Q(status=Hand.Status.FINISHED) | Q(reversed_at__isnull=False))


def _of_hand(wanted: Wanted, _now: datetime) -> Scope:
    hand = by_code(paid().select_related("table"), wanted.name).first()
    if (
        hand is None
        or hand.code != wanted.name.strip().upper()
        or not format_of(hand.table).history_open(hand)
    ):
        raise Refused("no_such_hand", _("There is no finished hand with this code."))
    return Scope("hand", hand.code, hand.reference, paid().filter(pk=hand.pk))


def _of_player(wanted: Wanted, _now: datetime) -> Scope:
    player = Player.objects.filter(username_key=name_key(wanted.name.strip())).first()
    if player is None:
        raise Refused("no_such_player", _("No player has this name."))
    if wanted.first and wanted.last and wanted.last < wanted.first:
        raise Refused("backward_range", _("The last day is before the first."))
    since = _start(wanted.first) if wanted.first else None
    until = _start(wanted.last + ONE_DAY) if wanted.last else None
    reference = player_reference(player.pk)
    hands = paid().filter(seats__player=player)
    hands = hands.filter(_within("ended_at", since, until) | _within("reversed_at", since, until))
    accounts = Account.objects.filter(_held_by(player))
    touched = Entry.objects.filter(account__in=accounts).values("transaction")
    return Scope(
        "player",
        player.username,
        reference,
        hands,
        Q(pk__in=touched) & _within("time", since, until),
        (Q(subject=reference) | Q(actor=reference)) & _within("at", since, until),
        since,
        until,
    )


def _held_by(player: Player) -> Q:
    """The accounts that hold a player's money: wallets, stacks, and stakes of tournaments."""
    stacks = Seat.objects.filter(player=player).values("stack")
    events = Tournament.objects.filter(all_entries__player=player).values_list("pk", flat=True)
    stakes = [entry_reference(number, player.pk) for number in events]
    return Q(owner__in=[player_reference(player.pk), *stakes]) | Q(pk__in=stacks)


def _of_day(wanted: Wanted, now: datetime) -> Scope:
    day = wanted.first or _day(wanted.name, now)
    since, until = _start(day), end_of(day)
    if now < until:
        raise Refused("day_not_over", _("This day is not over yet."))
    ended = _within("ended_at", since, until) | _within("reversed_at", since, until)
    return Scope(
        "day",
        day.isoformat(),
        f"day:{day.isoformat()}",
        paid().filter(ended),
        _within("time", since, until),
        _within("at", since, until),
        since,
        until,
    )


def _of_event(wanted: Wanted, _now: datetime) -> Scope:
    name = wanted.name.strip()
    number = name.removeprefix("tournament:")
    named = Tournament.objects.filter(name__iexact=name)
    if number.isdecimal() and len(number) <= DIGITS_MAX:
        named = Tournament.objects.filter(pk=int(number))
    # Events of a schedule share a name: the latest is meant.
    tournament = named.order_by("-pk").first()
    if tournament is None:
        raise Refused("no_such_tournament", _("There is no tournament with this number or name."))
    if tournament.state not in Tournament.OVER:
        raise Refused("tournament_not_over", _("This tournament is not over yet."))
    return Scope(
        "event",
        f"{tournament.pk} {tournament.name}",
        tournament.reference,
        paid().filter(table__in=EventTable.objects.filter(tournament=tournament).values("table")),
        Q(book=tournament.reference),
        Q(subject=tournament.reference),
        event=tournament.pk,
    )


def _within(field: str, since: datetime | None, until: datetime | None) -> Q:
    """From the one moment to before the other; without either, all rows with the field."""
    condition = Q(**{f"{field}__isnull": False})
    if since:
        condition &= Q(**{f"{field}__gte": since})
    return condition & Q(**{f"{field}__lt": until}) if until else condition


def _start(day: date) -> datetime:
    # Beyond these a day has none before or after it.
    if not date(1900, 1, 1) <= day <= date(9000, 1, 1):
        raise Refused("not_a_day", _("This is not a day."))
    return start_of(day)


def _day(text: str, now: datetime) -> date:
    day = read_day(text.strip(), day_of(now))
    if day is None:
        raise Refused("not_a_day", _("This is not a day."))
    return day


KINDS: Final[dict[str, Callable[[Wanted, datetime], Scope]]] = {
    "hand": _of_hand,
    "player": _of_player,
    "day": _of_day,
    "event": _of_event,
}
