"""The code of this process: version, rules, and a hash over the files it was started with.

The same on every report, so that a figure can be traced to the code that made it. The files are
read once a process: an upgrade counts from the next process on.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from casino.ops.private_files import TOP
from games.rules.catalogue import EDITIONS, GAMES, game_type, installed_folders

PACKAGES: Final = ("casino", "games", "tournaments", "wallets")
# Programs, and the statements that PostgreSQL runs for them.
ENDINGS: Final = (".py", ".sql")
SHORT: Final = 12


@dataclass(frozen=True)
class RunningCode:
    """`rules` says by which version of its rules each game is played, and by which edition."""

    version: str
    rules: dict[str, str]
    sha256: str

    @property
    def short(self) -> str:
        return self.sha256[:SHORT]

    @property
    def rules_line(self) -> str:
        return " ".join(f"{game}={version}" for game, version in self.rules.items())

    @property
    def line(self) -> str:
        """All of it on one line without a comma, as the last line of a CSV file."""
        return f"card-room {self.version}; rules {self.rules_line}; code sha256:{self.sha256}"

    def to_json(self) -> dict[str, object]:
        return asdict(self)


@cache
def running_code() -> RunningCode:
    return RunningCode(_version(TOP), _rules(), code_on_disk())


def code_on_disk() -> str:
    """The hash over the house's code, and over the games of installed packages."""
    return sha256_of(TOP, installed_folders())


def sha256_of(top: Path, installed: Mapping[str, Path] = MappingProxyType({})) -> str:
    """The hash over names and contents of all files of the packages, by name."""
    folders = {package: top / package for package in PACKAGES} | dict(installed)
    files = sorted(
        (f"{package}/{file.relative_to(folder).as_posix()}", file)
        for package, folder in folders.items()
        for file in folder.rglob("*")
        if file.suffix in ENDINGS and file.is_file()
    )
    whole = hashlib.sha256()
    for name, file in files:
        # The hash of each file has one length, so no name can pass for the end of a content.
        whole.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def _version(top: Path) -> str:
    project = top / "pyproject.toml"
    if not project.is_file():
        return "unknown"
    return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])


def _rules() -> dict[str, str]:
    return {
        game: f"{game_type(game).rules_version}.{EDITIONS.get(game, 1)}" for game in sorted(GAMES)
    }
