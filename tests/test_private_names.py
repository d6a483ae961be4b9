"""Tests use what the code offers: none imports, calls or replaces a name that begins with `_`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# What others publish under such names: named tuples, Django's models, admin and cache, and `os`.
PUBLIC = {"_replace", "_asdict", "_fields", "_meta", "_registry", "_cache", "_exit"}
PATCHING = {"setattr", "delattr", "getattr", "patch", "object"}


def is_private(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.startswith("__") and last not in PUBLIC


def uses(source: str) -> Iterator[str]:
    """The private names of others that a module uses; its own objects may have some."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            names = [one.name for one in node.names if one.name != "_"]
        elif isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            names = [] if own else [node.attr]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in PATCHING:
            names = [str(one.value) for one in node.args if isinstance(one, ast.Constant)]
        elif isinstance(node, ast.Tuple):
            # A list of what to replace: pairs of an object and a name.
            match node.elts:
                case [ast.Name(), ast.Constant(value=str(name))]:
                    names = [name]
        yield from (name.rpartition(".")[2] for name in names if is_private(name))


@pytest.mark.parametrize(
    "source",
    [
        "from games.tables.play import _start",
        "play._start()",
        "monkeypatch.setattr(play, '_start', None)",
        "patch('games.tables.play._start')",
        "STEPS = [(play, '_start')]",
    ],
)
def test_a_private_name_is_found(source: str) -> None:
    assert list(uses(source)) == ["_start"]


@pytest.mark.slow
def test_no_test_uses_a_private_name() -> None:
    found = {
        file.relative_to(TESTS).as_posix(): sorted(set(uses(file.read_text("utf-8"))))
        for file in TESTS.rglob("*.py")
        if file != Path(__file__)
    }
    assert len(found) > 200
    assert {name: used for name, used in found.items() if used} == {}
