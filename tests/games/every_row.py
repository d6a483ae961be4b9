"""Edits of every column of every table: changed, exchanged with another row's, a row gone or added.

Tables and columns are read from the database, so what a later migration adds is edited, too. An
edit is noticed by the nightly run, is refused by the database, or is of columns that are declared
free.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, partial
from itertools import pairwise
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from uuid import UUID, uuid4

from django.db import DatabaseError, connection, transaction
from django.db.models import Field

from casino.accounts.models import Player
from casino.office.desk import receipt_audit
from games.models import ChainEntry, Hand
from games.records import audit_house, registered_audits
from games.records.audit import Auditor
from games.records.record import AUDITOR, record
from tests.games.falsified import sql
from tests.games.house import START
from tournaments.models import Payout
from wallets.audit import record_audit
from wallets.audit.reconciliation import reconcile
from wallets.models import Account
from wallets.of_record.digests import last_closed
from wallets.values.columns import Declaration, declarations, of_table

# An account without entries holds nothing. A row of a late table is written down a moment later.
EMPTY: Final = ("wallets_account",)
# A sample has one edit of so many.
APART: Final = 100


class Undo(Exception):
    """Raised to undo an edit."""


class Edit(NamedTuple):
    what: str
    make: Callable[[], None]
    # The columns that it changes; none for a whole row.
    columns: tuple[str, ...]


def tables() -> list[str]:
    with connection.cursor() as cursor:
        return sorted(connection.introspection.table_names(cursor))


def other(field: "Field[Any, Any]", value: Any) -> Any:
    """Something else for a column, as the database stores it."""
    kind = field.get_internal_type()
    if value is None:
        value = {"DateTimeField": START, "DateField": date(2026, 1, 1), "UUIDField": uuid4()}.get(
            kind, 0
        )
    if isinstance(value, bool):
        return not value
    if isinstance(value, datetime | date):
        changed: Any = value + timedelta(days=3)
    elif kind == "TimeField":
        changed = time(23, 59)
    elif isinstance(value, UUID):
        changed = uuid4()
    elif isinstance(value, int | float | Decimal):
        changed = value + 1
    elif kind == "JSONField":
        return json.dumps({"edited": 1})
    else:
        changed = f"{value[:-1]}~" if value else "~"
    return field.get_db_prep_save(changed, connection)


def edits(declared: Declaration) -> Iterator[Edit]:
    """Every edit of a table."""
    model: Any = declared.model
    table = declared.table
    fields = list(model._meta.concrete_fields)
    rows = list(model.objects.order_by("pk"))
    some = [rows[place] for place in sorted({0, len(rows) // 2, len(rows) - 1} if rows else ())]
    for row in some:
        for field in fields:
            value = other(field, getattr(row, field.attname))
            what = f"{table} {row.pk}: {field.column}"
            yield Edit(what, partial(_set, row, field, value), (field.column,))
        yield Edit(f"{table} {row.pk}: deleted", partial(_delete, row), ())
        if not declared.late and table not in EMPTY:
            yield Edit(f"{table} {row.pk}: copied", partial(_copy, row, fields), ())
    for first, two in pairwise(some):
        for field in _differing(first, two, fields, _free(declared)):
            what = f"{table} {first.pk}, {two.pk}: {field.column} exchanged"
            yield Edit(what, partial(_exchange, first, two, field), (field.column,))


def _free(declared: Declaration) -> set[str]:
    return {name for group in declared.free.values() for name in group}


def _differing(one: Any, two: Any, fields: list[Any], free: set[str]) -> list[Any]:
    """The columns in which two rows differ; where that is one alone, they are as if exchanged."""
    columns = [
        field for field in fields if getattr(one, field.attname) != getattr(two, field.attname)
    ]
    matter = [field for field in columns if field.column not in free]
    return [field for field in columns if not field.primary_key and matter != [field]]


def _key(row: Any) -> Any:
    return row._meta.pk.get_db_prep_save(row.pk, connection)


def _set(row: Any, field: "Field[Any, Any]", value: Any) -> None:
    meta = row._meta
    place = f'SET "{field.column}" = %s WHERE "{meta.pk.column}" = %s'
    sql(f'UPDATE "{meta.db_table}" {place}', value, _key(row))


def _delete(row: Any) -> None:
    meta = row._meta
    sql(f'DELETE FROM "{meta.db_table}" WHERE "{meta.pk.column}" = %s', _key(row))


def _copy(row: Any, fields: "list[Field[Any, Any]]") -> None:
    """The same row once more, but for what must be unique."""
    constraints = row._meta.total_unique_constraints
    unique = {name for constraint in constraints for name in constraint.fields}
    values = []
    for field in fields:
        value = getattr(row, field.attname)
        if field.primary_key and isinstance(value, int):
            values.append(value + 1_000_000)
        elif field.unique or (field.name in unique and not field.is_relation):
            values.append(other(field, value))
        else:
            values.append(field.get_db_prep_save(value, connection))
    columns = ", ".join(f'"{field.column}"' for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    sql(f'INSERT INTO "{row._meta.db_table}" ({columns}) VALUES ({marks})', *values)


def _exchange(one: Any, two: Any, field: "Field[Any, Any]") -> None:
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for row in (one, two)]
    _set(one, field, other(field, getattr(one, field.attname)))
    _set(two, field, values[0])
    _set(one, field, values[1])


# What notices: the parts of the nightly run, the nearest first.


def _record(declared: Declaration) -> set[str]:
    if not declared.is_recorded:
        return set()
    closed = last_closed().get(declared.table)
    checked = record_audit.check_table(declared, closed)
    return {str(finding.sentence) for _rows, some in checked for finding in some}


def _reconcile() -> set[str]:
    with patch.object(record_audit, "check", lambda *_progress: iter(())):
        return {str(finding.sentence) for finding in reconcile(everything=True)}


def _hands() -> set[str]:
    auditor, hands = Auditor(), set[str]()
    numbers = Hand.objects.exclude(status="live").order_by("pk").values_list("pk", flat=True)
    for hand in auditor.hands(list(numbers)):
        hands |= {f"{hand.number} {sentence}" for sentence in hand.findings}
    for shoes in (auditor.shoes(), auditor.other_shoes()):
        hands |= {f"{code} {sentence}" for code, some in shoes for sentence in some}
    for check in (audit_house.tables, audit_house.strangers, audit_house.postings):
        hands |= set(check())
    return hands


def _published() -> set[str]:
    return {*audit_house.published(), *audit_house.triggers()}


def _days() -> set[str]:
    return {sentence for _day, sentence in audit_house.days()}


def _registered(name: str) -> set[str]:
    audits = {audit.name: audit for audit in registered_audits.registered()}
    with patch.object(receipt_audit, "APART_MAX", timedelta.max):
        return set(audits[name].sentences())


AUDITS: Final[dict[str, Callable[[], set[str]]]] = {
    **dict.fromkeys(("ledger", "closings", "journal", "record"), _reconcile),
    **dict.fromkeys(("chain", "anchors"), _published),
    "hands": _hands,
    "days": _days,
}


def audit_of(name: str) -> Callable[[], set[str]]:
    return AUDITS.get(name) or (lambda: _registered(name))


def names() -> list[str]:
    """Every audit, each once."""
    once = {"ledger": "ledger", "chain": "chain", "hands": "hands", "days": "days"}
    return [*once, *(audit.name for audit in registered_audits.registered())]


@cache
def _honest(name: str) -> frozenset[str]:
    return frozenset(audit_of(name)())


def forget() -> None:
    _honest.cache_clear()


def every_edit(declared: Declaration) -> list[Edit]:
    """The edits of a table that are not of columns declared free."""
    free = _free(declared)
    proved = declared.is_recorded or bool(declared.derived)
    return [
        edit for edit in edits(declared) if (edit.columns or proved) and not free & {*edit.columns}
    ]


def missed(declared: Declaration, some: Iterable[Edit]) -> list[str]:
    """Which of these edits of a table nothing notices: first the audits that it names are asked."""
    before = _record(declared)
    return [
        edit.what
        for edit in some
        if not _is_noticed(declared, edit, before, [*declared.derived])
        and not _is_noticed(declared, edit, before, names())
    ]


def _is_noticed(declared: Declaration, edit: Edit, before: set[str], audits: Iterable[str]) -> bool:
    """Whether the database refuses it, or these parts of the nightly run find it."""
    honest = {name: _honest(name) for name in audits}
    try:
        with transaction.atomic():
            edit.make()
            if _record(declared) - before:
                raise Undo
            for name, sentences in honest.items():
                if audit_of(name)() - sentences:
                    raise Undo
            transaction.set_rollback(True)
    except (Undo, DatabaseError):
        return True
    return False


def declared_tables() -> list[str]:
    return [declaration.table for declaration in declarations()]


def sampled(seed: int, tables: Iterable[str]) -> list[str]:
    """Which edits of a part of all, another with each seed, nothing notices."""
    gaps, place = [], seed % APART
    for table in tables:
        declared = of_table(table)
        assert declared is not None
        some = every_edit(declared)
        gaps += missed(declared, some[place::APART])
        place = (place - len(some)) % APART
    return gaps


def undeclared() -> list[str]:
    """The tables that no declaration explains."""
    return [table for table in tables() if of_table(table) is None]


# What no free column may change.


def edit_what_is_free() -> int:
    """Edit every free column of every row; return how many columns the database let be edited."""
    edited = 0
    for declared in declarations():
        model: Any = declared.model
        fields = [field for field in model._meta.concrete_fields if field.column in _free(declared)]
        for row in model.objects.order_by("pk"):
            for field in fields:
                if field.primary_key:
                    continue
                value = getattr(row, field.attname)
                changed = _another(field, value) if field.is_relation else other(field, value)
                with suppress(DatabaseError), transaction.atomic():
                    _set(row, field, changed)
                    edited += 1
    return edited


def _another(field: Any, number: Any) -> Any:
    """Another row that a column may refer to, or none."""
    others = field.related_model.objects.exclude(pk=number).order_by("-pk")
    return field.get_db_prep_save(others.values_list("pk", flat=True).first(), connection)


def what_matters() -> dict[str, object]:
    """The rights of all people, all money, the cards of all hands, and what proves them."""
    people = Player.objects.order_by("pk")
    hands = Hand.objects.exclude(status=Hand.Status.LIVE).order_by("pk")
    paid = [hand for hand in hands.select_related("table", "shoe") if hand.was_paid]
    return {
        "rights": {
            person.pk: (person.is_active, sorted(person.get_all_permissions())) for person in people
        },
        "money": list(Account.objects.order_by("pk").values_list("pk", "balance")),
        "prizes": list(Payout.objects.order_by("pk").values_list("entry", "amount", "paid_at")),
        "cards": {hand.pk: record(hand, AUDITOR) for hand in paid},
        "proofs": list(ChainEntry.objects.order_by("position").values_list("body", "head")),
    }
