"""The files of a house, which its owner alone can read: database, keys, sockets, anchors, copies.

Settings begin with `begin`, so each process that has them makes such files only, for any umask was.
Opening the house corrects the rights of files from an older version or a copy, and `manage.py
check` names the others.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

# The folder of the project.
TOP: Final = Path(__file__).resolve().parents[2]

# The rights of all but the owner.
OTHERS: Final = 0o077


def begin() -> None:
    """Files of this process and its children are for their owner only."""
    os.umask(OTHERS)


def make_folder(folder: Path) -> None:
    begin()
    folder.mkdir(parents=True, exist_ok=True)


def open_to_others(folder: Path) -> Iterator[Path]:
    """The folder and what is in it, where others have any right to it; no link is followed."""
    for path in _within(folder):
        # A file that has gone needs no attention.
        with suppress(FileNotFoundError):
            status = path.lstat()
            if status.st_mode & OTHERS and not stat.S_ISLNK(status.st_mode):
                yield path


def close_to_others(folder: Path) -> list[Path]:
    """Take all rights from others, and return where they had any.

    A folder that is not the house's alone is left as it is: there the house would lock others out
    of what is theirs.
    """
    closed: list[Path] = []
    if not _is_ours_alone(folder):
        return closed
    for path in open_to_others(folder):
        with suppress(FileNotFoundError, PermissionError):
            path.chmod(path.stat().st_mode & ~OTHERS)
            closed.append(path)
    return closed


def _within(folder: Path) -> Iterator[Path]:
    if folder.exists():
        yield folder
    for place, folders, files in os.walk(folder):
        yield from (Path(place, name) for name in (*folders, *files))


def _is_ours_alone(folder: Path) -> bool:
    """Whether a folder holds a house and nothing else, as far as one can see.

    A top folder of the machine, a home, and a folder in which others have something, hold more.
    """
    if not folder.is_dir() or len(folder.parts) <= 2 or folder == Path.home():
        return False
    mine = all(path.lstat().st_uid == os.geteuid() for path in (folder, *folder.iterdir()))
    return mine and not folder.stat().st_mode & stat.S_ISVTX
