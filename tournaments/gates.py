"""Whether a table may begin its next hand: pauses, breaks, tables that wait for one another."""

from datetime import datetime, timedelta
from typing import Final

from games.models import Table
from tournaments.models import EventTable, Tournament
from tournaments.stakes import DUPLICATE

MOMENT: Final = timedelta(seconds=1)


def may_deal(event: EventTable, table: Table, now: datetime) -> datetime | None:
    """From when on; None where the event has to let it begin."""
    tournament = event.tournament
    if tournament.state != Tournament.State.RUNNING or tournament.paused_at is not None:
        return None
    if event.held or event.broken_at is not None:
        return None
    if event.hands_allowed is None and tournament.kind == DUPLICATE:
        return None
    if event.hands_allowed is not None and table.hands_dealt >= event.hands_allowed:
        return None
    if tournament.on_break:
        # The event's clock may be late: then the table asks again.
        return max(tournament.level_ends_at or now, now + MOMENT)
    return now
