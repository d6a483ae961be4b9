"""Types are built before a program has threads, so that no two threads build one at once."""

import ast
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from tests.casino.first_use import ROOTS
from tests.signals import PYTHON

# By function of msgspec: where it takes the type.
DECODES = {"convert": 1, "decode": 1, "Decoder": 0}


@pytest.mark.processes
@pytest.mark.parametrize(
    "program",
    [
        "web",
        pytest.param("worker", marks=pytest.mark.release),
        pytest.param("sweeper", marks=pytest.mark.release),
    ],
)
def test_eight_threads_may_need_any_type_at_once(program: str) -> None:
    """A type that two threads build ends the process: msgspec shows it half built."""
    done = subprocess.run(
        [*PYTHON, "-m", "tests.casino.first_use", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "not built: []\nnot imported: []\n"), done.stderr


def test_only_structs_and_plain_values_are_decoded(repository: Path) -> None:
    """Tuples with names, dictionaries with types and dataclasses are built with the Structs that
    have them, and would be built too late by themselves."""
    kinds = {
        leaf
        for root in ROOTS
        for file in (repository / root).rglob("*.py")
        if b"msgspec" in file.read_bytes() and file.stem != "__main__"
        for kind in decoded(file, ".".join(file.relative_to(repository).with_suffix("").parts))
        for leaf in leaves(kind)
    }
    with_fields = {
        kind for kind in kinds if isinstance(kind, type) and "__annotations__" in vars(kind)
    }
    assert len(with_fields) > 5
    assert all(issubclass(kind, msgspec.Struct) for kind in with_fields), with_fields


def decoded(file: Path, module: str) -> Iterator[object]:
    """The types that a module names where it decodes; others are types of games."""
    for call in ast.walk(ast.parse(file.read_bytes())):
        if not isinstance(call, ast.Call):
            continue
        place = DECODES.get(ast.unparse(call.func).rpartition(".")[2])
        given = [word.value for word in call.keywords if word.arg == "type"]
        given += call.args[place : place + 1] if place is not None else []
        names = vars(import_module(module)) if given else {}
        for kind in given:
            with suppress(NameError):
                yield eval(ast.unparse(kind), names)


def leaves(kind: object) -> Iterator[object]:
    parts = get_args(kind)
    if not parts:
        yield kind
    for part in parts:
        yield from leaves(part)
