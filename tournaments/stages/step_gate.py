"""Tables that play in step: near the money, in a knock-out, and where a player has a bye.

Each table may deal one hand; when all have finished it, what they did counts as one hand, and all
may deal the next. `EventTable.hands_allowed` says how many hands a table may have dealt. Where all
tables have to be full and some players are left over, each hand is another's turn to rest.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db.models import Count, F, Max, OuterRef, Q, Subquery

from games.models import Table
from tournaments.event import clock, eliminations, floor, moving, registration
from tournaments.event.organiser import least_players, stage_of, structure_of
from tournaments.mathematics.preview import sizes_of
from tournaments.models import Entry, HandEnded, Tournament

FIELDS: Final = ("hand_for_hand",)


def in_step(tournament: Tournament) -> bool:
    """Whether the tables wait for one another after each hand."""
    return tournament.hand_for_hand


def complete(tournament: Tournament) -> list[Sequence[HandEnded]]:
    """The ended hands that can be acted on now, in groups that count as one hand each."""
    rows = eliminations.waiting_rows(tournament)
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


def start(tournament: Tournament) -> None:
    """Let the tables play the first hand of the event in step, if they have to."""
    if _is_wanted(tournament):
        tournament.hand_for_hand = True
        _allow(tournament, 1)


def turn(tournament: Tournament, now: datetime) -> None:
    """Begin or end playing in step; seat people, and let the tables deal the next hand of a step.

    Where tables play in step, no player is moved before all of them have finished.
    """
    if not _is_wanted(tournament):
        was_in_step, tournament.hand_for_hand = tournament.hand_for_hand, False
        if was_in_step:
            tournament.tables.filter(broken_at=None).update(hands_allowed=None)
        if tournament.moves_due:
            moving.arrange(tournament, now)
        if was_in_step:
            clock.release(tournament, now)
        return
    if not tournament.hand_for_hand:
        tournament.hand_for_hand = True
        _allow(tournament, 0)
    if is_over(tournament) and _all_stopped(tournament):
        _next_hand(tournament, now)


def _next_hand(tournament: Tournament, now: datetime) -> None:
    """Seat those who play the next hand of a step, and let all tables deal it."""
    resting: list[Entry] = []
    if tournament.moves_due or _spare(tournament):
        resting = moving.arrange(tournament, now, in_step=True)
    if tournament.moves_due:
        return
    if resting:
        given = tournament.byes.aggregate(last=Max("step"))["last"] or 0
        floor.give_byes(tournament, resting, now, step=given + 1)
    _allow(tournament, 1)
    clock.release(tournament, now)


def _spare(tournament: Tournament) -> int:
    """Return how many players are left over if all tables have to be full."""
    players = tournament.players_left
    return players - sizes_of(structure_of(tournament)).seated(players)


def _all_stopped(tournament: Tournament) -> bool:
    """Whether no ended hand waits to be acted on."""
    return not tournament.hands_ended.filter(acted_at=None).exists()


def _is_wanted(tournament: Tournament) -> bool:
    structure = structure_of(tournament)
    decided = stage_of(tournament).in_step(_spare(tournament), tournament.players_left)
    if decided is not None:
        return decided
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
