"""Which databases a house has, what is read from its replica, and what `manage.py check` finds.

`wallets.storage.replica` says when something is read from there; this says what. The findings are
about the house's files, and its way to the database.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import dj_database_url
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connections
from django.db.models import Model

from casino.ops.private_files import open_to_others
from wallets.storage.replica import PRIMARY, REPLICA, is_reading

SQLITE: Final = "django.db.backends.sqlite3"
POSTGRESQL: Final = "django.db.backends.postgresql"
# The tables of finished things. Models not named here say who a user is and what they may do:
# players, sessions, roles, limits. That is always read from the primary, so that a player who was
# frozen, or a role that was removed, counts immediately.
COPIED_APPS: Final = frozenset({"games", "wallets", "tournaments", "desk", "reports"})
# Those of them that must be current: links that may have been revoked, and the work of staff.
NEVER_COPIED: Final = frozenset(
    {
        "games.sharedhand",
        "wallets.journalentry",
        "wallets.proposal",
        "wallets.houselimit",
    }
)


def databases(url: str, replica_url: str, connection_seconds: int) -> dict[str, object]:
    """The setting `DATABASES`: the primary, and the replica if there is one."""
    databases = {PRIMARY: _database(url, connection_seconds)}
    if replica_url:
        copy = databases[REPLICA] = _database(replica_url, connection_seconds)
        if {database["ENGINE"] for database in databases.values()} != {POSTGRESQL}:
            raise ImproperlyConfigured("REPLICA_URL needs PostgreSQL, there and in DATABASE_URL.")
        # The primary is asked instead, and a network that swallows everything must not delay that.
        copy["OPTIONS"] |= {"connect_timeout": 2, "tcp_user_timeout": 5_000}
        copy["TEST"] = {"MIRROR": PRIMARY}
    return databases


def _database(url: str, connection_seconds: int) -> Any:
    # `wallets.storage.database_connections` notices a connection that has ended without a query.
    database: Any = dj_database_url.parse(url, conn_max_age=connection_seconds)
    if database["ENGINE"] == SQLITE:
        # SQLite writes under an immediate lock, so two writers wait instead of failing. SQLite
        # overwrites deleted and replaced rows, so that no copy of the file has them.
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            " PRAGMA secure_delete=ON;",
        }
        return database
    options = database.setdefault("OPTIONS", {})
    # Fail fast if the database is down, so that players do not wait for minutes.
    options.setdefault("connect_timeout", 2)
    # A database whose machine is lost says nothing: the operating system asks for it after ten
    # seconds of silence, and gives the connection up after ten more.
    for name, seconds in (("keepalives_idle", 10), ("keepalives_interval", 5)):
        options.setdefault(name, seconds)
    options.setdefault("keepalives_count", 2)
    # A statement of `wallets.storage.database_connections` or of the ledger is prepared when it
    # comes a third time: statements of many rows come with each number of rows, and most are rare.
    options.setdefault("prepare_threshold", 2)
    return database


class Router:
    """Reads of finished things go to the replica, where they are marked; all else does not."""

    def db_for_read(self, model: type[Model], **_hints: object) -> str:
        return REPLICA if is_reading() and _is_copied(model) else PRIMARY

    def db_for_write(self, _model: type[Model], **_hints: object) -> str:
        """The primary, also for a row that came from the replica."""
        return PRIMARY

    def allow_relation(self, *_rows: Model, **_hints: object) -> bool:
        """The replica has the rows of the primary, so a row of either may name one of the other."""
        return True

    def allow_migrate(self, db: str, _app_label: str, **_hints: object) -> bool:
        return db == PRIMARY


def _is_copied(model: type[Model]) -> bool:
    names = model._meta
    return names.app_label in COPIED_APPS and names.label_lower not in NEVER_COPIED


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
