"""`manage.py` beside a house: it finds its settings, and minds no reader who goes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from casino import data_dir
from tests.casino.processes import KEYS, environment
from tests.casino.test_serving import PRODUCTION
from wallets.staff_command import StaffCommand

pytestmark = pytest.mark.processes

OURS = sorted(name for name, app in get_commands().items() if app.startswith(("ca", "ga", "wal")))
WHERE = """
from django.conf import settings
print(settings.SECRET_KEY, settings.REDIS_URL, settings.DATABASES["default"]["NAME"], settings.DEMO)
"""


def run(
    folder: Path, *words: str, stdout: int = subprocess.PIPE, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        env=environment(folder, **variables),
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a house that has been prepared, and is closed; nobody made the folder first."""
    folder = tmp_path_factory.mktemp("houses") / "not" / "yet" / "there"
    variables = environment(folder, DEMO="1", REDIS_URL=f"unix://{folder}/valkey.sock", **KEYS)
    subprocess.run([sys.executable, "-m", "casino.prepare"], env=variables, check=True)
    (folder / "keys.json").write_text(str(KEYS).replace("'", '"'))
    return folder


def test_an_auditor_needs_no_settings(folder: Path) -> None:
    done = run(folder, "audit")
    assert (done.returncode, done.stderr) == (0, "")
    found = run(folder, "shell", "-v0", "-c", WHERE).stdout.split()
    database = f"{folder}/house.sqlite3"
    assert found == [
        *KEYS["SECRET_KEY"].split(),
        f"unix://{folder}/valkey.sock",
        database,
        "True",
    ]


def test_settings_of_the_opened_house_are_found_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in data_dir.KEYS:
        monkeypatch.delenv(name, raising=False)
    elsewhere = f"sqlite:///{folder}/elsewhere.sqlite3"
    given = {
        "DEMO": "0",
        "DATABASE_URL": elsewhere,
        "REDIS_URL": "redis://there/0",
        "PATH": "x",
    }
    data_dir.remember(folder, given)
    try:
        assert (folder / "settings.json").stat().st_mode & 0o077 == 0
        found = run(folder, "shell", "-v0", "-c", WHERE).stdout.split()[-3:]
        assert found == ["redis://there/0", f"{folder}/elsewhere.sqlite3", "False"]

        monkeypatch.setenv("SEALING_KEYS", KEYS["SEALING_KEYS"])
        data_dir.remember(folder, given)
        assert KEYS["SEALING_KEYS"] not in (folder / "settings.json").read_text()
        refused = run(folder, "check")
        assert refused.returncode == 1
        assert "was opened with SEALING_KEYS from the environment" in refused.stderr
        assert run(folder, "check", SEALING_KEYS=KEYS["SEALING_KEYS"]).returncode == 0
    finally:
        (folder / "settings.json").unlink()


def test_nothing_is_mixed_into_another_house(folder: Path) -> None:
    """A key that somebody forgot is missed; that of the house nearby is not taken for it."""
    # A house without a key for push calls nobody back.
    for name in set(data_dir.KEYS) - {"PUSH_KEY"}:
        done = run(folder, "check", **{key: PRODUCTION[key] for key in PRODUCTION if key != name})
        assert f"{name} is not set" in done.stderr
    done = run(folder, "check", DATABASE_URL=PRODUCTION["DATABASE_URL"])
    assert "SECRET_KEY is not set" in done.stderr


def test_unreadable_keys_are_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{")
    done = run(tmp_path, "check")
    assert done.returncode == 1
    assert "cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


# The others are about somebody, make a house where there is one already, or want a noted release.
ABOUT_SOMEBODY = {"forget_codes", "appoint", "found", "seed", "evidence", "check_code"}
# What a command is given beside who and why.
WORDS = {
    "maintenance": "maintenance off",
    "report": "report revenue --from 2026-01-01 --to 2026-01-02",
}
COMPLETE = [WORDS.get(name, name) for name in OURS if name not in ABOUT_SOMEBODY]


@pytest.mark.parametrize("words", [*COMPLETE, "help", "check", "showmigrations", "export --help"])
def test_a_reader_who_goes_is_no_fault(folder: Path, words: str) -> None:
    given = words.split()
    if given[0] in OURS:
        command = load_command_class(get_commands()[given[0]], given[0])
        if isinstance(command, StaffCommand) and command.always:
            who = "auditor" if given[0] == "export" else "manager"
            given += ("--by", who, "--why", "a test")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run(folder, *given, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
