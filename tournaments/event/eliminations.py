"""What follows from the end of a hand for its event: its report, and the players who are out.

Hands are taken in the order in which they ended. Where tables play in step, all hands of a step
count as one, and nothing is done before the last of them has ended.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from games.models import Hand, HandSeat, Table
from games.rules.settlement import Settlement
from games.tables import buy_in
from games.tables.lock import store_table
from tournaments.event import floor, money, registration
from tournaments.event.organiser import stage_of, structure_of
from tournaments.mathematics.payouts import Out
from tournaments.mathematics.structure import Structure
from tournaments.models import Elimination, Entry, EventTable, HandEnded, Tournament

# The columns of an event that players who go out change.
FIELDS: Final = ("players_left", "went_out", "moves_due", "chips")


def waiting_rows(tournament: Tournament) -> list[HandEnded]:
    """The ended hands that wait to be handled, the earliest first."""
    rows = tournament.hands_ended.filter(acted_at=None).order_by("pk")
    return list(rows.select_related("hand"))


def act(tournament: Tournament, groups: Iterable[Sequence[HandEnded]], now: datetime) -> None:
    """Take out the players who are out after these hands; a group's hands count as one."""
    for group in groups:
        _act(tournament, group, now)
        HandEnded.objects.filter(pk__in=[row.pk for row in group]).update(acted_at=now)


def _act(tournament: Tournament, rows: Sequence[HandEnded], now: datetime) -> None:
    hands = [row.hand_id for row in rows if not row.void]
    if not hands:
        return
    dealt = HandSeat.objects.filter(hand__in=hands).select_related("seat__tournament_entry")
    hand_of, after = {}, {}
    before: list[Out] = []
    entries: dict[int, Entry] = {}
    for seat in dealt:
        entry = getattr(seat.seat, "tournament_entry", None)
        if entry is None or entry.state != Entry.State.PLAYING or entry.disqualify_due:
            continue
        entries[entry.number] = entry
        hand_of[entry.number] = seat.hand_id
        after[entry.number] = seat.starting_stack + seat.net
        before.append(Out(entry.number, seat.starting_stack, entry.drawn or entry.number))
    # The level may have risen since; what a player needed was decided when the last hand ended.
    level = max(row.level for row in rows)
    for out in reversed(_fallen(tournament, level, entries, after, before)):
        _out(tournament, entries[out.entry], hand_of.get(out.entry), out.stack, now)
    gone = [entry for entry in entries.values() if entry.state == Entry.State.OUT]
    _clear(tournament, gone, now)


def _fallen(
    tournament: Tournament,
    level: int,
    entries: dict[int, Entry],
    after: dict[int, int],
    before: list[Out],
) -> list[Out]:
    """Return the players who are out, the best place first."""
    stage = stage_of(tournament)
    if stage.has_line:
        _add_the_others(tournament, entries, after, before)
        return stage.out_after(level, after, before)
    # Chips that were bought during the hand keep their player in.
    chips = {out.entry: after[out.entry] + floor.balance_of(entries[out.entry]) for out in before}
    return stage.out_after(level, chips, before)


def _add_the_others(
    tournament: Tournament, entries: dict[int, Entry], after: dict[int, int], before: list[Out]
) -> None:
    """The line holds for those who had a bye, too, and where a hand was voided."""
    left = tournament.all_entries.filter(
        state__in=(Entry.State.PLAYING, Entry.State.WAITING), disqualify_due=False
    )
    for entry in left.exclude(number__in=entries).select_related("seat__stack", "account"):
        chips = entry.account.balance + (entry.seat.stack.balance if entry.seat else 0)
        entries[entry.number], after[entry.number] = entry, chips
        before.append(Out(entry.number, chips, entry.drawn or entry.number))


def _out(
    tournament: Tournament, entry: Entry, hand_id: int | None, stack: int, now: datetime
) -> None:
    """Write down that a player is out, the next in the order."""
    note(
        tournament,
        entry,
        Elimination.Why.LINE if stage_of(tournament).has_line else Elimination.Why.CHIPS,
        now,
        stack=stack,
        hand_id=hand_id,
    )
    entry.state = Entry.State.OUT
    if tournament.registration_closed_at is not None:
        entry.place = tournament.players_left
    tournament.players_left -= 1
    entry.save(update_fields=["state", "out_sequence", "out_at", "place"])


def note(
    tournament: Tournament,
    entry: Entry,
    why: Elimination.Why,
    now: datetime,
    *,
    stack: int,
    hand_id: int | None = None,
) -> None:
    """Insert the row of an elimination; the caller saves entry and event."""
    tournament.went_out += 1
    entry.out_sequence, entry.out_at = tournament.went_out, now
    Elimination.objects.create(
        tournament=tournament,
        sequence=tournament.went_out,
        entry=entry,
        life=entry.entries,
        why=why,
        hand_id=hand_id,
        stack=stack,
        at=now,
    )


def _clear(tournament: Tournament, gone: Sequence[Entry], now: datetime) -> None:
    """Free the seats of those who are out, and burn what is left of their chips."""
    if not gone:
        return
    tournament.moves_due = True
    at = {entry.pk: entry.seat.table_id for entry in gone if entry.seat is not None}
    tables = floor.held_tables(at.values())
    for entry in gone:
        if entry.seat is not None:
            floor.clear(tables[at[entry.pk]], entry, now)
            entry.save(update_fields=["seat"])
        money.burn_chips(tournament, entry, f"life {entry.entries}")
    for table in tables.values():
        store_table(table)


def disqualify_due(tournament: Tournament, now: datetime) -> None:
    """Take out who was disqualified, as soon as no hand of theirs runs."""
    due = tournament.all_entries.filter(disqualify_due=True).select_related("seat__stack")
    entries = list(due.order_by("number"))
    tables = floor.held_tables(entry.seat.table_id for entry in entries if entry.seat is not None)
    for entry in entries:
        table = tables[entry.seat.table_id] if entry.seat is not None else None
        if table is None or entry.seat is None or not buy_in.is_dealt_in(table, entry.seat):
            _disqualify(tournament, entry, table, now)


def _disqualify(tournament: Tournament, entry: Entry, table: Table | None, now: datetime) -> None:
    """The last place, no prize, and the chips are burnt."""
    chips = floor.balance_of(entry)
    if table is not None and entry.seat is not None:
        chips += entry.seat.stack.balance
        floor.clear(table, entry, now)
        if tournament.round and floor.is_idle(table):
            # No player is moved in a round, so nothing else releases the table.
            tournament.tables.filter(table=table.pk).update(held=False)
            table.due_at = now
        store_table(table)
    note(tournament, entry, Elimination.Why.DISQUALIFIED, now, stack=chips)
    entry.state, entry.disqualify_due = Entry.State.DISQUALIFIED, False
    tournament.players_left -= 1
    tournament.moves_due = True
    money.burn_chips(tournament, entry, f"life {entry.entries}")
    if tournament.registration_closed_at is not None:
        registration.move_up(tournament)
        entry.place = tournament.entrants
    entry.save(update_fields=["state", "seat", "out_sequence", "out_at", "place", "disqualify_due"])


def note_ended(event: EventTable, hand: Hand, settlement: Settlement | None) -> bool:
    """Insert the row; whether the event has to act on it."""
    tournament = event.tournament
    assert hand.ended_at is not None
    follows = _follows(event, hand, settlement)
    HandEnded.objects.create(
        tournament=tournament,
        table_id=event.table_id,
        hand=hand,
        level=tournament.level,
        round=tournament.round,
        void=settlement is None,
        at=hand.ended_at,
        acted_at=None if follows else hand.ended_at,
    )
    return follows


def _follows(event: EventTable, hand: Hand, settlement: Settlement | None) -> bool:
    """Whether anything depends on this end: after most hands no player is out and none moves."""
    tournament = event.tournament
    if tournament.state != Tournament.State.RUNNING:
        return False
    if tournament.moves_due or event.held or event.hands_allowed is not None:
        return True
    if settlement is None:
        return False
    structure = structure_of(tournament)
    least = stage_of(tournament).least_to_stay(tournament.level)
    fell = any(stake["purse"] + settlement.net[stake["seat"]] < least for stake in hand.stakes)
    return fell or _ends_level(event, structure)


def _ends_level(event: EventTable, structure: Structure) -> bool:
    """Whether the table has now finished as many hands as the level lasts."""
    hands = hands_of_level(event.tournament, structure)
    if hands is None:
        return False
    return hands_in_level(event.tournament, event.table_id) + 1 >= hands


def hands_of_level(tournament: Tournament, structure: Structure) -> int | None:
    """Return the length of the present level in hands; None if hands do not end it."""
    if tournament.on_break or not 1 <= tournament.level < len(structure.levels):
        return None
    return structure.levels[tournament.level - 1].hands


def hands_in_level(tournament: Tournament, table_id: int) -> int:
    """Return how many hands a table has finished in the present level."""
    ended = HandEnded.objects.filter(
        tournament=tournament, level=tournament.level, table=table_id, void=False
    )
    return ended.count()
