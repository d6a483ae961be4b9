"""The files of the machine with a house's own values: units, site, nightly backup, checklist.

`docs/deploy` has the examples. Each value in them is replaced by a setting of this house.
"""

import getpass
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from casino.ops.private_files import TOP, make_folder

EXAMPLES: Final = TOP / "docs" / "deploy"
CHECKLIST: Final = "checklist.txt"


def write(folder: Path) -> list[Path]:
    """Write the files into a folder, over earlier ones; nothing without the examples."""
    if not EXAMPLES.is_dir():
        return []
    make_folder(folder)
    written = []
    for name, text in sorted(files(folder).items()):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def files(folder: Path) -> dict[str, str]:
    values = _values(folder)
    found = {path.name: _replaced(path, values) for path in _examples()}
    if connection.vendor == "sqlite":
        # The backup is a dump of PostgreSQL.
        found = {name: text for name, text in found.items() if "backup" not in name}
    return found


def _examples() -> Iterator[Path]:
    yield from (EXAMPLES / "systemd").glob("card-room-*")
    yield EXAMPLES / "nginx.conf"
    yield EXAMPLES / CHECKLIST


def _values(folder: Path) -> dict[str, str]:
    """The text of the examples, and this house's value, the longest first."""
    database = settings.DATABASES["default"]
    hosts = [host for host in settings.ALLOWED_HOSTS if host.strip("*.") not in ("", "localhost")]
    return {
        "docs/deploy/systemd/": f"{folder}/",
        "docs/deploy/nginx.conf": f"{folder}/nginx.conf",
        "/var/lib/card-room-anchors": str(settings.ANCHORS_FILE.parent),
        "StateDirectory=card-room\nStateDirectoryMode=0700": f"ReadWritePaths={settings.DATA_DIR}",
        "/srv/card-room/.venv": sys.prefix,
        "/var/lib/card-room": str(settings.DATA_DIR),
        "/srv/card-room": str(TOP),
        "User=card-room\n": f"User={getpass.getuser()}\n",
        "account `card-room`": f"account `{getpass.getuser()}`",
        "/var/run/postgresql": str(database.get("HOST") or "/var/run/postgresql"),
        " cardroom'": f" {database['NAME']}'",
        "cards.example": hosts[0] if hosts else "cards.example",
    }


def _replaced(path: Path, values: Mapping[str, str]) -> str:
    """Replace each value once, so that no value is found in another."""
    text = path.read_text(encoding="utf-8")
    for number, there in enumerate(values):
        text = text.replace(there, f"\0{number}\0")
    for number, here in enumerate(values.values()):
        text = text.replace(f"\0{number}\0", here)
    return text
