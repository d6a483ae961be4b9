"""The findings of `manage.py check` about the house's files, and its way to the database."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connections

from casino.ops.databases import SQLITE
from casino.ops.private_files import open_to_others
from wallets.storage.replica import PRIMARY

NAMED_MAX: Final = 10
# So many are open at once when the check asks whose session each has.
CONNECTIONS: Final = 3


@checks.register(checks.Tags.security)
def files_are_private(**_options: Any) -> list[checks.CheckMessage]:
    """Name what others on this machine can read of the data, wherever the database is."""
    paths = sorted(set(_open_files()))
    if not paths:
        return []
    named = ", ".join(map(str, paths[:NAMED_MAX]))
    more = f" and {len(paths) - NAMED_MAX} more" if len(paths) > NAMED_MAX else ""
    return [
        checks.Warning(
            f"Others on this machine have rights to the data of the house: {named}{more}.",
            hint=f"Take them away: chmod --recursive go= {settings.DATA_DIR}",
            id="casino.W001",
        )
    ]


def _open_files() -> Iterator[Path]:
    yield from open_to_others(Path(settings.DATA_DIR))
    database = settings.DATABASES[PRIMARY]
    if database["ENGINE"] == SQLITE:
        for ending in ("", "-wal", "-shm", "-journal"):
            yield from open_to_others(Path(f"{database['NAME']}{ending}"))


@checks.register(checks.Tags.database)
def sessions_are_their_own(
    databases: Iterable[str] | None = None, **_options: Any
) -> list[checks.CheckMessage]:
    """Refuse a pooler in transaction mode: two open connections are then one session in turns.

    It would hand the name and key of an act (`wallets.of_record.triggers`) to another client.
    """
    shared = [alias for alias in databases or () if _shares_sessions(alias)]
    return [
        checks.Error(
            f"Connections to the database {alias!r} share a session of PostgreSQL.",
            hint="Connect directly, or through a pooler in session mode.",
            id="casino.E001",
        )
        for alias in shared
    ]


def _shares_sessions(alias: str) -> bool:
    if connections[alias].vendor != "postgresql":
        return False
    seen: list[int] = []
    # A database that does not answer is noticed elsewhere.
    with suppress(DatabaseError), ExitStack() as closing:
        for _each in range(CONNECTIONS):
            wrapper = connections[alias].copy()
            closing.callback(wrapper.close)
            with wrapper.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                seen.append(cursor.fetchone()[0])
    return len(set(seen)) < len(seen)
