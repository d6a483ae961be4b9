"""The stakes of an event at its level, and the number of players at a table."""

from datetime import datetime, timedelta
from typing import Any, Final

from msgspec import to_builtins

from games.models import Table
from tournaments.event.organiser import structure_of
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.stage import Stage, stage_at
from tournaments.mathematics.structure import Structure
from tournaments.models import EventTable, Tournament


def stage_of(tournament: Tournament) -> Stage:
    return stage_at(structure_of(tournament), tournament.stage)


def options_at(tournament: Tournament) -> dict[str, Any]:
    """The options of the next hand, as a table's row keeps them."""
    options: dict[str, object] = to_builtins(stage_of(tournament).game(tournament.level))
    return options


def least_players(structure: Structure) -> int:
    """With fewer players than these nothing can be played any more."""
    return max(2, sizes_of(structure).least)


MOMENT: Final = timedelta(seconds=1)


def may_deal(event: EventTable, table: Table, now: datetime) -> datetime | None:
    """From when on; None where the event has to let it begin."""
    tournament = event.tournament
    if tournament.state != Tournament.State.RUNNING or tournament.paused_at is not None:
        return None
    if event.held or event.broken_at is not None:
        return None
    if event.hands_allowed is None and stage_of(tournament).compares_deals:
        return None
    if event.hands_allowed is not None and table.hands_dealt >= event.hands_allowed:
        return None
    if tournament.on_break:
        # The event's clock may be late: then the table asks again.
        return max(tournament.level_ends_at or now, now + MOMENT)
    return now
