"""The released code and applied migrations, and how processes, files and rows differ.

A row that is deleted has its migration run again, and one that is added keeps one from running.

`manage.py release` notes the hash in a file next to the data; a house of several machines sets
`RELEASE_HASH` on each instead. The check is made daily and on demand, and reports what it found, so
the alarm `release` stays until a check finds nothing.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from casino.ops.metrics import processes
from casino.ops.running_code import SHORT, code_on_disk, running_code
from wallets.audit.findings import report


def findings(_since: date | None = None) -> Iterator[str]:
    loader = MigrationLoader(connection)
    rows = MigrationRecorder.Migration.objects.values_list("app", "name")
    noted, there = Counter(rows), Counter(loader.disk_migrations.keys())
    for app, name in sorted(there - noted):
        yield f"the migration {name} of {app} is not noted as applied"
    for app, name in sorted(noted - there):
        yield f"the migration {name} of {app} is noted as applied, and there is none, or twice"


NAME: Final = "release"


def file() -> Path:
    return Path(settings.RELEASE_FILE)


def released() -> str:
    """The hash of the release; empty if none was noted."""
    if settings.RELEASE_HASH:
        return str(settings.RELEASE_HASH)
    try:
        return file().read_text("utf-8").strip()
    except FileNotFoundError:
        return ""


def note(sha256: str) -> None:
    """Store the hash, whole or not at all."""
    file().parent.mkdir(parents=True, exist_ok=True)
    beside = file().with_name(f"{file().name}.new")
    beside.write_text(f"{sha256}\n", "utf-8")
    beside.replace(file())


def check(now: datetime) -> list[str] | None:
    """Report what differs from the release, as sentences; None if none was noted.

    Without a release nothing is reported: a house that has never noted one has no alarm, and one
    whose file is gone has the alarm about a check that has not run.
    """
    release = released()
    if not release:
        return None
    differences = list(_differences(release, code_on_disk()))
    report(NAME, len(differences), differences[0] if differences else "", now)
    return differences


def _differences(release: str, on_disk: str) -> Iterator[str]:
    # Without Redis the other processes are unknown: this one answers for itself.
    running = processes.codes() or {running_code().sha256: 1}
    for sha256, number in sorted(running.items()):
        if sha256 != release:
            yield f"{number} running have {sha256[:SHORT]}, and the release {release[:SHORT]}"
    if on_disk != release:
        yield f"the files here have {on_disk[:SHORT]}, and the release {release[:SHORT]}"
