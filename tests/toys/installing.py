"""Installs the example of a game, and games that a test has written, beside the house."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from casino.ops.catalogues import compile_catalogues
from tests.houses.surroundings import REPOSITORY

SETUP: Final = "import setuptools; setuptools.setup()"


def run(*arguments: object, folder: Path, **variables: str) -> None:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def install(source: Path, target: Path) -> None:
    """Install a package as it says itself, without an environment of its own."""
    where = ("--install-lib", target, "--single-version-externally-managed")
    run("-c", SETUP, "install", *where, "--record", target.with_suffix(".files"), folder=source)


def install_holdem(folder: Path) -> Path:
    """The folder with the example of a game, installed."""
    source, target = folder / "source", folder / "site"
    shutil.copytree(REPOSITORY / "docs" / "examples" / "texas_holdem", source)
    for catalogues in source.glob("*/locale"):
        compile_catalogues(catalogues)
    install(source, target)
    return target
