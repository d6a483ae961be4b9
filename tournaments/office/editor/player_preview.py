"""An event as players will see it, before it exists: its page without a row in the database."""

from datetime import datetime, timedelta

from tournaments.event.organiser import stored
from tournaments.mathematics.preview import likely_length
from tournaments.mathematics.structure import Structure
from tournaments.models import Tournament
from tournaments.overview.event_view import Turned, event_view
from wallets.models import Currency
from wallets.values.player import Viewer

# No event has this number, so nothing is found that belongs to it.
NUMBER = 0
STARTS_IN = timedelta(days=1)


def as_players_see_it(
    viewer: Viewer, structure: Structure, currency: Currency, now: datetime
) -> dict[str, object]:
    """The page of the event after its announcement, a day before its start."""
    waits_to_fill = structure.kind == "sit_and_go"
    tournament = Tournament(
        pk=NUMBER,
        name=structure.name,
        structure=stored(structure),
        kind=structure.kind,
        game=structure.game,
        currency=currency,
        guarantee=structure.guarantee,
        announced_at=now,
        starts_at=None if waits_to_fill else now + STARTS_IN,
        likely_seconds=likely_length(structure, structure.field_max)[0],
    )
    return {
        "tournament": tournament,
        "event": event_view(viewer, tournament, Turned(levels=True), now),
        "currency": currency,
        "now": now,
    }
