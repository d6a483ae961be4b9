"""A migrated SQLite database that is made once, and copied for each process of the tests.

To migrate takes every process as long as a hundred tests do. The copy is kept beside pytest's own
cache, under a name that changes with the migrations and with Django; Django itself then finds
nothing left to migrate, and makes content types and permissions that have come since.
"""

import fcntl
import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import django

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("casino", "games", "tournaments", "wallets")


def fingerprint() -> str:
    found = hashlib.sha256(django.__version__.encode())
    files = (file for name in PACKAGES for file in (ROOT / name).rglob("migrations/*.py"))
    for file in sorted([*files, *ROOT.glob("requirements.txt")]):
        found.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:16]


@contextmanager
def migrated_once(folder: Path, database: Path) -> Iterator[None]:
    """Begin with a copy of the migrated database; where there is none yet, keep what is made."""
    kept = folder / f"{fingerprint()}.sqlite3"
    with (folder / "lock").open("w") as lock:
        # Whoever comes while the first one migrates waits for its copy.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kept.exists():
            shutil.copy(kept, database)
            fcntl.flock(lock, fcntl.LOCK_UN)
            yield
            return
        yield
        for old in folder.glob("*.sqlite3"):
            old.unlink()
        made = kept.with_suffix(".new")
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(made)) as target:
            source.backup(target)
        made.rename(kept)
