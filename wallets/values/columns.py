"""For each column of a model: is it of record, derived, or free?

- **Of record**: the database writes each change down. `digested` columns are of record, too: the
  record holds only a hash of personal or secret values.
- **Derived**: an audit computes it from other rows; the declaration names that audit.
- **Free**: an unseen change does no harm; the declaration says why.

A decorator of the model says what holds for its columns, and names those for which something else
holds. `by` names the verbs that may change the columns of record (`wallets/of_record/verbs.py`).

    @of_record(by="shift.open shift.close", free={"shown on the page": "colour"})
    class Shift(models.Model): ...
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Field, Model

# The audits that derived columns name, and the command that runs each.
AUDITS: Final = {
    "ledger": "reconcile",
    "closings": "reconcile",
    "journal": "reconcile",
    "record": "reconcile",
    "hands": "audit",
    "chain": "audit",
    "anchors": "audit",
    "days": "audit",
    "tournaments": "audit",
    "boards": "audit",
    "promotions": "audit",
    "desk": "audit",
    "rights": "audit",
    "integrity": "audit",
    "migrations": "audit",
}

# Why most keys are free.
NUMBER: Final = "a number of which only the order counts"

M = TypeVar("M", bound=type[Model])


@dataclass(frozen=True)
class Declaration:
    """What holds for the columns of one model."""

    model: type[Model]
    # By audit, and by reason.
    derived: Mapping[str, tuple[str, ...]]
    free: Mapping[str, tuple[str, ...]]
    record: tuple[str, ...]
    digested: tuple[str, ...]
    by: tuple[str, ...]
    # New rows are written down a moment later, not by their own transaction.
    late: bool

    @property
    def table(self) -> str:
        return self.model._meta.db_table

    @property
    def key(self) -> "Field[Any, Any]":
        field: Field[Any, Any] = self.model._meta.pk
        return field

    @property
    def key_column(self) -> str:
        return str(self.key.column)

    @property
    def is_recorded(self) -> bool:
        return bool(self.record or self.digested)

    @cached_property
    def recorded(self) -> tuple[str, ...]:
        """The columns of record, in the order of the table."""
        return tuple(
            column for column in columns(self.model) if column in self.record + self.digested
        )

    def may_change(self, verb: str) -> bool:
        """Whether a verb may change the columns of record."""
        return verb in self.by or verb in everywhere or (self.late and verb == WRITE_LATE)


declared_tables: dict[str, Declaration] = {}
WRITE_LATE: Final = "house:record.write_late"
MIGRATE: Final = "setup:migrate"
# The verbs that may change every table: migrations, and what fills a house before it opens.
everywhere: Final[set[str]] = {
    MIGRATE,
    "setup:demo",
    "setup:demo_history",
    "setup:seed",
    "setup:rehearsal",
}


def known_verbs() -> set[str]:
    """Every verb that may change some table."""
    return {*everywhere, WRITE_LATE}.union(*(table.by for table in declared_tables.values()))


def of_record(
    *,
    by: str,
    digested: str = "",
    derived: Mapping[str, str] | None = None,
    free: Mapping[str, str] | None = None,
    late: bool = False,
) -> Callable[[M], M]:
    """Declare that the columns of a model are of record, except for those that are named."""

    def declare(model: M) -> M:
        given = _Given(model, "", digested, derived or {}, free or {})
        given.record = given.others()
        given.declare(by, late=late)
        return model

    return declare


def derived(
    audit: str,
    *,
    record: str = "",
    by: str = "",
    derived: Mapping[str, str] | None = None,
    free: Mapping[str, str] | None = None,
) -> Callable[[M], M]:
    """Declare that an audit computes the columns of a model, except for those that are named."""

    def declare(model: M) -> M:
        given = _Given(model, record, "", derived or {}, free or {})
        given.derived[audit] = given.others()
        given.declare(by)
        return model

    return declare


def free(
    reason: str,
    *,
    derived: Mapping[str, str] | None = None,
    free: Mapping[str, str] | None = None,
) -> Callable[[M], M]:
    """Declare that the columns of a model are free, except for those that are named."""

    def declare(model: M) -> M:
        given = _Given(model, "", "", derived or {}, free or {})
        given.free[reason] = given.others()
        given.declare()
        return model

    return declare


class _Given:
    """The columns that a declaration names."""

    def __init__(
        self,
        model: type[Model],
        record: str,
        digested: str,
        derived: Mapping[str, str],
        free: Mapping[str, str],
    ) -> None:
        self.model = model
        self.record, self.digested = tuple(record.split()), tuple(digested.split())
        self.derived = {audit: tuple(names.split()) for audit, names in derived.items()}
        self.free = {reason: tuple(names.split()) for reason, names in free.items()}

    def others(self) -> tuple[str, ...]:
        """The columns that are not named."""
        groups = (self.record, self.digested, *self.derived.values(), *self.free.values())
        names, there = [name for group in groups for name in group], columns(self.model)
        if wrong := [name for name in names if names.count(name) > 1 or name not in there]:
            raise ImproperlyConfigured(f"{self.model.__name__}: not a column, or twice: {wrong}.")
        return tuple(name for name in there if name not in names)

    def declare(self, by: str = "", *, late: bool = False) -> None:
        if unknown := self.derived.keys() - AUDITS.keys():
            raise ImproperlyConfigured(f"{self.model.__name__}: there is no audit {unknown}.")
        declared = Declaration(
            self.model,
            self.derived,
            self.free,
            self.record,
            self.digested,
            tuple(by.split()),
            late,
        )
        if declared.is_recorded and not declared.by:
            raise ImproperlyConfigured(f"{self.model.__name__}: name who may change its columns.")
        declared_tables[declared.table] = declared


def declarations() -> list[Declaration]:
    return [declared_tables[table] for table in sorted(declared_tables)]


def recorded() -> list[Declaration]:
    """The tables that have columns of record."""
    return [declaration for declaration in declarations() if declaration.is_recorded]


def of_table(table: str) -> Declaration | None:
    return declared_tables.get(table)


def columns(model: type[Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def undeclared(models: Iterable[type[Model]]) -> list[str]:
    """The models without a declaration."""
    return [
        f"{model._meta.label} is not declared: decorate it as of record, derived or free."
        for model in models
        if model._meta.db_table not in declared_tables
    ]
