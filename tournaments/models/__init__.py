"""The models of tournaments: templates, events, entries, and the rows of what happened in them.

What was drawn, who moved, who went out and who was paid is append-only: triggers in the database
refuse every other change (`tournaments/sql`). `docs/tournaments.md` says why.
"""

from tournaments.models.entries import Entry, Payout
from tournaments.models.events import (
    Deal,
    EventShoe,
    EventTable,
    Tournament,
    tournament_reference,
)
from tournaments.models.happenings import Arrangement, Bye, Draw, Elimination, HandEnded, Move
from tournaments.models.templates import Schedule, Template

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
    "Move",
    "Payout",
    "Schedule",
    "Template",
    "Tournament",
    "tournament_reference",
]
