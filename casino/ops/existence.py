"""One statement that says which of several queries find a row, and the jobs that wait for one.

The house's duties depend on many tables, most of which have nothing due most of the time. The
statement is built once from ordinary querysets; afterwards only its times change.

Sending a job, taking it and finding nothing costs ten times as much as asking for the rows.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.utils import timezone

from games.models import ChainEntry
from wallets.models.record_models import RecordedChange
from wallets.values.registry import Registry

# The time for which the querysets are built. A time near it in their statements is therefore the
# present time, or one at a fixed distance from it.
STAND_IN: Final = datetime(9000, 1, 1, tzinfo=UTC)
NEAR: Final = timedelta(days=1000)

Rows = Callable[[datetime], "QuerySet[Any]"]


class _FromNow(NamedTuple):
    """A parameter that is a time: its distance from the present."""

    distance: timedelta


class _Compiled(NamedTuple):
    """The statement as one kind of database takes it."""

    sql: str
    parameters: list[Any]


class WhichExist:
    """Named queries of the present time: `WhichExist(due=...)(now)` gives the names with rows."""

    def __init__(self, queries: Mapping[str, Rows]) -> None:
        self._queries = dict(queries)
        self._compiled: dict[str, _Compiled] = {}

    def __call__(self, now: datetime) -> frozenset[str]:
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = self._compile()
        given = [
            connection.ops.adapt_datetimefield_value(now + parameter.distance)
            if isinstance(parameter, _FromNow)
            else parameter
            for parameter in compiled.parameters
        ]
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, given)
            row = cursor.fetchone()
        return frozenset(name for name, exists in zip(self._queries, row, strict=True) if exists)

    def _compile(self) -> _Compiled:
        parts, parameters = [], list[Any]()
        for rows in self._queries.values():
            query = rows(STAND_IN).order_by().values("pk")[:1].query
            sql, given = query.get_compiler(connection=connection).as_sql()
            parts.append(f"EXISTS({sql})")
            parameters += map(_relative, given)
        return _Compiled(f"SELECT {', '.join(parts)}", parameters)


def _relative(parameter: object) -> object:
    """A time as its distance from the present; any other parameter as it is."""
    at = parameter
    if isinstance(at, str):
        # SQLite stores times as text.
        try:
            at = datetime.fromisoformat(at)
        except ValueError:
            return parameter
    if not isinstance(at, datetime):
        return parameter
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return _FromNow(at - STAND_IN) if abs(at - STAND_IN) < NEAR else parameter


# By the names of the timetable.
ROWS: Final = Registry[Rows]("wanted job")
ROWS.add("link-chain", lambda _now: ChainEntry.objects.filter(position=None))
ROWS.add("link-record", lambda _now: RecordedChange.objects.filter(position=None))

log = logging.getLogger(__name__)


def is_wanted(name: str) -> bool:
    """Whether there may be something to do; so there may while the database does not answer."""
    if name not in ROWS:
        return True
    try:
        return bool(_rows_of(name)(timezone.now()))
    except DatabaseError as problem:
        log.warning("whether %s has something to do is not known: %s", name, problem)
        return True


@cache
def _rows_of(name: str) -> WhichExist:
    return WhichExist({name: ROWS[name]})
