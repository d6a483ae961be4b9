"""The later rounds of a duplicate: who met whom and who rested, from draws and match points.

The first seats follow from the draw of the start, as in all events.
"""

from collections import Counter, defaultdict
from datetime import datetime

from tournaments.audit.points import by_round
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event import mixing
from tournaments.mathematics.match_points import Duplicate, Score, ranking
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.rounds import drawn_round, ranked_round
from tournaments.mathematics.seating import Seating
from tournaments.models import TableChange


def seated(rows: Rows) -> Findings:
    """The seats and byes of each later round are those that the draw or the ranking gives."""
    played = rows.structure.duplicate
    if played is None:
        return
    began = {deal.round: deal.began_at for deal in rows.deals if deal.number == 1}
    taken = _taken(rows)
    scores = dict(by_round(rows))
    for number in sorted(began):
        time = began[number]
        if number == 1 or time is None:
            continue
        seating = _due(rows, played, number, scores[number - 1], time)
        there = taken.pop(time, [])
        if there != [list(table) for table in seating.tables]:
            yield Found("round_seats", f"round {number} has other seats than it should have")
        byes = {rows.entries[bye.entry_id].number for bye in rows.byes if bye.round == number}
        if byes != set(seating.byes):
            yield Found("round_byes", f"round {number} has byes of {sorted(byes)}")
    for time in taken:
        yield Found("round_number", f"players changed seats at {time}, and no round began then")


def _taken(rows: Rows) -> dict[datetime, list[list[int]]]:
    """Return who was seated at each table, seat by seat, whenever players changed seats."""
    seatings: dict[datetime, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for move in rows.moves:
        if move.why != TableChange.Why.ROUND or move.to_table_id is None or move.to_seat is None:
            continue
        table = rows.tables[move.to_table_id].number
        seatings[move.at][table][move.to_seat] = rows.entries[move.entry_id].number
    return {
        time: [[seats[seat] for seat in sorted(seats)] for _number, seats in sorted(tables.items())]
        for time, tables in seatings.items()
    }


def _due(
    rows: Rows, played: Duplicate, number: int, scores: dict[int, Score], time: datetime
) -> Seating:
    """Return the seats and byes of a round, of those who were left when it began."""
    gone = {rows.entries[out.entry_id].number for out in rows.eliminations if out.at <= time}
    rested = Counter(
        rows.entries[bye.entry_id].number for bye in rows.byes if 0 < bye.round < number
    )
    had = {entry: rested[entry] for entry in scores if entry not in gone}
    size = sizes_of(rows.structure).most
    if played.manner == "fixed":
        made = next(draw for draw in rows.draws if draw.label == f"round-{number}")
        return drawn_round(mixing.drawn(made), size, had)
    drawn = {entry: rows.by_number[entry].drawn or entry for entry in had}
    line = ranking({entry: scores[entry] for entry in had}, drawn)
    return ranked_round([entry for group in line for entry in group], size, had)


CHECKS = (seated,)
