"""Open a house: for a test, a browser, an attack, a simulation, a fault or a figure.

A test of a page takes the fixture `house` (players with money, tables, and a clock that stands
still until the test moves it: `tests/games/house.py`) and asks for the page as one of the players:

    def test_everyone_at_the_table_is_shown(house: House) -> None:
        table = house.dealt_in("doudizhu", "alice", "bob", "carol")
        page = client_of(house.person("alice")).get(f"/tables/{table.pk}/")
        assert "carol" in page.content.decode()

A test that needs more than that, or runs outside pytest, calls `open_house`:

    with open_house() as house: ...            the same house, in this process, in a new database
    with open_house(Supervised) as house: ...  real processes, as `make run` opens them
    with open_house(Programs) as house: ...    each program by itself, to be stopped or killed
    with open_house(ForBrowsers) as house: ... one process with bots, for a browser to visit

`database="postgres"` puts any of them on a PostgreSQL of its own, `database="durable"` on one that
commits to disk, and `guests=Guests(18, 6)` opens tables for 18 players, whom `bench.crowd` plays.
A house in processes has `address`, `folder`, `manage`, `script`, `sql` and `stop`. All is gone when
the block ends, except a `folder` that was given.
"""

import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack, overload

from tests.houses.surroundings import KEYS, NO_REDIS, REMOVED, REPOSITORY

if TYPE_CHECKING:
    from tests.games.house import House
    from tests.houses.guests import Guests
    from tests.houses.programs import Programs
    from tests.houses.supervised import Supervised

    Opened = TypeVar("Opened", bound=Supervised | Programs)

# A house in this process takes the database that DATABASE_URL names, unless it is to be on SQLite;
# `given` is SQLite where there is no such variable.
Database = Literal["sqlite", "postgres", "durable", "given"]


class Wishes(TypedDict, total=False):
    """What `open_house` may be told."""

    database: Database
    redis: bool | None
    demo: bool
    guests: "Guests | None"
    folder: Path | None
    migrated: bool
    settings: str
    variables: Mapping[str, str] | None
    web: int
    by_table: bool
    only: Collection[str]


@overload
def open_house(kind: None = None, **wishes: Unpack[Wishes]) -> AbstractContextManager["House"]: ...
@overload
def open_house(
    kind: "type[Opened]", **wishes: Unpack[Wishes]
) -> AbstractContextManager["Opened"]: ...
@contextmanager
def open_house(
    kind: type[Any] | None = None,
    *,
    database: Database = "sqlite",
    redis: bool | None = None,
    demo: bool = False,
    guests: "Guests | None" = None,
    folder: Path | None = None,
    migrated: bool = True,
    settings: str = "casino.settings",
    variables: Mapping[str, str] | None = None,
    web: int = 1,
    by_table: bool = False,
    only: Collection[str] = (),
) -> Iterator[Any]:
    """A house of this kind, open, with the players of the demonstration if it is a `demo`.

    `redis` says whether it has a Redis of its own that can be stopped. Of `Programs`, `web` is how
    many serve pages, `by_table` gives each of these its own tables, and `only` names the programs
    that run at all.
    """
    from tests.houses.supervised import Supervised
    from tests.valkey import valkey

    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="house-", dir="/tmp")), "h")
        folder.mkdir(parents=True, exist_ok=True)
        given = {} if kind is Supervised else {"DEMO": "1", "REDIS_URL": NO_REDIS, **KEYS}
        given["DEMO_LIFE"] = "0"
        servers: dict[str, Any] = {}
        programs = kind is not None and kind is not Supervised
        if programs and not only if redis is None else redis:
            servers["valkey"] = stack.enter_context(valkey())
            given["REDIS_URL"] = servers["valkey"].url
        if url := os.environ.get("DATABASE_URL") if kind is None and database != "sqlite" else "":
            given["DATABASE_URL"] = url
        elif database in ("postgres", "durable"):
            from tests.houses.postgres import postgres

            servers["postgres"] = stack.enter_context(postgres(durable=database == "durable"))
            given["DATABASE_URL"] = servers["postgres"].url
        elif migrated and not (folder / "house.sqlite3").exists():
            shutil.copy(_migrated(), folder / "house.sqlite3")
        given |= variables or {}
        if kind is None:
            yield stack.enter_context(_here(folder, given, settings, demo=demo))
            return
        more: dict[str, Any] = {"web": web, "by_table": by_table, "only": only} if programs else {}
        house: Any = kind(folder, **{**more, **given})
        stack.callback(house.close)
        vars(house).update(servers)
        if programs:
            house.prepare(demo=demo or bool(guests))
        if guests:
            from tests.houses.guests import expect

            _enter(house.variables)
            house.people = expect(guests)
        house.open()
        yield house


def _migrated() -> Path:
    """The migrated database that all tests begin with, made if it is not there yet."""
    from tests.migrated_once import migrated_once

    kept = REPOSITORY / ".pytest_cache" / "d" / "migrated"
    kept.mkdir(parents=True, exist_ok=True)
    return migrated_once(kept)


def _enter(variables: Mapping[str, str]) -> None:
    """Give this process the settings and the models of a house."""
    import django
    from django.apps import apps

    assert not apps.ready, "this process has a house: in a test, take the fixture `house`"
    for name in REMOVED:
        os.environ.pop(name, None)
    os.environ.update(variables)
    django.setup()


@contextmanager
def _here(
    folder: Path, variables: Mapping[str, str], settings: str, *, demo: bool
) -> Iterator["House"]:
    (folder / "static").mkdir(exist_ok=True)
    own = {"DJANGO_SETTINGS_MODULE": settings, "DATA_DIR": str(folder)}
    # A test client comes from a host of its own.
    _enter({"ALLOWED_HOSTS": "testserver,localhost", **own, **variables})
    from django.core.management import call_command
    from django.db import connections

    from tests.changes_of_record import allow_tests
    from tests.games.house import House

    # Scenes make rows of record by hand.
    allow_tests()
    if "DATABASE_URL" in variables or not (folder / "house.sqlite3").exists():
        call_command("migrate", verbosity=0)
    if demo:
        call_command("demo", verbosity=0)
    try:
        yield House()
    finally:
        connections.close_all()
