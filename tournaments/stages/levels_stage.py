"""A stage of levels: tables are balanced or play in step, until few enough are left."""

from datetime import datetime

from tournaments.event.organiser import stage_of
from tournaments.models import Tournament
from tournaments.stages import rounds_stage, step_gate


def is_over(tournament: Tournament) -> bool:
    return stage_of(tournament).ends_with(tournament.players_left)


def turn(tournament: Tournament, now: datetime) -> bool:
    """Move players and let tables deal; the rounds of a knock-out begin where they are due."""
    if rounds_stage.is_due(tournament):
        rounds_stage.begin(tournament, now)
        return rounds_stage.turn(tournament, now)
    step_gate.turn(tournament, now)
    return False
