"""Entering an event: registering and unregistering, entering again, and the add-on.

Each verb holds the event's row, then the player's, so that two events do not take one player at the
same moment; it posts the money and issues the chips in the same transaction. An event keeps sums in
its row, so that no registration counts the others.
"""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _n

from games.models.prepared import Insert, Query
from games.tables import admission, play_money
from games.tables.admission import Occasion, Request
from tournaments.event import money, tickets
from tournaments.event.organiser import locked, save, structure_of, wake
from tournaments.models import Entry, Tournament
from tournaments.models.entries import NUMBER_MAX
from tournaments.running import progress
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.player import Player

# The columns of an event that an entry changes.
SUMS = (
    "entrants",
    "entries",
    "add_ons",
    "players_left",
    "numbers_given",
    "stakes",
    "fees",
    "chips",
    "moves_due",
    "due_at",
)


_PERSON: Final = Query(
    lambda player: get_user_model().objects.select_for_update(no_key=True).filter(pk=player)
)
_PLAYS: Final = Q(state__in=Entry.LEFT, tournament__state__in=Tournament.ALIVE)
_HERE_AND_ELSEWHERE: Final = Query(
    lambda tournament, player: Entry.objects.filter(
        Q(tournament=tournament) | _PLAYS, player=player
    ).order_by(),
    int,
    int,
)
_INSERT: Final = Insert(Entry)


class Costs(NamedTuple):
    """The price of an entry, and the chips that it buys."""

    stake: int
    fee: int
    chips: int


@verb("player:tournament.register")
def register(
    player: Player, tournament_id: int, now: datetime, *, with_ticket: bool = False
) -> Entry:
    """Enter an event, before its start or late, with money or with a ticket."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        person = _held(player)
        structure = structure_of(tournament)
        entry, elsewhere = _here_and_elsewhere(player, tournament)
        if entry is not None and entry.state != Entry.State.WITHDRAWN:
            raise Refused("already_entered", _n("You have entered this tournament."))
        costs = Costs(structure.stake, structure.fee, structure.starting_chips)
        _require_open(tournament)
        ticket = tickets.take(player, tournament, structure, now) if with_ticket else None
        if ticket is None and tournament.tickets_only:
            raise _tickets_only()
        _require_player(tournament, person, costs, elsewhere, now, is_paid=ticket is not None)
        if tournament.entrants >= structure.field_max or tournament.numbers_given >= NUMBER_MAX:
            raise Refused("tournament_full", _n("This tournament is full."))
        is_new, entry = entry is None, entry or _new(tournament, person, now)
        late = tournament.state == Tournament.State.RUNNING
        entry.state = Entry.State.WAITING if late else Entry.State.REGISTERED
        entry.registered_at, entry.entries = now, 1
        _pay(tournament, entry, person, costs, money.ENTERED, by_ticket=ticket is not None)
        if is_new:
            _INSERT([entry])
        else:
            entry.save()
        if ticket is not None:
            tickets.use(ticket, entry)
        tournament.entrants += 1
        tournament.entries += 1
        tournament.players_left += 1
        if late:
            _seat_soon(tournament, now)
        elif tournament.starts_at is None and tournament.entrants == structure.field_max:
            wake(tournament, now)
            progress.soon(tournament, now)
        save(tournament, SUMS)
        return entry


def unregister(player: Player, tournament_id: int, now: datetime) -> Entry:
    """Leave an event that has not begun, and get everything back."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        entry = _entry(tournament, player)
        if tournament.state != Tournament.State.ANNOUNCED:
            raise Refused("tournament_started", _n("This tournament has begun."))
        if entry.state != Entry.State.REGISTERED:
            raise _not_entered()
        money.give_back(
            tournament,
            entry,
            actor=money.actor_of(player),
            reason=money.UNREGISTERED,
        )
        tickets.free(entry, now)
        money.burn_chips(tournament, entry, f"payment {entry.payments}")
        entry.state, entry.commit, entry.by_house = Entry.State.WITHDRAWN, "", True
        entry.save(update_fields=["state", "commit", "by_house", *money.PAID])
        tournament.entrants -= 1
        tournament.entries -= 1
        tournament.players_left -= 1
        save(tournament, SUMS)
        return entry


def enter_again(player: Player, tournament_id: int, now: datetime) -> Entry:
    """Buy a new entry for a player who is out."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        person = _held(player)
        structure = structure_of(tournament)
        entry, elsewhere = _here_and_elsewhere(player, tournament)
        again, entry = structure.reentries, _entered(entry)
        if entry.state != Entry.State.OUT:
            raise Refused("not_out", _n("You are not out of this tournament."))
        _require_open(tournament)
        if again is None or tournament.level > again.until_level:
            raise Refused("no_reentry", _n("Re-entry is closed."))
        if entry.entries > again.most:
            raise Refused(
                "reentries_used",
                _n("You have used all {most} re-entries."),
                most=again.most,
            )
        costs = Costs(structure.stake, structure.fee, structure.starting_chips)
        _require_player(tournament, person, costs, elsewhere, now)
        entry.state, entry.out_sequence, entry.out_at = Entry.State.WAITING, None, None
        entry.entries += 1
        _pay(tournament, entry, person, costs, money.ENTERED_AGAIN)
        entry.save(update_fields=["state", "out_sequence", "out_at", "entries", *money.PAID])
        tournament.entries += 1
        tournament.players_left += 1
        _seat_soon(tournament, now)
        save(tournament, SUMS)
        return entry


def add_on(player: Player, tournament_id: int, now: datetime) -> Entry:
    """Buy the add-on: once, between two of the levels; the chips come between hands."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        person = _held(player)
        offer, entry = structure_of(tournament).add_on, _entry(tournament, player)
        if entry.state not in (Entry.State.PLAYING, Entry.State.WAITING):
            raise Refused("not_playing", _n("You do not play in this tournament now."))
        if tournament.state != Tournament.State.RUNNING or offer is None:
            raise _no_add_on()
        if not offer.from_level <= tournament.level <= offer.until_level:
            raise _no_add_on()
        if entry.added_on:
            raise Refused("added_on", _n("You have bought the add-on."))
        costs = Costs(offer.stake, offer.fee, offer.chips)
        _require_allowed(tournament, person, costs, now)
        entry.added_on = True
        _pay(tournament, entry, person, costs, money.ADDED_ON)
        entry.save(update_fields=["added_on", *money.PAID])
        tournament.add_ons += 1
        _seat_soon(tournament, now)
        save(tournament, SUMS)
        return entry


def entry_of(player: Player, tournament: Tournament) -> Entry | None:
    """A player's entry in an event, also one that has ended; none for who unregistered."""
    entries = tournament.all_entries.filter(player=player.pk)
    took_part = entries.exclude(state=Entry.State.WITHDRAWN).order_by()
    return took_part.select_related("seat").first()


def register_with_ticket(player: Player, tournament_id: int, now: datetime) -> Entry:
    return register(player, tournament_id, now, with_ticket=True)


def why_not(
    player: Player, tournament: Tournament, now: datetime, *, has_ticket: bool = False
) -> Refused | None:
    """Return why a player could not enter now, for a page; money is not looked at."""
    structure = structure_of(tournament)
    try:
        if entry_of(player, tournament) is not None:
            raise Refused("already_entered", _n("You have entered this tournament."))
        _require_open(tournament)
        if tournament.tickets_only and not has_ticket:
            raise _tickets_only()
        costs = Costs(structure.stake, structure.fee, structure.starting_chips)
        if has_ticket:
            costs = costs._replace(stake=0, fee=0)
        _require_allowed(tournament, player, costs, now)
        _refuse_overlap(tournament, _here_and_elsewhere(player, tournament)[1], now)
        if tournament.entrants >= structure.field_max:
            raise Refused("tournament_full", _n("This tournament is full."))
    except Refused as refused:
        return refused
    return None


def _held(player: Player) -> Any:
    """The player's present row, locked so that no other event can take the player."""
    return _PERSON.get(player.pk)


def _here_and_elsewhere(player: Player, tournament: Tournament) -> tuple[Entry | None, list[int]]:
    """Return a player's entry, and the other events in which they may still play; in one query."""
    entries = {
        entry.tournament_id: entry for entry in _HERE_AND_ELSEWHERE(tournament.pk, player.pk)
    }
    return entries.pop(tournament.pk, None), list(entries)


def _entry(tournament: Tournament, player: Player) -> Entry:
    return _entered(tournament.all_entries.filter(player=player.pk).first())


def _entered(entry: Entry | None) -> Entry:
    if entry is None or entry.state == Entry.State.WITHDRAWN:
        raise _not_entered()
    return entry


def _not_entered() -> Refused:
    return Refused("not_entered", _n("You have not entered this tournament."))


def _tickets_only() -> Refused:
    return Refused("tickets_only", _n("Only players with a ticket can enter this event."))


def _no_add_on() -> Refused:
    return Refused("no_add_on", _n("There is no add-on in this tournament now."))


def _require_open(tournament: Tournament) -> None:
    if tournament.is_over or tournament.state in (
        Tournament.State.PAYING,
        Tournament.State.CANCELLING,
    ):
        raise Refused("tournament_over", _n("This tournament is over."))
    if not tournament.registration_open:
        raise Refused("registration_closed", _n("Registration for this tournament is closed."))


def _require_player(
    tournament: Tournament,
    person: Any,
    costs: Costs,
    elsewhere: list[int],
    now: datetime,
    *,
    is_paid: bool = False,
) -> None:
    """Refuse who may not play, who plays elsewhere then, or who cannot pay."""
    if is_paid:
        costs = costs._replace(stake=0, fee=0)
    _require_allowed(tournament, person, costs, now)
    _refuse_overlap(tournament, elsewhere, now)
    cost = costs.stake + costs.fee
    if person.is_bot and cost:
        play_money.grant(
            person,
            tournament.currency,
            cost,
            occasion=f"{tournament.reference} {tournament.version}",
            reason=play_money.FOR_A_BOT,
        )
    elif cost:
        play_money.welcome(person, tournament.currency, cost)


def _require_allowed(tournament: Tournament, player: Player, costs: Costs, now: datetime) -> None:
    if not player.is_active:
        raise Refused("not_active", _n("This account cannot play."))
    paid, currency = costs.stake + costs.fee, tournament.currency_id
    admission.require(Request(Occasion.SIT, player, now, amount=paid, event_currency=currency))


def _refuse_overlap(tournament: Tournament, elsewhere: list[int], now: datetime) -> None:
    """A player plays one event at a time: the likely ends decide which are at once."""
    if not elsewhere:
        return
    begins, ends = _span(tournament, now)
    for other in Tournament.objects.filter(pk__in=elsewhere):
        starts, stops = _span(other, now)
        if starts < ends and begins < stops:
            raise Refused(
                "overlaps",
                _n("You have entered {name}, which is likely to be played at the same time."),
                name=other.title,
            )


def _span(tournament: Tournament, now: datetime) -> tuple[datetime, datetime]:
    """From when to when an event is likely to be played."""
    begins = tournament.started_at or tournament.starts_at or now
    # One that takes longer than it should is not over before it is.
    ends = begins + timedelta(seconds=tournament.likely_seconds)
    return begins, max(ends, now + timedelta(seconds=1)) if tournament.started_at else ends


def _new(tournament: Tournament, person: Any, now: datetime) -> Entry:
    tournament.numbers_given += 1
    return Entry(
        tournament=tournament,
        player=person,
        number=tournament.numbers_given,
        registered_at=now,
        account=money.chips_account(tournament, person),
    )


def _pay(
    tournament: Tournament,
    entry: Entry,
    person: Player,
    costs: Costs,
    reason: str,
    *,
    by_ticket: bool = False,
) -> None:
    amounts = (costs.stake, costs.fee)
    money.take(tournament, entry, person, amounts, reason, by_ticket=by_ticket)
    money.issue_chips(tournament, entry, costs.chips, f"payment {entry.payments}")


def _seat_soon(tournament: Tournament, now: datetime) -> None:
    """Seat a player, or give them chips, as soon as this is stored."""
    tournament.moves_due = True
    wake(tournament, now)
    progress.soon(tournament, now)
