"""Declarations: for each column of a model, whether it is of record, derived, or free.

- **Of record**: the database writes each change down. `digested` columns are of record, too: the
  record holds only a hash of personal or secret values.
- **Derived**: an audit computes it from other rows; the declaration names that audit.
- **Free**: an unseen change does no harm; the declaration says why.

`by` names the verbs that may change the columns of record (`wallets/of_record/verbs.py`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Field, Model
from django.utils.module_loading import autodiscover_modules

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
    "desk": "audit",
    "rights": "audit",
    "integrity": "audit",
    "migrations": "audit",
}


@dataclass(frozen=True)
class Declaration:
    """A package's declaration of the columns of one model."""

    model: type[Model]
    record: tuple[str, ...]
    digested: tuple[str, ...]
    # By audit, and by reason.
    derived: Mapping[str, tuple[str, ...]]
    free: Mapping[str, tuple[str, ...]]
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

    @property
    def recorded(self) -> tuple[str, ...]:
        """The columns of record, in the order of the table."""
        return tuple(one for one in columns(self.model) if one in self.record + self.digested)

    def names(self) -> list[str]:
        """Every column that the declaration names."""
        groups = (*self.derived.values(), *self.free.values())
        return [*self.record, *self.digested, *(name for group in groups for name in group)]

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
    return {*everywhere, WRITE_LATE}.union(*(one.by for one in declared_tables.values()))


def declare(  # noqa: PLR0913 - what can be said of columns
    model: type[Model],
    *,
    record: str = "",
    digested: str = "",
    derived: Mapping[str, str] | None = None,
    free: Mapping[str, str] | None = None,
    by: str = "",
    late: bool = False,
) -> None:
    """Declare the columns of a model; each argument lists columns separated by spaces."""
    found = Declaration(
        model,
        tuple(record.split()),
        tuple(digested.split()),
        {audit: tuple(names.split()) for audit, names in (derived or {}).items()},
        {reason: tuple(names.split()) for reason, names in (free or {}).items()},
        tuple(by.split()),
        late,
    )
    if unknown := set(found.derived) - AUDITS.keys():
        raise ImproperlyConfigured(f"{model.__name__}: there is no audit {', '.join(unknown)}.")
    if found.is_recorded and not found.by:
        raise ImproperlyConfigured(f"{model.__name__}: name who may change its columns of record.")
    declared_tables[found.table] = found


def discover() -> None:
    """Load the declarations of all apps."""
    autodiscover_modules("of_record")


def declarations() -> list[Declaration]:
    return [declared_tables[table] for table in sorted(declared_tables)]


def recorded() -> list[Declaration]:
    """The tables that have columns of record."""
    return [one for one in declarations() if one.is_recorded]


def of_table(table: str) -> Declaration | None:
    return declared_tables.get(table)


def columns(model: type[Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def undeclared(models: Iterable[type[Model]]) -> list[str]:
    """Say of each model which columns it does not declare, or declares twice or wrongly."""
    found = []
    for model in models:
        declared, there = declared_tables.get(model._meta.db_table), columns(model)
        names = declared.names() if declared and declared.model is model else []
        found += [
            f"{model._meta.label}.{name} is declared {names.count(name)} times: say in the app's "
            f"of_record.py whether it is of record, derived or free."
            for name in there
            if names.count(name) != 1
        ]
        found += [
            f"{model._meta.label} has no column {name}." for name in names if name not in there
        ]
    return found
