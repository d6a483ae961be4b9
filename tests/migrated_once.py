"""A migrated database that is made once, and copied for each process and house of tests.

To migrate takes as long as twenty tests do. On SQLite the database is kept beside pytest's own
cache, for all stages and later runs; on PostgreSQL it is a template on the server. Its name changes
with the migrations, with Django and with the groups of staff, so that a copy is as good as one that
a process of the tests migrates for itself.

Nothing here leaves a connection open, so it may be called before processes are forked.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import django
import psycopg
from django.conf import settings
from django.db import connection

from tests.houses.surroundings import KEYS, NO_REDIS, REPOSITORY, environment

PACKAGES: Final = ("casino", "games", "tournaments", "wallets")
# What a migrated database depends on, beside the migrations.
BESIDE: Final = (
    "requirements.txt",
    "casino/accounts/foreign_tables.py",
    "casino/accounts/staff.py",
    "wallets/values/columns.py",
    "wallets/storage/creating_models.py",
)


def fingerprint() -> str:
    hasher = hashlib.sha256(django.__version__.encode())
    for pattern in ("migrations/*.py", "sql/*.sql", "models.py", "models/*.py", "of_record/*.py"):
        for package in PACKAGES:
            for file in sorted((REPOSITORY / package).rglob(pattern)):
                hasher.update(file.relative_to(REPOSITORY).as_posix().encode() + file.read_bytes())
    for name in BESIDE:
        hasher.update((REPOSITORY / name).read_bytes())
    return hasher.hexdigest()[:16]


@contextmanager
def on_the_server() -> Iterator[psycopg.Cursor]:
    """A cursor that makes and drops databases; the one that it is connected to stays."""
    with (
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server,
        server.cursor() as cursor,
    ):
        yield cursor


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """A process that starts while the first one migrates waits for it."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrated_once(folder: Path) -> Path:
    """The migrated SQLite database in this folder; it is made there if there is none yet."""
    kept = folder / f"{fingerprint()}.sqlite3"
    with _alone(folder):
        if not kept.exists():
            for old in folder.glob("*.sqlite3"):
                old.unlink()
            with tempfile.TemporaryDirectory(dir=folder) as house:
                _migrate(Path(house))
                shutil.move(Path(house) / "house.sqlite3", kept)
    return kept


def migrated_template(folder: Path) -> str:
    """The name of the migrated database on the server; it is made if there is none yet."""
    name = f"migrated_{fingerprint()}"
    with _alone(folder), on_the_server() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if not cursor.fetchone():
            # It gets its name when it is ready, for the case that a run ends before that.
            unready = f"{name}_unready"
            cursor.execute(f"DROP DATABASE IF EXISTS {unready}")
            cursor.execute(f"CREATE DATABASE {unready}")
            server = urlsplit(os.environ["DATABASE_URL"])
            with tempfile.TemporaryDirectory(dir=folder) as house:
                _migrate(Path(house), DATABASE_URL=server._replace(path=f"/{unready}").geturl())
            cursor.execute(f"ALTER DATABASE {unready} RENAME TO {name}")
    return name


def _migrate(house: Path, **variables: str) -> None:
    """By the command of a house, which closes the database before it is copied."""
    variables = environment(house, DEMO="1", REDIS_URL=NO_REDIS, **KEYS, **variables)
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=REPOSITORY, env=variables, check=True)


def prepare(folder: Path) -> None:
    """Make the migrated database of this run's engine, before several processes ask for it."""
    if connection.vendor == "sqlite":
        migrated_once(folder)
    else:
        migrated_template(folder)


@contextmanager
def own_database(folder: Path) -> Iterator[None]:
    """Inside, this process has a database of its own, a copy of the migrated one."""
    if connection.vendor == "sqlite":
        name = str(Path(settings.DATABASES["default"]["TEST"]["NAME"]).with_stem(f"{os.getpid()}"))
        shutil.copy(migrated_once(folder), name)
    else:
        name = f"test_{os.getpid()}"
        template = migrated_template(folder)
        with on_the_server() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    yield
    connection.close()
    if connection.vendor == "sqlite":
        Path(name).unlink()
    else:
        # A thread that a test has left behind may still be connected.
        with on_the_server() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
