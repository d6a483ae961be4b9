"""Rounds seated anew: who met whom and who rested, behind a knock-out and in a duplicate.

The first seats of a duplicate follow from the draw of the start, as in all events.
"""

from collections import Counter, defaultdict
from datetime import datetime

from tournaments.audit.points import by_round
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event import mixing
from tournaments.mathematics.match_points import Duplicate, Score, ranking
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.rounds import Rounds, carried, drawn_round, ranked_round, swiss_line
from tournaments.mathematics.seating import Seating
from tournaments.models import TableChange


def seated(rows: Rows) -> Findings:
    """The seats and byes of each round are those that the draw or the ranking gives."""
    played = rows.structure.rounds
    if played is None or not rows.event.round:
        return
    at: dict[datetime, list[TableChange]] = defaultdict(list)
    for move in rows.moves:
        if move.why == TableChange.Why.ROUND and move.to_table_id is not None:
            at[move.at].append(move)
    if len(at) != rows.event.round:
        yield Found("round_number", f"{rows.event.round} rounds were played, not {len(at)}")
    book = _Book(rows, played)
    for number, (time, moves) in enumerate(at.items(), 1):
        book.without_the_gone(time)
        seating = book.seating(number)
        due = [
            (entry, seat) for table in seating.tables for seat, entry in enumerate(table, start=1)
        ]
        there = [(rows.entries[move.entry_id].number, move.to_seat) for move in moves]
        if due != there:
            yield Found("round_seats", f"round {number} has other seats than it should have")
        byes = {rows.entries[bye.entry_id].number for bye in rows.byes if bye.round == number}
        if byes != set(seating.byes):
            yield Found("round_byes", f"round {number} has byes of {sorted(byes)}")
        book.play(number)


def scores(rows: Rows) -> Findings:
    """All players began the rounds with the chips of the formula."""
    played = rows.structure.rounds
    if played is None or not rows.event.round:
        return
    for number, entry in rows.by_number.items():
        burnt = rows.postings.get(rows.key(f"{entry.player_id} burnt for the rounds"))
        issued = rows.postings.get(rows.key(f"{entry.player_id} chips for the rounds"))
        if issued is None and burnt is None:
            continue
        before = -burnt.legs.get(entry.account_id, 0) if burnt else 0
        after = issued.legs.get(entry.account_id, 0) if issued else 0
        due = carried(played.carry, before) + played.chips
        if after != due:
            yield Found("round_score", f"entry {number} began the rounds with {after}, not {due}")


class _Book:
    """Scores and byes from round to round."""

    def __init__(self, rows: Rows, played: Rounds) -> None:
        self.rows, self.played = rows, played
        self.scores: dict[int, int] = {}
        for number, entry in rows.by_number.items():
            issued = rows.postings.get(rows.key(f"{entry.player_id} chips for the rounds"))
            if issued is not None:
                self.scores[number] = issued.legs.get(entry.account_id, 0) - played.chips
        # Those of the knock-out count, too.
        before = Counter(bye.entry_id for bye in rows.byes if not bye.round)
        self.had = {number: before[rows.by_number[number].pk] for number in self.scores}
        self.won: list[dict[int, int]] = []

    def seating(self, number: int) -> Seating:
        size = sizes_of(self.rows.structure).most
        if self.played.manner == "fixed" or number == 1:
            made = next(draw for draw in self.rows.draws if draw.label == f"round-{number}")
            return drawn_round(mixing.drawn(made), size, self.had)
        drawn = {score: self.rows.by_number[score].drawn or score for score in self.scores}
        won = [table for table in self.won if table]
        return ranked_round(swiss_line(won, self.scores, drawn), size, self.had)

    def without_the_gone(self, time: datetime) -> None:
        """Leave out players who were eliminated before a round was seated."""
        for out in self.rows.eliminations:
            if out.at <= time:
                gone = self.rows.entries[out.entry_id].number
                self.scores.pop(gone, None)
                for table in self.won:
                    table.pop(gone, None)

    def play(self, number: int) -> None:
        """Take in the results of a round, and its byes."""
        won: dict[int, dict[int, int]] = defaultdict(dict)
        for row in self.rows.ended:
            if row.round != number or row.void:
                continue
            for seat in self.rows.dealt[row.hand_id]:
                entry = self.rows.by_player[seat.player_id].number
                table = won[row.table_id]
                table[entry] = table.get(entry, 0) + seat.net
                self.scores[entry] += seat.net
        self.won = list(won.values())
        for bye in self.rows.byes:
            if bye.round == number:
                self.had[self.rows.entries[bye.entry_id].number] += 1


def duplicate_seated(rows: Rows) -> Findings:
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
        seating = _duplicate_due(rows, played, number, scores[number - 1], time)
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


def _duplicate_due(
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


CHECKS = (seated, scores, duplicate_seated)
