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

pytestmark = [pytest.mark.processes, pytest.mark.release]

TELL = (
    "import os, psycopg; psycopg.connect(os.environ['DATABASE_URL']);"
    "print(os.environ['DATABASE_URL'], flush=True); print(os.getpid(), flush=True); input()"
)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_it_is_stopped(how: signal.Signals) -> None:
    try:
        assert cluster.installed() or cluster.fetched()
    except cluster.Missing:
        pytest.skip("no PostgreSQL can be had here")
    process = subprocess.Popen(
        [*PYTHON, "-m", "tests.cluster", sys.executable, "-c", TELL],
        env={name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    url = process.stdout.readline().strip()
    folder = Path(unquote(urlsplit(url).netloc.removeprefix("house@")))
    command = int(process.stdout.readline())
    postmaster = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    process.send_signal(how)
    process.wait()
    until(lambda: not folder.exists())
    until(lambda: not alive(command) and not alive(postmaster))
    process.communicate()
