"""The models of tournaments: templates, events, entries, and the rows of what happened in them.

Draws, moves, eliminations and payouts are append-only: triggers in the database refuse every other
change (`tournaments/sql`). `docs/tournaments.md` says why.
"""

from tournaments.models.entries import Entry, Payout
from tournaments.models.event_history import (
    Arrangement,
    Bye,
    Draw,
    Elimination,
    HandEnded,
    TableChange,
)
from tournaments.models.events import (
    Deal,
    EventShoe,
    EventTable,
    Tournament,
    tournament_reference,
)
from tournaments.models.series import Series, SeriesEvent, SeriesStanding, Ticket
from tournaments.models.templates import Rehearsal, Schedule, Template

__all__ = [
    "Arrangement",
    "Bye",
    "Deal",
    "Draw",
    "Elimination",
    "Entry",
    "EventShoe",
    "EventTable",
    "HandEnded",
    "Payout",
    "Rehearsal",
    "Schedule",
    "Series",
    "SeriesEvent",
    "SeriesStanding",
    "TableChange",
    "Template",
    "Ticket",
    "Tournament",
    "tournament_reference",
]
