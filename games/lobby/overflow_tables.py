"""Overflow tables: where people have taken every seat, the house opens another table like it.

`overflow_max` of the full table says how many overflow tables it may have; an operator sets it. An
overflow table takes that table's settings as they are when it opens. It closes after a while
without players, as private tables do, and opens again when it is needed, so the lobby does not fill
up with old tables.
"""

from datetime import datetime
from itertools import count
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q, QuerySet

from games.models import Table
from games.tables.lock import lock_table, store_table
from wallets.models import Jackpot
from wallets.of_record.verbs import verb

# The settings that a table copies from the one that it is modelled on.
COPIED_FIELDS: Final = (
    "game",
    "options",
    "currency",
    "places",
    "buy_in_min",
    "buy_in_max",
    "stack_min",
    "decision_seconds",
    "betting_seconds",
    "pause_seconds",
    "grace_seconds",
    "idle_seconds",
    "bots_max",
    "hints_allowed",
)


@verb("house:table.open_overflow")
def with_free_seat(model_id: int, now: datetime) -> Table | None:
    """An overflow table with a seat for one more person, or None at the operator's limit.

    It is opened if there is none. The original table's row is locked during this: if fifty players
    find it full at once, one of them opens the next table and the others find that.
    """
    with transaction.atomic():
        model = lock_table(model_id)
        overflow = Table.objects.filter(overflow_of=model).select_related("currency").order_by("pk")
        there = overflow.exclude(status=Table.Status.CLOSED)
        for table in _with_free_seat(there.filter(status=Table.Status.OPEN)):
            if _is_like(table, model):
                return table
        if model.status != Table.Status.OPEN or len(there) >= model.overflow_max:
            return None
        return _opened(model, overflow.filter(status=Table.Status.CLOSED).first(), now)


def _with_free_seat(tables: QuerySet[Table]) -> QuerySet[Table]:
    """The tables where people have not taken every seat; a bot gives its seat up."""
    sits = Q(seats__left_at__isnull=True)
    people = sits & (Q(seats__player__is_bot=False) | Q(seats__reserved_for__isnull=False))
    return tables.annotate(people=Count("seats", people)).filter(people__lt=F("places"))


def _is_like(table: Table, model: Table) -> bool:
    """Whether a table still has its model's settings, which may have been changed since."""
    return all(getattr(table, name) == getattr(model, name) for name in COPIED_FIELDS)


def _opened(model: Table, closed: Table | None, now: datetime) -> Table:
    settings: dict[str, object] = {name: getattr(model, name) for name in COPIED_FIELDS}
    settings |= {"status": Table.Status.OPEN, "opened_at": now}
    if closed is None:
        table = _named(model, settings)
    else:
        table = lock_table(closed.pk)
        for name, value in settings.items():
            setattr(table, name, value)
        table.save(update_fields=list(settings))
        store_table(table)
    # A mystery prize belongs to one table; a progressive pool may be played for at many.
    table.jackpots.set(model.jackpots.filter(kind=Jackpot.Kind.PROGRESSIVE))
    return table


def _named(model: Table, settings: dict[str, object]) -> Table:
    """A table called like its model with the next number that no table has."""
    max_length = Table._meta.get_field("name").max_length or 0
    for number in count(2):
        name = f"{model.name[: max_length - len(str(number)) - 1]} {number}"
        try:
            with transaction.atomic():
                return Table.objects.create(name=name, overflow_of=model, **settings)
        except IntegrityError:
            # The house may have a table of that name.
            continue
    raise AssertionError("there is always another number")
