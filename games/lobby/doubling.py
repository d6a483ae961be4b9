"""Further tables: where people have taken every seat, the house opens another table like it.

How many it may open stands at the table that they are like (`twins_max`), which an operator sets. A
twin has that table's settings as they are when it opens. It closes by itself when nobody has sat
there for a while, as the tables that players open do, and is opened again when it is wanted: so the
room does not fill up with tables of the past.
"""

from datetime import datetime
from itertools import count
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet

from games.models import Table
from games.rows import lock_table, store_table
from wallets.models import Jackpot

# What an operator sets at a table and a table like it has, too.
TAKEN_OVER: Final = (
    "game",
    "options",
    "currency",
    "places",
    "buy_in_min",
    "buy_in_max",
    "purse_min",
    "decision_seconds",
    "betting_seconds",
    "pause_seconds",
    "grace_seconds",
    "idle_seconds",
    "bots_max",
    "hints_allowed",
)


def with_room(model_id: int, now: datetime) -> Table | None:
    """A twin with a seat for one more person, opened if need be; None at the operator's limit.

    The row of the table that it is like is locked meanwhile, so that of fifty who find it full at
    once one opens the next table and the others find that.
    """
    with transaction.atomic():
        model = lock_table(model_id)
        twins = Table.objects.filter(twin_of=model).select_related("currency").order_by("pk")
        there = twins.exclude(status=Table.Status.CLOSED)
        for twin in _with_room(there.filter(status=Table.Status.OPEN)):
            if _is_like(twin, model):
                return twin
        if model.status != Table.Status.OPEN or len(there) >= model.twins_max:
            return None
        return _opened(model, twins.filter(status=Table.Status.CLOSED).first(), now)


def _with_room(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Those where people have not taken every seat: a bot gives its own up."""
    sits = Q(seats__left_at__isnull=True)
    people = sits & (Q(seats__player__is_bot=False) | Q(seats__heir__isnull=False))
    return tables.annotate(people=Count("seats", people)).filter(people__lt=F("places"))


def _is_like(twin: Table, model: Table) -> bool:
    """Whether a twin is still what its model is: that may have been changed since."""
    return all(getattr(twin, name) == getattr(model, name) for name in TAKEN_OVER)


def _opened(model: Table, closed: Table | None, now: datetime) -> Table:
    told: dict[str, Any] = {name: getattr(model, name) for name in TAKEN_OVER}
    told |= {"status": Table.Status.OPEN, "opened_at": now}
    if closed is None:
        table = _named(model, told)
    else:
        table = lock_table(closed.pk)
        for name, value in told.items():
            setattr(table, name, value)
        table.save(update_fields=list(told))
        store_table(table)
    # A mystery prize belongs to one table; a progressive pool may be played for at many.
    table.jackpots.set(model.jackpots.filter(kind=Jackpot.Kind.PROGRESSIVE))
    return table


def _named(model: Table, told: dict[str, Any]) -> Table:
    """A table called like its model with the next number that no table has."""
    room = Table._meta.get_field("name").max_length or 0
    for number in count(2):
        name = f"{model.name[: room - len(str(number)) - 1]} {number}"
        try:
            with transaction.atomic():
                return Table.objects.create(name=name, twin_of=model, **told)
        except IntegrityError:
            # The house may have a table of that name.
            continue
    raise AssertionError("there is always another number")
