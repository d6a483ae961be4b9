"""The row of an event: read, locked, and written back; and its structure as the rules read it.

The row is the organiser's lock. Every writer of an event's players or money takes it first, then
tables by ascending number, then accounts (`docs/tournaments.md`).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n
from msgspec import convert, to_builtins

from games.live import sources
from games.models import Table
from games.models.prepared import Query, Update
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.stage import Stage, stage_at
from tournaments.mathematics.structure import Structure
from tournaments.models import EventTable, Tournament
from wallets.storage.signing import canonical
from wallets.values.errors import Hidden

KIND: Final = "tournament"
# The last part of the addresses of streams: `/live/tournaments/12/`.
STREAM: Final = "tournaments"


def structure_of(tournament: Tournament) -> Structure:
    """The structure of an event; read once for a row."""
    cached = tournament.__dict__.get("_structure")
    if cached is None:
        cached = tournament.__dict__["_structure"] = convert(tournament.structure, Structure)
    structure: Structure = cached
    return structure


def stored(structure: Structure) -> dict[str, object]:
    """A structure as rows keep it."""
    data: dict[str, object] = to_builtins(structure)
    return data


def structure_digest(tournament: Tournament) -> str:
    """The hash of the structure, which the public chain has from the announcement on."""
    return sha256(canonical(tournament.structure)).hexdigest()


_LOCKED: Final = Query(
    lambda number: (
        Tournament.objects.select_for_update(of=("self",))
        .select_related("currency")
        .filter(pk=number)
    )
)


def locked(tournament_id: int) -> Tournament:
    """The event's row, locked until this transaction ends."""
    tournament = _LOCKED.first(tournament_id)
    if tournament is None:
        raise no_such_tournament()
    return tournament


def no_such_tournament() -> Hidden:
    return Hidden("no_such_tournament", _n("There is no such tournament."))


def tournament_id_of(organiser: str) -> int:
    """The number in a table's reference to its organiser."""
    return int(organiser.partition(":")[2])


def save(tournament: Tournament, fields: Iterable[str]) -> None:
    """Write columns of a locked row; watchers see a new version after the commit."""
    tournament.version += 1
    _update_of(frozenset(fields))(tournament)
    number, version = tournament.pk, tournament.version
    transaction.on_commit(lambda: sources.announce(STREAM, number, version), robust=True)


@cache
def _update_of(fields: frozenset[str]) -> Update:
    """Return the statement that writes these columns; each step of an event has its own few."""
    return Update(Tournament, sorted(fields | {"version"}))


def wake(tournament: Tournament, at: datetime) -> None:
    """Have the sweep look at the event then, or earlier; the caller saves `due_at`."""
    if tournament.due_at is None or at < tournament.due_at:
        tournament.due_at = at


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
