"""Check who was chosen to move: make each plan of seats again from its recorded inputs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tournaments.audit.rows import Findings, Found, Rows
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.seating import Field, Place, PlannedMove, TableSeats, balance
from tournaments.models import Arrangement, Elimination, TableChange


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
        _place(rows, move.from_table_id, move.from_seat),
        _place(rows, move.to_table_id, move.to_seat),
    )


def _place(rows: Rows, table_id: int | None, seat: int | None) -> Place | None:
    if table_id is None or seat is None:
        return None
    return Place(rows.tables[table_id].number, seat)


def _follow(rows: Rows, room: _Room, move: TableChange) -> None:
    number = rows.entries[move.entry_id].number
    target = _place(rows, move.to_table_id, move.to_seat)
    if target is None:
        room.places.pop(number, None)
    else:
        room.places[number] = target


CHECKS = (planned,)
