"""Beginning an event: locking its shoe, drawing the first seats, opening the tables.

Each step is a transaction under the organiser's row, and finds in the rows how far the last one
came: an interrupted start continues where it stopped.
"""

from datetime import datetime
from typing import Final

from tournaments.event import clock, closing, floor, mixing, registration
from tournaments.event.organiser import save, stage_of, structure_of
from tournaments.mathematics.preview import likely_length, sizes_of
from tournaments.mathematics.seating import Seating, first_seats
from tournaments.models import Entry, TableChange, Tournament
from tournaments.stages import step_gate
from wallets.money.cashier import HOUSE

# Why the house calls an event off by itself.
TOO_FEW: Final = "too few players"
SEATS: Final = "seats"
FIELDS: Final = (
    "state",
    "started_at",
    "likely_seconds",
    "final_table",
    *clock.FIELDS,
    *registration.FIELDS,
    *step_gate.FIELDS,
)
# So many tables are opened in one transaction.
TABLES_AT_ONCE: Final = 20


def is_due(tournament: Tournament, now: datetime) -> bool:
    """Whether an announced event has to begin."""
    if tournament.starts_at is not None:
        return tournament.starts_at <= now
    return tournament.entrants >= structure_of(tournament).field_max


def begin(tournament: Tournament, now: datetime) -> bool:
    """Close the doors and lock the shoe when it is time; cancel the event if too few have come."""
    if not is_due(tournament, now):
        return False
    if tournament.entrants < structure_of(tournament).field_min:
        closing.begin(tournament, HOUSE, TOO_FEW, now)
        return True
    somebody_reveals = mixing.lock(tournament, now)
    tournament.state = Tournament.State.SEATING
    tournament.due_at = tournament.shoe.reveal_until if somebody_reveals else now
    save(tournament, ["state", "due_at"])
    return True


def seat(tournament: Tournament, now: datetime) -> bool:
    """Take the next step towards the first hand; False where there is nothing to do yet."""
    if not mixing.is_mixed(tournament):
        if not mixing.may_mix(tournament, now):
            tournament.due_at = tournament.shoe.reveal_until
            save(tournament, ["due_at"])
            return False
        mixing.mix(tournament, now)
        _draw(tournament, now)
        return True
    if not _open_tables(tournament, now):
        _let_play(tournament, now)
    return True


def _draw(tournament: Tournament, now: datetime) -> None:
    """Draw the order of all who entered, which decides their seats and all later ties."""
    entered = tournament.all_entries.filter(state=Entry.State.REGISTERED).order_by("number")
    entries = {entry.number: entry for entry in entered}
    made = mixing.draw(tournament, SEATS, list(entries), now)
    for place, number in enumerate(mixing.drawn(made), 1):
        entries[number].drawn = place
    Entry.objects.bulk_update(entries.values(), ["drawn"], batch_size=500)
    tournament.due_at = now
    save(tournament, ["draws_made", "due_at"])


def _seating(tournament: Tournament) -> Seating:
    order = mixing.drawn(tournament.draws.get(label=SEATS))
    return first_seats(order, sizes_of(structure_of(tournament)))


def _open_tables(tournament: Tournament, now: datetime) -> bool:
    seating = _seating(tournament)
    first = tournament.tables_opened
    due = seating.tables[first : first + TABLES_AT_ONCE]
    if not due:
        return False
    made = tournament.draws.get(label=SEATS)
    numbers = [number for players in due for number in players]
    rows = tournament.all_entries.filter(number__in=numbers).select_related("player")
    entries = {entry.number: entry for entry in rows}
    occasion = floor.Occasion(TableChange.Why.START, now, made)
    for table_number, players in enumerate(due, first + 1):
        table = floor.open_table(tournament, table_number, now).table
        for place, number in enumerate(players, 1):
            floor.seat(table, entries[number], place, occasion)
        floor.store([table], now)
    tournament.due_at = now
    save(tournament, ["tables_opened", "due_at"])
    return True


def _let_play(tournament: Tournament, now: datetime) -> None:
    """All sit: start the clock, and let the tables deal."""
    structure = structure_of(tournament)
    resting = list(tournament.all_entries.filter(number__in=_seating(tournament).byes))
    for entry in resting:
        entry.state = Entry.State.WAITING
        entry.save(update_fields=["state"])
    if not stage_of(tournament).compares_deals:
        # The byes of duplicate rounds are given with each round.
        floor.give_byes(tournament, resting, now, step=1)
    tournament.state, tournament.started_at = Tournament.State.RUNNING, now
    tournament.likely_seconds = likely_length(structure, tournament.entrants)[0]
    tournament.final_table = tournament.tables_opened == 1
    clock.start(tournament, now)
    if not structure.late_registration_level:
        registration.close(tournament, now)
    step_gate.start(tournament)
    save(tournament, FIELDS)
    clock.release(tournament, now)
