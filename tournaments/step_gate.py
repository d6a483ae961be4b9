"""Tables that play in step: hand for hand near the money, and in a knock-out.

Each table may deal one hand; when all have finished it, what they did counts as one hand, and all
may deal the next. `EventTable.hands_allowed` says how many hands a table may have dealt.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models import Count, F, OuterRef, Q, Subquery

from games.models import Table
from tournaments import clock, moving, outs, registration
from tournaments.models import Entry, HandEnded, Tournament
from tournaments.organiser import structure_of
from tournaments.preview import sizes_of
from tournaments.seating import byes
from tournaments.stakes import ROUNDS_STAGE, least_players

FIELDS: Final = ("hand_for_hand",)


def in_step(tournament: Tournament) -> bool:
    """Whether the tables wait for one another after each hand."""
    return tournament.hand_for_hand


def complete(tournament: Tournament) -> list[Sequence[HandEnded]]:
    """The ended hands that can be acted on now, in groups that count as one hand each."""
    rows = outs.waiting_rows(tournament)
    if not in_step(tournament):
        return [[row] for row in rows]
    return [rows] if rows and is_over(tournament) else []


def is_over(tournament: Tournament) -> bool:
    """Whether all tables have finished the hand of this step."""
    open_tables = tournament.tables.filter(broken_at=None)
    if open_tables.filter(table__hand__isnull=False).exists():
        return False
    behind = open_tables.filter(table__hands_dealt__lt=F("hands_allowed")).annotate(
        players=Count("table__seats", filter=Q(table__seats__left_at=None))
    )
    return not behind.filter(players__gte=least_players(structure_of(tournament))).exists()


def turn(tournament: Tournament, now: datetime) -> None:
    """Begin or end hand for hand, and let the tables deal the next hand of a step."""
    wanted = _is_wanted(tournament)
    if wanted and not tournament.hand_for_hand:
        tournament.hand_for_hand = True
        _allow(tournament, 0)
    elif not wanted and tournament.hand_for_hand:
        tournament.hand_for_hand = False
        tournament.tables.filter(broken_at=None).update(hands_allowed=None)
        clock.release(tournament, now)
        return
    if wanted and not tournament.moves_due and is_over(tournament) and _all_stopped(tournament):
        _rest(tournament, now)
        _allow(tournament, 1)
        clock.release(tournament, now)


def _rest(tournament: Tournament, now: datetime) -> None:
    """In a knock-out a bye lasts for one hand: others rest in the next one."""
    if structure_of(tournament).knock_out is None:
        return
    left = tournament.all_entries.filter(state__in=(Entry.State.PLAYING, Entry.State.WAITING))
    entries = {entry.number: entry for entry in left.order_by("drawn")}
    spare = len(entries) - sizes_of(structure_of(tournament)).seated(len(entries))
    resting = byes(list(entries), spare, {one: entry.byes for one, entry in entries.items()})
    for number in resting:
        entries[number].byes += 1
        entries[number].save(update_fields=["byes"])
    if spare:
        moving.arrange(tournament, now, resting)


def _all_stopped(tournament: Tournament) -> bool:
    """Whether no ended hand waits to be acted on."""
    return not tournament.hands_ended.filter(acted_at=None).exists()


def _is_wanted(tournament: Tournament) -> bool:
    structure = structure_of(tournament)
    if structure.knock_out is not None:
        return tournament.stage != ROUNDS_STAGE
    if not structure.hand_for_hand or tournament.registration_closed_at is None:
        return False
    if tournament.final_table:
        return False
    paid = registration.places_paid(tournament)
    return paid < tournament.players_left <= paid + structure.hand_for_hand


def _allow(tournament: Tournament, more: int) -> None:
    """Let each table deal so many hands more than it has dealt."""
    dealt = Table.objects.filter(pk=OuterRef("table")).values("hands_dealt")[:1]
    open_tables = tournament.tables.filter(broken_at=None)
    open_tables.update(hands_allowed=Subquery(dealt) + more)
