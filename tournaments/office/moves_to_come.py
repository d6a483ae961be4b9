"""The moves that are due and not made yet, because hands are still played."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.words.naming import player_title
from tournaments import floor, moving
from tournaments.models import Tournament
from tournaments.seating import Place

RUNNING = Tournament.State.RUNNING


class Coming(NamedTuple):
    """A player who moves as soon as the hands allow it."""

    name: str
    face: int
    source: str
    target: str


def moves_to_come(tournament: Tournament) -> list[Coming]:
    """Return the moves planned for the present field; each ended hand may change them."""
    # In rounds nobody moves before the round is over.
    if not tournament.moves_due or tournament.round or tournament.state != RUNNING:
        return []
    stands = floor.standing(tournament)
    plan = moving.plan_of(tournament, stands)
    moved = tournament.all_entries.filter(number__in=[move.entry for move in plan.moves])
    entries = {entry.number: entry for entry in moved.select_related("player")}
    return [
        Coming(
            player_title(entry.player.username, entry.player.is_bot),
            entry.player.face,
            _where(move.source),
            _where(move.target),
        )
        for move in plan.moves
        for entry in [entries[move.entry]]
    ]


def _where(place: Place | None) -> str:
    if place is None:
        return _("waits")
    return _("table {table}, seat {seat}").format(table=place.table, seat=place.seat)
