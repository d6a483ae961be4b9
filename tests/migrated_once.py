"""A migrated SQLite database that is made once, and copied for each process and house of tests.

To migrate takes as long as a hundred tests do. The database is kept beside pytest's own cache, for
all stages and later runs, under a name that changes with the migrations and with Django. A process
of the tests begins with a copy: Django finds nothing left to migrate in it, and makes content types
and permissions that have come since.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import django

from tests.casino.processes import KEYS, environment

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("casino", "games", "tournaments", "wallets")


def fingerprint() -> str:
    found = hashlib.sha256(django.__version__.encode())
    files = (file for name in PACKAGES for file in (ROOT / name).rglob("migrations/*.py"))
    for file in sorted([*files, *ROOT.glob("requirements.txt")]):
        found.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:16]


def migrated_once(folder: Path) -> Path:
    """The migrated database in this folder; it is made there if there is none yet."""
    kept = folder / f"{fingerprint()}.sqlite3"
    with (folder / "lock").open("w") as lock:
        # Whoever comes while the first one migrates waits for it.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            for old in folder.glob("*.sqlite3"):
                old.unlink()
            _migrate(kept)
    return kept


def _migrate(kept: Path) -> None:
    """By the command of a house, which closes the file before anybody copies it."""
    with tempfile.TemporaryDirectory(dir=kept.parent) as house:
        variables = environment(Path(house), DEMO="1", REDIS_URL="redis://127.0.0.1:1/0", **KEYS)
        command = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(command, cwd=ROOT, env=variables, check=True)
        shutil.move(Path(house) / "house.sqlite3", kept)
