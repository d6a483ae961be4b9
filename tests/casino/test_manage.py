"""`manage.py` beside a house: it finds its settings, and minds no reader who goes."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.db import connections

import manage
from casino.accounts import appointing
from casino.accounts.models import Player
from casino.ops.server import data_dir
from tests.casino.test_serving import PRODUCTION
from tests.houses.folder import Folder
from tests.houses.surroundings import KEYS
from wallets.models import Currency
from wallets.staff import journal
from wallets.staff.staff_command import StaffCommand

OURS = sorted(name for name, app in get_commands().items() if app.startswith(("ca", "ga", "wal")))


@pytest.fixture
def folder(migrated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of a closed house with its keys; nothing of the environment names another one."""
    for name in (*data_dir.KEYS, *data_dir.KEPT, "DATA_DIR"):
        # Set first, so that what `move_in` sets is undone at the end.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    shutil.copy(migrated, tmp_path / "house.sqlite3")
    (tmp_path / "keys.json").write_text(json.dumps(KEYS))
    return tmp_path


@contextmanager
def gone_reader() -> Iterator[int]:
    """The end of a pipe that has no reader any more."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        yield writing
    finally:
        os.close(writing)


@pytest.mark.processes
def test_an_auditor_needs_no_settings_and_may_stop_reading(folder: Path) -> None:
    with gone_reader() as writing:
        done = Folder(folder).manage("audit", stdout=writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_settings_of_the_opened_house_are_found_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave() -> None:
        for name in (*data_dir.KEYS, *data_dir.KEPT):
            os.environ.pop(name, None)

    def found(*names: str) -> list[str]:
        leave()
        data_dir.move_in(folder)
        return [os.environ[name] for name in names]

    where = ("REDIS_URL", "DEMO", "SECRET_KEY", "SEALING_KEYS", "DATA_DIR")
    expected = [f"unix://{folder}/valkey.sock", "1", KEYS["SECRET_KEY"], KEYS["SEALING_KEYS"]]
    assert found(*where) == [*expected, str(folder)]
    elsewhere = f"sqlite:///{folder}/elsewhere.sqlite3"
    given = {"DEMO": "0", "DATABASE_URL": elsewhere, "REDIS_URL": "redis://there/0", "PATH": "x"}
    leave()
    data_dir.remember(folder, given)
    assert (folder / "settings.json").stat().st_mode & 0o077 == 0
    assert found("REDIS_URL", "DATABASE_URL", "DEMO") == ["redis://there/0", elsewhere, "0"]
    assert "PATH" not in (folder / "settings.json").read_text()
    # What the environment says itself is kept.
    leave()
    monkeypatch.setenv("REDIS_URL", "redis://mine/0")
    data_dir.move_in(folder)
    assert os.environ["REDIS_URL"] == "redis://mine/0"

    leave()
    monkeypatch.setenv("SEALING_KEYS", KEYS["SEALING_KEYS"])
    data_dir.remember(folder, given)
    assert KEYS["SEALING_KEYS"] not in (folder / "settings.json").read_text()
    data_dir.move_in(folder)
    with pytest.raises(data_dir.CannotOpen, match="was opened with SEALING_KEYS from the env"):
        found()
    monkeypatch.setenv("DATA_DIR", str(folder))
    assert manage.main() == 1
    assert "was opened with SEALING_KEYS" in capsys.readouterr().err


def test_nothing_is_mixed_into_another_house(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forgotten key is missed; that of the house nearby is not taken for it."""
    for missing in (*KEYS, *set(PRODUCTION) - {"SECRET_KEY", "DATABASE_URL"}):
        with monkeypatch.context() as its_own:
            for name, value in PRODUCTION.items():
                its_own.setenv(name, value)
            its_own.delenv(missing)
            data_dir.move_in(folder)
            assert missing not in os.environ
    monkeypatch.setenv("DATABASE_URL", PRODUCTION["DATABASE_URL"])
    data_dir.move_in(folder)
    assert not KEYS.keys() & os.environ.keys()


def test_unreadable_keys_are_reported_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "keys.json").write_text("{")
    monkeypatch.setenv("DATA_DIR", str(folder))
    assert manage.main() == 1
    assert "cannot be read" in capsys.readouterr().err


# The others are about one user, make a house where there is one already, want a noted release or
# PostgreSQL, or refuse.
ABOUT_SOMEBODY = {"forget_codes", "appoint", "found", "seed", "evidence", "check_code"}
ABOUT_SOMEBODY |= {"createsuperuser", "demo_history", "grant_rights"}
# What a command is given beside who and why.
WORDS = {
    "maintenance": "maintenance off",
    "report": "report revenue --from 2026-01-01 --to 2026-01-02",
}
COMPLETE = [WORDS.get(name, name) for name in OURS if name not in ABOUT_SOMEBODY]


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize("words", [*COMPLETE, "help", "showmigrations", "export --help"])
def test_a_reader_who_goes_is_no_fault(
    words: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for role in ("manager", "auditor"):
        player = Player.objects.create(username=role)
        appointing.appointed(player, f"{role}s", journal.HOUSE, "a test")
    Currency.objects.create(code="TEST", name="test", kind=Currency.Kind.PLAY)
    given = words.split()
    if given[0] in OURS:
        command = load_command_class(get_commands()[given[0]], given[0])
        if isinstance(command, StaffCommand) and command.always:
            who = "auditor" if given[0] == "export" else "manager"
            given += ("--by", who, "--why", "a test")
    # The connection belongs to the test.
    monkeypatch.setattr(connections, "close_all", lambda: None)
    monkeypatch.setattr(sys, "argv", ["manage.py", *given])
    with gone_reader() as writing, os.fdopen(os.dup(writing), "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        assert manage.main() == 0
    # A report without rows says so.
    said = "Nothing happened from 2026-01-01 to 2026-01-02: no rows.\n"
    assert capfd.readouterr().err == (said if words.startswith("report") else "")
