"""Check who sat where and who rested: first seats from the draw, every move and its plan, byes."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from games.models import Seat
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event import mixing
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.seating import (
    Field,
    Place,
    PlannedMove,
    TableSeats,
    balance,
    byes,
    first_seats,
)
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Arrangement, Bye, Elimination, Entry, TableChange, Tournament
from tournaments.running.start import SEATS


class _Room(NamedTuple):
    """All seats at one point of the replayed moves, by the number of the entry."""

    places: dict[int, Place]

    def tables(self, buttons: Mapping[str, int | None]) -> list[TableSeats]:
        seats: dict[int, dict[int, int]] = {int(number): {} for number in buttons}
        # In the order of the entries, as the plan saw them.
        for entry, place in sorted(self.places.items()):
            seats[place.table][place.seat] = entry
        return [
            TableSeats(int(number), seats[int(number)], button)
            for number, button in buttons.items()
        ]


def planned(rows: Rows) -> Findings:
    """The moves of each arrangement are the plan's, but for those that a hand held up."""
    byes, had = list(rows.byes), defaultdict[int, int](int)
    for arrangement, moves, room in _arranged(rows):
        while byes and byes[0].at < arrangement.at:
            had[rows.entries[byes.pop(0).entry_id].number] += 1
        yield from _differences(rows, room, arrangement, moves, had)


def fields(rows: Rows) -> Iterator[tuple[Arrangement, set[int]]]:
    """Each arrangement, with all who sat or waited when it was made."""
    for arrangement, _moves, room in _arranged(rows):
        yield arrangement, {*room.places, *arrangement.waiting}


def _arranged(rows: Rows) -> Iterator[tuple[Arrangement, list[TableChange], _Room]]:
    """Each arrangement with its moves, and all seats before them."""
    room, outs = _Room({}), list(rows.eliminations)
    arrangements = {arrangement.pk: arrangement for arrangement in rows.arrangements}
    for arrangement_id, moves in _batches(rows):
        arrangement = arrangements.get(arrangement_id or 0)
        if arrangement is not None:
            _take_out(rows, room, outs, arrangement.went_out)
            yield arrangement, moves, room
        for move in moves:
            _follow(rows, room, move)


def _batches(rows: Rows) -> Iterator[tuple[int | None, list[TableChange]]]:
    """The moves in their order, those of one arrangement together."""
    batch: list[TableChange] = []
    for move in rows.moves:
        if batch and move.arrangement_id != batch[0].arrangement_id:
            yield batch[0].arrangement_id, batch
            batch = []
        batch.append(move)
    if batch:
        yield batch[0].arrangement_id, batch


def _take_out(rows: Rows, room: _Room, outs: list[Elimination], went_out: int) -> None:
    """Free the seats of those who had gone out by then."""
    while outs and outs[0].sequence <= went_out:
        room.places.pop(rows.entries[outs.pop(0).entry_id].number, None)


def _differences(
    rows: Rows,
    room: _Room,
    arrangement: Arrangement,
    moves: list[TableChange],
    had: Mapping[int, int],
) -> Findings:
    drawn = {number: entry.drawn or number for number, entry in rows.by_number.items()}
    plan = balance(
        room.tables(arrangement.buttons),
        sizes_of(rows.structure),
        Field(arrangement.waiting, drawn, had),
        resting=arrangement.resting,
        next_number=arrangement.tables_opened + 1,
    )
    held = {
        move.source
        for move in plan.moves
        if move.source is not None and move.source.table in arrangement.playing
    }
    due = [move for move in plan.moves if move.source not in held and move.target not in held]
    made = [_as_planned(rows, move) for move in moves]
    if due != made:
        names = ", ".join(str(move.entry) for move in made)
        yield Found("move_plan", f"entries {names} moved at {arrangement.at}, and others were due")


def _as_planned(rows: Rows, move: TableChange) -> PlannedMove:
    return PlannedMove(
        rows.entries[move.entry_id].number,
        _place_of(rows, move.from_table_id, move.from_seat),
        _place_of(rows, move.to_table_id, move.to_seat),
    )


def _place_of(rows: Rows, table_id: int | None, seat: int | None) -> Place | None:
    if table_id is None or seat is None:
        return None
    return Place(rows.tables[table_id].number, seat)


def _follow(rows: Rows, room: _Room, move: TableChange) -> None:
    number = rows.entries[move.entry_id].number
    target = _place_of(rows, move.to_table_id, move.to_seat)
    if target is None:
        room.places.pop(number, None)
    else:
        room.places[number] = target


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


def counted(rows: Rows) -> Findings:
    """Each player had as many byes as their rows say."""
    given = Counter(bye.entry_id for bye in rows.byes)
    for entry in rows.entries.values():
        if entry.byes != given[entry.pk]:
            yield Found("bye_count", f"entry {entry.number} had {given[entry.pk]} byes")


def first_byes(rows: Rows) -> Findings:
    """At the start those rest for whom the draw leaves no table."""
    if rows.event.kind == DUPLICATE and not rows.event.round:
        # Its first byes are given with the first round, a step after the seats.
        return
    due = _by_draw(rows)
    there = {rows.entries[bye.entry_id].number for bye in rows.byes if _is_first(rows, bye)}
    if due != there:
        yield Found("bye_first", f"{sorted(there)} rested at the start, not {sorted(due)}")


def _by_draw(rows: Rows) -> set[int]:
    made = next((draw for draw in rows.draws if draw.label == SEATS), None)
    if made is None or rows.event.started_at is None:
        return set()
    return set(first_seats(mixing.drawn(made), sizes_of(rows.structure)).byes)


def _is_first(rows: Rows, bye: Bye) -> bool:
    if rows.event.kind == DUPLICATE:
        return bye.round == 1
    return bye.step == 1 and bool(_by_draw(rows))


def in_step(rows: Rows) -> Findings:
    """Before each other hand in step those rest who have had the fewest byes, then the draw."""
    by_step: dict[int, list[Bye]] = defaultdict(list)
    for bye in rows.byes:
        if bye.step:
            by_step[bye.step].append(bye)
    if sorted(by_step) != list(range(1, len(by_step) + 1)):
        yield Found("bye_step", f"hands with byes are numbered {sorted(by_step)}")
    had = Counter[int]()
    for step, given in sorted(by_step.items()):
        there = {rows.entries[bye.entry_id].number for bye in given}
        if not _is_first(rows, given[0]):
            due = _due(rows, given, there, had)
            if set(due) != there:
                yield Found(
                    "bye_order", f"{sorted(there)} rested in step {step}, not {sorted(due)}"
                )
        had.update(there)


def _due(rows: Rows, given: Sequence[Bye], resting: set[int], had: Counter[int]) -> tuple[int, ...]:
    """Return who had to rest of those who sat or waited at that moment."""
    order = sorted(
        _field(rows, given[0].at, resting),
        key=lambda number: rows.by_number[number].drawn or number,
    )
    return byes(order, len(order) - sizes_of(rows.structure).seated(len(order)), had)


def _field(rows: Rows, at: datetime, resting: set[int]) -> set[int]:
    """Return the players left in the event: by the arrangement of the byes, or by the seats."""
    for arrangement, everybody in fields(rows):
        if arrangement.at == at and set(arrangement.resting) == resting:
            return everybody
    # Those who had rested before rest again, so that no player moved.
    sitting = {
        rows.by_player[seat.player_id].number
        for seat in rows.seats.values()
        if seat.sat_down_at <= at and (seat.left_at is None or seat.left_at > at)
    }
    return sitting | resting


CHECKS = (
    *(first, moved, sat, twice, tables, seated_now),
    *(counted, first_byes, in_step, planned),
)
