"""Probes that note which of the sampled changes are reached.

A probe precedes each statement that a change would alter, and at the head of each function of
a module that a change would alter while it is imported. A test can only notice a change that it
reaches, so nothing else needs to be run against it.
"""

import ast
import atexit
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import json
import marshal
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Final

from bench.mutation.changes import ROOT, Mutant, places, sample

# A `sitecustomize` that Python runs in every process the tests start.
HOOK: Final = Path(__file__).resolve().parent / "in_processes"
NUMBER: Final = int(os.environ.get("MUTATION_NUMBER", "444"))
SEED: Final = int(os.environ.get("MUTATION_SEED", "1"))
FOLDER: Final = "MUTATION_REACH"
# The change that the processes of a test are to make.
CHANGE: Final = "MUTATION_CHANGE"
CODES: Final = "codes"
NAME: Final = "_reached_by_a_test_"

HITS: set[int] = set()


class Recompiled(importlib.machinery.SourceFileLoader):
    """Loads a module from other code, and leaves the compiled file of the true one alone."""

    def __init__(self, fullname: str, path: str, code: bytes) -> None:
        super().__init__(fullname, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = marshal.loads(self.code)
        return code


class Instead(importlib.abc.MetaPathFinder):
    """Finds the modules that are to be loaded from other code."""

    def __init__(self, codes: Mapping[str, tuple[str, bytes]]) -> None:
        self.codes = codes

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.codes:
            return None
        path, code = self.codes[fullname]
        package = path.endswith("__init__.py")
        return importlib.util.spec_from_file_location(
            fullname,
            path,
            loader=Recompiled(fullname, path, code),
            submodule_search_locations=[str(Path(path).parent)] if package else None,
        )


def compiled(trees: Mapping[Path, ast.Module]) -> dict[str, tuple[str, bytes]]:
    return {
        module_name(path): (str(path), marshal.dumps(compile(tree, str(path), "exec")))
        for path, tree in trees.items()
    }


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def at_import(mutant: Mutant) -> bool:
    """Whether the change is made in what runs when the module is imported."""
    tree = ast.parse(mutant.path.read_text())
    node = next(node for at, node in enumerate(places(tree)) if at == mutant.place)
    return not any(
        node in ast.walk(statement)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in function.body
    )


def probed(path: Path, numbered: Mapping[int, Mutant]) -> ast.Module:
    """The module with a probe before each statement that one of the changes alters."""
    tree = ast.parse(path.read_text())
    nodes = list(places(tree))
    for number, mutant in numbered.items():
        if at_import(mutant):
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    first = int(ast.get_docstring(function) is not None)
                    function.body.insert(first, _probe(number))
        else:
            _insert(tree, nodes[mutant.place], _probe(number))
    return ast.fix_missing_locations(tree)


def _probe(number: int) -> ast.Expr:
    call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number)], [])
    return ast.Expr(call)


def _insert(tree: ast.Module, node: ast.AST, probe: ast.Expr) -> None:
    """Before the innermost statement of a function that holds the node."""
    smallest: tuple[int, list[ast.stmt], int] | None = None
    for block in _blocks(tree):
        for at, statement in enumerate(block):
            size = sum(1 for _ in ast.walk(statement))
            if any(node is part for part in ast.walk(statement)) and (
                smallest is None or size < smallest[0]
            ):
                smallest = (size, block, at)
    assert smallest is not None
    _, block, at = smallest
    block.insert(at, probe)


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef | ast.Module | ast.Match):
            continue
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def prepare(folder: Path) -> None:
    """Compile the modules with their probes once, for all processes."""
    numbered: dict[Path, dict[int, Mutant]] = {}
    for number, mutant in enumerate(sample(NUMBER, SEED)):
        numbered.setdefault(mutant.path, {})[number] = mutant
    trees = {path: probed(path, changes) for path, changes in numbered.items()}
    (folder / CODES).write_bytes(marshal.dumps(compiled(trees)))


def install(hit: Callable[[int], None]) -> None:
    setattr(builtins, NAME, hit)
    codes = marshal.loads((Path(os.environ[FOLDER]) / CODES).read_bytes())
    sys.meta_path.insert(0, Instead(codes))


def in_a_process() -> None:
    """A process that a test started makes the change it is to make, or says what it reaches."""
    if CHANGE in os.environ:
        path, place, choice = os.environ[CHANGE].rsplit(":", 2)
        mutant = Mutant(Path(path), 0, "", int(place), int(choice))
        sys.meta_path.insert(0, Instead(compiled({mutant.path: mutant.tree()})))
    else:
        _append_what_is_reached()


def _append_what_is_reached() -> None:
    """At once: the process may be killed."""
    seen: set[int] = set()
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    file = (Path(os.environ[FOLDER]) / f"process-{os.getpid()}.jsonl").open("a", buffering=1)
    atexit.register(file.close)

    def hit(number: int) -> None:
        if number not in seen:
            seen.add(number)
            file.write(json.dumps({"test": test, "hits": [number]}) + "\n")

    install(hit)


if __name__ == "__main__":
    prepare(Path(os.environ[FOLDER]))
