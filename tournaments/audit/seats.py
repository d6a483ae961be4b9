"""Check who sat where: first seats from the draw, every move, rounds and byes."""

from collections import Counter, defaultdict
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from games.models import Seat
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event import mixing
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.seating import first_seats
from tournaments.models import Entry, TableChange, Tournament
from tournaments.running.start import SEATS


class At(NamedTuple):
    table: int | None
    seat: int | None


NOWHERE = At(None, None)
# Players are taken from the tables as these are closed.
ENDING = (*Tournament.OVER, Tournament.State.PAYING, Tournament.State.CANCELLING)


def first(rows: Rows) -> Findings:
    """The first seats are those of the draw."""
    made = next((draw for draw in rows.draws if draw.label == SEATS), None)
    moves = [move for move in rows.moves if move.why == TableChange.Why.START]
    if made is None:
        if moves:
            yield Found("seat_first", "players were seated without a draw")
        return
    seating = first_seats(mixing.drawn(made), sizes_of(rows.structure))
    due = {
        number: (table, seat)
        for table, players in enumerate(seating.tables, 1)
        for seat, number in enumerate(players, 1)
    }
    there = {}
    for move in moves:
        table = rows.tables.get(move.to_table_id or 0)
        entry = rows.entries.get(move.entry_id)
        there[entry.number if entry else 0] = (table.number if table else 0, move.to_seat)
        if move.draw_id != made.pk:
            yield Found("seat_draw", f"{rows.name(move.entry_id)} was seated by another draw")
    if rows.event.started_at is None:
        # It was called off while the tables were being filled.
        due = {number: place for number, place in due.items() if number in there}
    for number in sorted(due.keys() | there.keys()):
        if due.get(number) != there.get(number):
            yield Found(
                "seat_first",
                f"entry {number} was first seated at {_place(there.get(number))}, "
                f"and the draw says {_place(due.get(number))}",
            )


def _place(place: tuple[int, int | None] | None) -> str:
    return "no table" if place is None else f"table {place[0]}, seat {place[1]}"


def moved(rows: Rows) -> Findings:
    """Each move begins where the last one ended, unless its player went out in between."""
    where: dict[int, At] = {}
    outs: dict[int, list[object]] = defaultdict(list)
    for out in rows.eliminations:
        outs[out.entry_id].append(out.at)
    for move in rows.moves:
        name = rows.name(move.entry_id)
        source, target = At(move.from_table_id, move.from_seat), At(move.to_table_id, move.to_seat)
        known = where.get(move.entry_id, NOWHERE)
        if source != known and not (source == NOWHERE and outs[move.entry_id]):
            yield Found("move_source", f"{name} moved from a seat that was not theirs")
        for table in (source.table, target.table):
            if table is not None and table not in rows.tables:
                yield Found("move_table", f"{name} moved to or from a table of another event")
        if move.entry_id not in rows.entries:
            yield Found("move_entry", f"a move is of {name}")
        where[move.entry_id] = target


# A seat of a table, whose it was, and when it was taken or left.
Stay = tuple[int | None, int | None, int | None, datetime | None]


def sat(rows: Rows) -> Findings:
    """Moves and seats of the tables are the same, with the same times."""
    due, left = _by_moves(rows)
    ends = {(out.entry_id, out.at) for out in rows.eliminations}
    for seat in rows.seats.values():
        entry = rows.by_player.get(seat.player_id)
        name = rows.name(entry.pk) if entry else f"player {seat.player_id}"
        taken: Stay = (seat.table_id, seat.number, seat.player_id, seat.sat_down_at)
        gone: Stay = (seat.table_id, seat.number, seat.player_id, seat.left_at)
        if not due[taken]:
            yield Found("seat_stranger", f"{name} sat at {_of(rows, seat)} without a move to it")
        due[taken] -= 1
        out = entry is not None and (entry.pk, seat.left_at) in ends
        if left[gone]:
            left[gone] -= 1
        elif seat.left_at is not None and not out and not _closed(rows, seat):
            yield Found("seat_left", f"{name} left {_of(rows, seat)}, and nothing says why")
    for counted, verb in ((due, "to"), (left, "from")):
        for (_table, _seat, player, _at), count in counted.items():
            if count > 0:
                yield Found("move_seat", f"player {player} moved {verb} a seat they never had")


def _by_moves(rows: Rows) -> tuple[Counter[Stay], Counter[Stay]]:
    """The seats that were taken and left, as the moves say."""
    taken, left = Counter[Stay](), Counter[Stay]()
    for move in rows.moves:
        entry = rows.entries.get(move.entry_id)
        player = entry.player_id if entry else None
        if move.to_table_id is not None:
            taken[move.to_table_id, move.to_seat, player, move.at] += 1
        if move.from_table_id is not None:
            left[move.from_table_id, move.from_seat, player, move.at] += 1
    return taken, left


def _of(rows: Rows, seat: Seat) -> str:
    return f"table {rows.tables[seat.table_id].number}, seat {seat.number}"


def _closed(rows: Rows, seat: Seat) -> bool:
    """Whether the table was closed under the player, at the end of the event."""
    return rows.tables[seat.table_id].broken_at == seat.left_at and rows.event.state in ENDING


def twice(rows: Rows) -> Findings:
    """No player sits at two tables at once, or in another's seat."""
    players: dict[int, list[Seat]] = defaultdict(list)
    places: dict[tuple[int, int], list[Seat]] = defaultdict(list)
    for seat in rows.seats.values():
        players[seat.player_id].append(seat)
        places[seat.table_id, seat.number].append(seat)
    for seats in (*players.values(), *places.values()):
        for before, after in pairwise(seats):
            if before.left_at is None or before.left_at > after.sat_down_at:
                yield Found("seat_twice", f"{_of(rows, after)} was taken before it could be")


def tables(rows: Rows) -> Findings:
    """The tables are numbered from one on, and those of an event that is over are closed."""
    numbers = sorted(row.number for row in rows.tables.values())
    if numbers != list(range(1, rows.event.tables_opened + 1)):
        yield Found("table_number", f"{rows.event.tables_opened} tables were opened, not {numbers}")
    for row in rows.tables.values():
        if rows.event.is_over and row.broken_at is None:
            yield Found("table_open", f"table {row.number} is still open")


def seated_now(rows: Rows) -> Findings:
    """An event that is over has no seats; otherwise exactly the remaining players have one."""
    for entry in rows.entries.values():
        seat = rows.seats.get(entry.seat_id or 0)
        if entry.seat_id and (seat is None or seat.player_id != entry.player_id or seat.left_at):
            yield Found("entry_seat", f"entry {entry.number} has a seat that is not its player's")
        # At the end, one table is cleared after the other.
        clearing = rows.event.state in ENDING and not rows.event.is_over
        keeps = entry.state in (Entry.State.PLACED, Entry.State.PLAYING)
        if clearing and keeps:
            continue
        if (entry.seat_id is not None) != (entry.state == Entry.State.PLAYING):
            yield Found(
                "entry_seat", f"entry {entry.number} is {entry.state}, seat {entry.seat_id}"
            )


CHECKS = (first, moved, sat, twice, tables, seated_now)
