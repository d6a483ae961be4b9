"""Translations, compiled without gettext's programs: few machines have them.

The compiled files are not kept in the repository; they are made where they are older than their
sources, which takes a few milliseconds. Run as `python -m casino.catalogues` when deploying.
"""

import os
from pathlib import Path

import polib


def compile_catalogues(folder: Path) -> int:
    """Compile whatever changed below a folder of languages; how many files that were."""
    stale = [source for source in folder.glob("*/LC_MESSAGES/*.po") if _is_stale(source)]
    for source in stale:
        # Two processes may do this at once, and a third may be reading.
        made = source.with_suffix(f".mo.{os.getpid()}")
        polib.pofile(source).save_as_mofile(made)
        made.replace(source.with_suffix(".mo"))
    return len(stale)


def _is_stale(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime


if __name__ == "__main__":
    compile_catalogues(Path(__file__).resolve().parent / "locale")
