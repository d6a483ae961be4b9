"""A message to all players at a table, at the tables of a game, or in the house; and a table's
clock again.

Players and spectators see the message above the felt until staff send another or an empty one.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from casino.office.floor import house_state
from casino.office.floor.closing import HOUSE, RUN, require
from games.models import Table
from games.models.tables import NOTICE_MAX
from games.rules.catalogue import GAMES
from games.tables import clock
from games.tables.lock import lock_table, lock_tables, store_table
from games.words.plain import one_line
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.errors import Refused
from wallets.values.player import Viewer

MESSAGE: Final = "backoffice.message_players"
SENT: Final = journal.register("players.message", _("Sent a message to tables"), permission=MESSAGE)
RETRIED: Final = journal.register(
    "table.retry", _("Had the clock try a table again"), permission=RUN
)


def tell_table(member: Viewer, table_id: int, message: str, reason: str, _now: datetime) -> int:
    tables = Table.objects.filter(pk=table_id)
    if not tables.exists():
        raise Refused("no_such_table", _("There is no such table."))
    return _send(member, tables, f"table:{table_id}", message, reason)


def tell_game(member: Viewer, game: str, message: str, reason: str, _now: datetime) -> int:
    if game not in GAMES:
        raise Refused("no_such_game", _("The house has no such game."))
    return _send(member, _in_use().filter(game=game), f"game:{game}", message, reason)


def tell_house(member: Viewer, message: str, reason: str, _now: datetime) -> int:
    return _send(member, _in_use(), HOUSE, message, reason)


def _in_use() -> QuerySet[Table]:
    return Table.objects.exclude(status=Table.Status.CLOSED)


@under(SENT)
@transaction.atomic
def _send(member: Viewer, tables: QuerySet[Table], subject: str, typed: str, reason: str) -> int:
    require(member, MESSAGE)
    message = one_line(typed[: NOTICE_MAX * 10])
    if len(message) > NOTICE_MAX:
        raise Refused(
            "message_long", _("A message has at most {most} characters."), most=NOTICE_MAX
        )
    held = lock_tables(tables.values_list("pk", flat=True))
    before = sorted({table.notice for table in held})
    for table in held:
        table.notice = message
        table.save(update_fields=["notice"])
        store_table(table)
    journal.write(
        journal.by(member),
        SENT,
        subject,
        before={"messages": before},
        after={"message": message, "tables": len(held)},
        reason=reason,
    )
    house_state.changed()
    return len(held)


@under(RETRIED)
@transaction.atomic
def retry(member: Viewer, table_id: int, reason: str, now: datetime) -> None:
    """Have the clock do what is due at a table, and say why where it cannot."""
    require(member, RUN)
    try:
        table = lock_table(table_id)
    except Table.DoesNotExist:
        raise Refused("no_such_table", _("There is no such table.")) from None
    if table.due_at is None or table.due_at > now:
        raise Refused("nothing_due", _("This table has already moved on."))
    before = {"due_at": table.due_at, "version": table.version}
    try:
        with transaction.atomic():
            clock.tick(table_id, now)
    except Exception as problem:
        raise Refused(
            "still_stuck",
            _("The clock has failed again: {why}. The hand can be voided."),
            why=type(problem).__name__,
        ) from problem
    table.refresh_from_db(fields=["due_at", "version"])
    journal.write(
        journal.by(member),
        RETRIED,
        table.reference,
        before=before,
        after={"due_at": table.due_at, "version": table.version},
        reason=reason,
    )
    house_state.changed()
