"""Rounds seated anew, who met whom and who rested; match points, derived again from the deals.

The first seats of a duplicate follow from the draw of the start, as in all events.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from games.models import Seat
from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event import mixing
from tournaments.mathematics.match_points import Duplicate, Score, deal_points, ranking
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.rounds import Rounds, carried, drawn_round, ranked_round, swiss_line
from tournaments.mathematics.seating import Seating
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Deal, Entry, TableChange

Results = dict[int, dict[int, int]]


class _Own(NamedTuple):
    """One player's result of a deal."""

    entry: int
    points: int
    chips: int


def deal_scores(rows: Rows) -> dict[int, Score]:
    """Return each player's score after all compared deals, by the number of the entry."""
    return list(by_round(rows))[-1][1]


def by_round(rows: Rows) -> Iterator[tuple[int, dict[int, Score]]]:
    """Each round with the scores after its deals, by the number of the entry."""
    totals = {entry.number: Score(0, 0) for entry in rows.took_part}
    results = _results(rows)
    for number, deals in groupby(rows.deals, key=attrgetter("round")):
        for deal in deals:
            if deal.compared_at is None:
                continue
            for own in _compared(rows, deal, results[deal.code]):
                before = totals[own.entry]
                totals[own.entry] = Score(before.points + own.points, before.chips + own.chips)
        yield number, dict(totals)


def points(rows: Rows) -> Findings:
    """Match points and chips are those of the deals.

    Those of disqualified players decide nothing, and may have ended in the middle of a deal.
    """
    if rows.event.kind != DUPLICATE:
        for entry in rows.entries.values():
            if entry.points or entry.chips_won:
                yield Found("match_points", f"entry {entry.number} has match points")
        return
    for number, due in deal_scores(rows).items():
        entry = rows.by_number[number]
        if entry.state == Entry.State.DISQUALIFIED:
            continue
        if entry.points != due.points:
            yield Found(
                "match_points",
                f"entry {number} has {entry.points} match points, and the deals give {due.points}",
            )
        if entry.chips_won != due.chips:
            yield Found(
                "match_chips",
                f"entry {number} has won {entry.chips_won} chips, and the deals give {due.chips}",
            )


def _results(rows: Rows) -> dict[str, Results]:
    """The chips that seats won, by deal and table; only of hands that were paid."""
    results: dict[str, Results] = defaultdict(dict)
    for number, seats in rows.dealt.items():
        hand = rows.hands[number]
        results[rows.deal_of[hand.shoe_id]][hand.table_id] = {
            seat.number: seat.net or 0 for seat in seats
        }
    return results


def _compared(rows: Rows, deal: Deal, results: Results) -> Iterator[_Own]:
    """Yield the results of a deal for all players left when it was compared."""
    assert deal.began_at is not None
    assert deal.compared_at is not None
    tables = [
        row.table_id
        for row in rows.tables.values()
        if row.opened_at <= deal.began_at
        and (row.broken_at is None or row.broken_at >= deal.compared_at)
    ]
    places = range(1, sizes_of(rows.structure).most + 1)
    given = deal_points({table: results.get(table) for table in tables}, places)
    held = _seats(rows, deal)
    for entry in _left(rows, deal):
        seat = held.get(entry.player_id)
        if seat is None:
            yield _Own(entry.number, len(tables) - 1, 0)
            continue
        won = results.get(seat.table_id, {}).get(seat.number, 0)
        yield _Own(entry.number, given[seat.table_id, seat.number], won)


def _left(rows: Rows, deal: Deal) -> list[Entry]:
    assert deal.compared_at is not None
    gone = {out.entry_id for out in rows.eliminations if out.at <= deal.compared_at}
    return [entry for entry in rows.took_part if entry.pk not in gone]


def _seats(rows: Rows, deal: Deal) -> dict[int, Seat]:
    """Return the seats of all players while the deal was played."""
    assert deal.began_at is not None
    assert deal.compared_at is not None
    return {
        seat.player_id: seat
        for seat in rows.seats.values()
        if seat.sat_down_at <= deal.began_at
        and (seat.left_at is None or seat.left_at >= deal.compared_at)
    }


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


CHECKS = (seated, scores, duplicate_seated, points)
