"""The files of a house are its owner's alone, whatever the umask, and older houses are mended."""

import logging
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from casino.ops import databases
from casino.ops.private_files import close_to_others, open_to_others
from casino.ops.server import data_dir, supervisor, web
from tests.houses import open_house
from tests.houses.folder import Folder
from tests.houses.supervised import Supervised
from tests.houses.surroundings import KEYS, NO_REDIS

# A file, a folder and the database, made by a process that has the settings.
WRITE = """
from pathlib import Path
from django.conf import settings
from django.db import connection
place = Path(settings.DATA_DIR, "exports")
place.mkdir()
(place / "file").touch()
connection.ensure_connection()
connection.cursor().execute("CREATE TABLE one (two int)")
"""


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Whatever is made is everybody's, unless the house sees to it."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def older(tmp_path: Path, open_umask: None) -> Path:
    """The folder of a house that was opened before its files were private."""
    folder = tmp_path / "house"
    (folder / "static").mkdir(parents=True)
    for name in ("house.sqlite3", "house.sqlite3-wal", "anchors.jsonl", "static/page.css"):
        (folder / name).touch()
    (folder / "elsewhere").symlink_to(tmp_path)
    return folder


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in open_to_others(folder)}


@pytest.mark.processes
def test_a_process_of_the_house_makes_private_files(tmp_path: Path, open_umask: None) -> None:
    folder = tmp_path / "house"
    folder.mkdir(mode=0o700)
    Folder(folder, DEMO="1", REDIS_URL=NO_REDIS, **KEYS).script(WRITE)
    assert {path.name for path in folder.iterdir()} >= {"exports", "house.sqlite3"}
    assert names(folder) == set()


def test_the_folder_is_made_private(tmp_path: Path, open_umask: None) -> None:
    folder = tmp_path / "deep" / "house"
    os.close(data_dir.take(folder))
    data_dir.remember(folder, {"DEMO": "1"})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert names(folder) == set()


def test_an_older_house_is_closed_to_others(older: Path) -> None:
    before = names(older)
    assert before == {
        ".", "house.sqlite3", "house.sqlite3-wal", "anchors.jsonl", "static", "static/page.css",
    }  # fmt: skip
    outside = stat.S_IMODE(older.parent.stat().st_mode)
    assert len(close_to_others(older)) == len(before)
    assert names(older) == set()
    assert stat.S_IMODE(older.stat().st_mode) == 0o700
    assert stat.S_IMODE((older / "house.sqlite3").stat().st_mode) == 0o600
    assert stat.S_IMODE(older.parent.stat().st_mode) == outside
    assert close_to_others(older) == []


def test_nobody_is_locked_out_of_what_is_theirs(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = names(older)
    monkeypatch.setattr(Path, "home", lambda: older)
    assert close_to_others(older) == []
    monkeypatch.undo()
    older.chmod(0o1777)
    assert close_to_others(older) == []
    older.chmod(0o777)
    with monkeypatch.context() as other:
        other.setattr(os, "geteuid", lambda: older.stat().st_uid + 1)
        assert close_to_others(older) == []
    assert close_to_others(Path("/tmp")) == []
    assert close_to_others(older / "nowhere") == []
    assert names(older) == before


def test_opening_a_house_says_what_it_has_closed(
    older: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA_DIR", str(older))
    monkeypatch.setenv("PORT", "0")
    monkeypatch.setattr(supervisor, "Supervisor", lambda *_: None)
    monkeypatch.setattr(supervisor, "Guard", lambda: None)
    house = supervisor.HousePrograms()
    house.socket.close()
    os.close(house.lock)
    assert f"closed 6 files in {older} that others had rights to" in capsys.readouterr().out
    assert names(older) == set()


def test_a_web_process_says_what_it_has_closed(
    older: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.DATA_DIR = older
    with caplog.at_level(logging.WARNING):
        web.close_to_others()
    assert f"closed 6 files in {older}" in caplog.text
    assert names(older) == set()


def test_the_check_names_what_others_can_read(
    older: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = older
    elsewhere = older.parent / "elsewhere.sqlite3"
    elsewhere.touch()
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", databases.SQLITE)
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(elsewhere))
    messages = databases.files_are_private()
    assert [message.id for message in messages] == ["casino.W001"]
    for path in (older, older / "house.sqlite3", elsewhere):
        assert str(path) in messages[0].msg
    close_to_others(older)
    elsewhere.chmod(0o600)
    assert databases.files_are_private() == []


def test_what_is_deleted_is_in_no_copy_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite3"
    settings: Any = databases.databases(f"sqlite:///{file}", "", 0)
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        # As a SQLite that was built without it.
        base.execute("PRAGMA secure_delete=OFF")
        base.executescript(settings["default"]["OPTIONS"]["init_command"])
        base.execute("CREATE TABLE session (key TEXT PRIMARY KEY)")
        base.execute("INSERT INTO session VALUES ('a key that opens')")
        base.execute("UPDATE session SET key = 'its hash'")
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert b"its hash" in file.read_bytes()
        assert b"a key that opens" not in file.read_bytes()


@pytest.mark.release
@pytest.mark.processes
def test_a_house_that_runs_leaves_nothing_open(migrated_folder: Path, open_umask: None) -> None:
    for path in (migrated_folder, *migrated_folder.iterdir()):
        path.chmod(0o755)
    with open_house(Supervised, folder=migrated_folder) as house:
        assert house.visit()[0] == 200
        assert "that others had rights to" in house.text()
        assert names(migrated_folder) == set()
    assert names(migrated_folder) == set()
