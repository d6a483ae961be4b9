"""Estimate a player's place after the next hand: the line, and a win or a loss.

It assumes that no other player's chips change, and the page says so.
"""

from typing import Final, NamedTuple

from games.rules.catalogue import game_type
from tournaments.event.organiser import structure_of
from tournaments.event.stakes import stage_of
from tournaments.mathematics.rounds import carried, line_of
from tournaments.mathematics.stage import DUPLICATE, ROUNDS_STAGE
from tournaments.models import Entry, Tournament
from tournaments.overview.progress_view import score_of
from tournaments.overview.ranking import places_with

# So many points a hand often moves; with a landlord a call of 3 that is doubled once.
USUAL_POINTS: Final = 10
LANDLORD_POINTS: Final = 6


class Turn(NamedTuple):
    """A player's place after a possible hand."""

    chips: int
    # None: out.
    place: int | None


class Outlook(NamedTuple):
    """The line and the possible places of a player."""

    # The present place.
    place: int
    # How far the player is above the line, now and at the next level; None without a line.
    above: int | None
    above_next: int | None
    # The score that the player would carry into the rounds, or has there.
    carries: int | None
    score: int | None
    # The place after so many points won or lost; nothing where chips alone do not rank.
    points: int
    won: Turn | None
    lost: Turn | None


def outlook(tournament: Tournament, entry: Entry | None, chips: int) -> Outlook | None:
    """Return the outlook of a player who is still in; None for other readers."""
    if entry is None or tournament.state != Tournament.State.RUNNING or not entry.seat_id:
        return None
    if tournament.kind == DUPLICATE:
        return None
    structure = structure_of(tournament)
    rounds, knock_out = structure.rounds, structure.knock_out
    in_knock_out = knock_out is not None and tournament.stage != ROUNDS_STAGE
    above = above_next = None
    if knock_out is not None and in_knock_out:
        level, later = _points(tournament)
        above = chips - line_of(knock_out, level)
        above_next = chips - line_of(knock_out, later) if later else None
    point = _point_now(tournament)
    usual = LANDLORD_POINTS if game_type(tournament.game).has_landlord else USUAL_POINTS
    points = usual if point else 0
    amounts = (chips + points * point, max(0, chips - points * point)) if points else ()
    place, *places = places_with(tournament, entry, chips, *amounts)
    least = max(1, stage_of(tournament).least_to_stay(tournament.level))
    after = zip(amounts, places, strict=True)
    turns = [Turn(amount, at if amount >= least else None) for amount, at in after]
    won, lost = turns or (None, None)
    return Outlook(
        place=place,
        above=above,
        above_next=above_next,
        carries=carried(rounds.carry, chips) if rounds and in_knock_out else None,
        score=score_of(tournament, chips),
        points=points,
        won=won,
        lost=lost,
    )


def _points(tournament: Tournament) -> tuple[int, int | None]:
    """Return the value of a point at the present level and at the next one."""
    levels = structure_of(tournament).levels
    at = max(1, tournament.level)
    later = levels[at].point if at < len(levels) else None
    return levels[at - 1].point or 0, later


def _point_now(tournament: Tournament) -> int:
    rounds = structure_of(tournament).rounds
    if rounds is not None and tournament.stage == ROUNDS_STAGE:
        return rounds.point
    return _points(tournament)[0]
