"""Builds what msgspec knows of each type, in one thread, before others decode anything.

msgspec builds it when a type is first decoded, and lets other threads use it while it is half
built: two visitors who are the first to need the same type can end the process (msgspec 0.22.0).
Each program with threads calls `build` before its first thread works. Types are found by walking
the subclasses of `Struct`, after every module that declares one has been imported.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec
from django.apps import apps

from casino.ops.private_files import TOP
from casino.ops.running_code import PACKAGES
from games.rules.catalogue import GAMES, game_type, installed_folders
from games.rules.contract import action_decoder
from games.rules.record import record_decoder

# A module that declares a type names this class; the others need not be imported.
NAMED: Final = re.compile(rb"\bStruct\b")
# Programs do something when they are imported.
PROGRAM: Final = "__main__"


def build() -> None:
    """Import all modules with types, and build every type; a second call finds them built."""
    for name in _modules_to_import():
        # What cannot be imported is used by no thread.
        with suppress(ImportError):
            import_module(name)
    for key in GAMES:
        # The types of records are made here, and so are the unions of actions.
        action_decoder(game_type(key))
        record_decoder(key)
    for kind in subclasses(msgspec.Struct):
        # What cannot be built is refused whenever it is decoded.
        with suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)


def subclasses(of: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """All classes below this one; one that has two parents among them comes twice."""
    for kind in of.__subclasses__():
        yield kind
        yield from subclasses(kind)


def _modules_to_import() -> Iterator[str]:
    for package, folder in _folders().items():
        for file in folder.rglob("*.py"):
            parts = file.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            if name not in sys.modules and file.stem != PROGRAM and NAMED.search(file.read_bytes()):
                yield name


def _folders() -> dict[str, Path]:
    """By name: all packages of the house, the apps that it has besides, and packages of games."""
    installed = {app.name: Path(app.path) for app in apps.get_app_configs()}
    return {**installed, **{name: TOP / name for name in PACKAGES}, **installed_folders()}
