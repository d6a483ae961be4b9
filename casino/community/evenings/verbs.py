"""Opening an evening, and going on with another one on the same terms."""

from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.community.evenings import scores
from casino.community.evenings.models import KIND, Evening
from casino.community.evenings.points import points
from casino.community.evenings.terms import Terms, settings_of
from games.lobby import private_tables
from games.lobby.overflow_tables import COPIED_FIELDS
from games.models import Table
from games.rules.catalogue import game_type
from games.tables.clock import release
from games.tables.lock import lock_table, store_table
from wallets.of_record.verbs import verb
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Player


@verb("player:evening.open")
def open_evening(player: Player, terms: Terms, now: datetime) -> Evening:
    with transaction.atomic():
        return _opened(player, settings_of(terms), terms.hands, terms.stake, now)


@verb("player:evening.begin")
def begin_now(player: Player, table_id: int, now: datetime) -> None:
    """Let an evening begin without those who have not come; later they sit down as at any table."""
    with transaction.atomic():
        rows = Evening.objects.select_for_update(of=("self",)).select_related("table")
        evening = rows.filter(table=table_id, table__opened_by=player.pk).first()
        if evening is None:
            raise Hidden("no_such_table", _n("There is no such table."))
        if scores.is_over(evening):
            raise Refused("evening_over", _n("This evening is over."))
        seated, least = seated_at(evening.table), game_type(evening.table.game).seats[0]
        if seated < least:
            raise Refused(
                "too_few_players", _n("This game needs {least} players at the table."), least=least
            )
        if evening.begun_at is None:
            evening.begun_at = now
            evening.save(update_fields=["begun_at"])
    release([table_id], now)


def seated_at(table: Table) -> int:
    return table.seats.filter(left_at=None).count()


@verb("player:evening.rematch")
def rematch(player: Player, table_id: int, now: datetime) -> Evening:
    """Open another evening like one that is over; later requests lead to the first one."""
    with transaction.atomic():
        # The rematch is read after the lock: a request before this one may just have opened it.
        rows = Evening.objects.select_for_update(of=("self",)).select_related("table")
        evening = rows.filter(table=table_id).first()
        if evening is None or not takes_part(player, evening):
            raise Hidden("no_such_table", _n("There is no such table."))
        if evening.rematch is not None:
            return evening.rematch
        if not scores.is_over(evening):
            raise Refused("evening_goes_on", _n("This evening is not over yet."))
        settings = {name: getattr(evening.table, name) for name in COPIED_FIELDS}
        evening.rematch = _opened(player, settings, evening.hands, evening.stake, now)
        evening.save(update_fields=["rematch"])
        # Viewers of the old table learn of it.
        store_table(lock_table(table_id))
        return evening.rematch


def takes_part(player: Player, evening: Evening) -> bool:
    """Whether the player has played there, or has opened it."""
    return evening.table.opened_by_id == player.pk or scores.has_played(evening.table_id, player.pk)


def _opened(
    player: Player, settings: dict[str, object], hands: int, stake: int, now: datetime
) -> Evening:
    private_tables.require_may_open(player, now)
    code = uuid4()
    given = settings | {"currency": points(), "organiser": f"{KIND}:{code}"}
    table = private_tables.stored(player, given, now)
    return Evening.objects.create(code=code, table=table, hands=hands, stake=stake)
