"""The findings of `manage.py check` about the house's files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core import checks

from casino.ops.databases import SQLITE
from casino.ops.private_files import open_to_others
from wallets.storage.replica import PRIMARY

NAMED_MAX: Final = 10


@checks.register(checks.Tags.security)
def files_are_private(**_options: Any) -> list[checks.CheckMessage]:
    """Name what others on this machine can read of the data, wherever the database is."""
    found = sorted(set(_open_files()))
    if not found:
        return []
    named = ", ".join(map(str, found[:NAMED_MAX]))
    more = f" and {len(found) - NAMED_MAX} more" if len(found) > NAMED_MAX else ""
    return [
        checks.Warning(
            f"Others on this machine have rights to the data of the house: {named}{more}.",
            hint=f"Take them away: chmod --recursive go= {settings.DATA_DIR}",
            id="casino.W001",
        )
    ]


def _open_files() -> Iterator[Path]:
    yield from open_to_others(Path(settings.DATA_DIR))
    database = settings.DATABASES[PRIMARY]
    if database["ENGINE"] == SQLITE:
        for ending in ("", "-wal", "-shm", "-journal"):
            yield from open_to_others(Path(f"{database['NAME']}{ending}"))
