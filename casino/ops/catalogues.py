"""Compile translations without gettext's programs, which few machines have.

The compiled files are not in the repository; they are generated if they are older than their
sources, which takes a few milliseconds. Run `python -m casino.ops.catalogues` when you deploy.
"""

import os
from pathlib import Path

import polib

from casino.ops.private_files import TOP


def compile_catalogues(folder: Path) -> int:
    """Compile the changed catalogues below a folder of languages; return how many there were."""
    stale = [source for source in folder.glob("*/LC_MESSAGES/*.po") if _is_stale(source)]
    for source in stale:
        # Two processes may do this at once while a third one reads.
        made = source.with_suffix(f".mo.{os.getpid()}")
        polib.pofile(source).save_as_mofile(made)
        made.replace(source.with_suffix(".mo"))
    return len(stale)


def _is_stale(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime


if __name__ == "__main__":
    compile_catalogues(TOP / "casino" / "locale")
