"""Break the rules on purpose, one small change at a time, and see whether a test notices.

`python -m bench.mutation [PART ...]` takes the modules whose path holds one of the parts (all of
them without any), makes each change in a process of its own and runs the tests there. A change
that no test notices has survived; it is printed with its line, and is either a missing test or a
change that makes no difference. Wording is left alone: texts with a space in them, docstrings,
annotations.
"""

import ast
import importlib.abc
import importlib.machinery
import os
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "games" / "rules"
TESTS = ROOT / "tests" / "rules"
# The bots play by what the rules and odds say.
BOTS_TESTS = ROOT / "tests" / "bots"
# A `sitecustomize` that Python runs in every process the tests start, and the variable that names
# the change to it.
HOOK = ROOT / "bench" / "mutation_hook"
CHANGE = "MUTATION_CHANGE"
PROCESSES = 2
# Of working time: on a machine with much else to do a wait is no loop.
SECONDS_MAX = 120
SURVIVED, NOTICED = 0, 1

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}


class Mutant(NamedTuple):
    """One change of one module: which place, and which of the changes that can be made there."""

    path: Path
    line: int
    change: str
    place: int
    choice: int

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}  {self.change}"

    def tree(self) -> ast.Module:
        """The module with the change made."""
        tree = ast.parse(self.path.read_text())
        node = next(node for at, node in enumerate(_places(tree)) if at == self.place)
        _, apply = _changes(node)[self.choice]
        apply(node)
        return ast.fix_missing_locations(tree)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every change of a module, in the order of its lines."""
    for place, node in enumerate(_places(ast.parse(path.read_text()))):
        for choice, (change, _) in enumerate(_changes(node)):
            yield Mutant(path, node.lineno, change, place, choice)


def _places(tree: ast.AST) -> Iterator[Any]:
    """The expressions that do something; not annotations, decorators, texts or type aliases."""
    skipped = ("annotation", "returns", "decorator_list")
    for name, value in ast.iter_fields(tree):
        if name in skipped:
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or _says_nothing(node):
                continue
            if hasattr(node, "lineno"):
                yield node
            yield from _places(node)


def _says_nothing(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Assert):
        return True
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("Literal", "Annotated", "Union")
    )


def _changes(node: ast.AST) -> list[tuple[str, Callable[[ast.AST], None]]]:
    """What can be done to this node, each as a word and a function that does it."""
    if isinstance(node, ast.Compare):
        return [_swap(at, type(op)) for at, op in enumerate(node.ops) if type(op) in SWAPS]
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
        return [_swap(None, type(node.op))]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return [("drop the sign or the not", _drop_operator)]
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [("turn the condition round", _negate_test)]
    if isinstance(node, ast.Constant):
        return _constant_changes(node.value)
    return []


def _constant_changes(value: object) -> list[tuple[str, Callable[[ast.AST], None]]]:
    if isinstance(value, bool):
        return [(f"{value} to {not value}", lambda node: _set_value(node, not value))]
    if isinstance(value, int):
        return [(f"{value} to {value + 1}", lambda node: _set_value(node, value + 1))]
    if isinstance(value, str) and value and " " not in value:
        return [(f"'{value}' to another", lambda node: _set_value(node, value + "_"))]
    return []


def _swap(at: int | None, kind: type[ast.AST]) -> tuple[str, Callable[[ast.AST], None]]:
    other = SWAPS[kind]

    def apply(node: Any) -> None:
        if at is None:
            node.op = other()
        else:
            node.ops[at] = other()

    return f"{kind.__name__} to {other.__name__}", apply


def _set_value(node: Any, value: object) -> None:
    node.value = value


def _drop_operator(node: Any) -> None:
    node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
    node.operand = node.operand if isinstance(node.op, ast.UAdd) else _not(node.operand)


def _negate_test(node: Any) -> None:
    node.test = _not(node.test)


def _not(expression: Any) -> ast.UnaryOp:
    return ast.UnaryOp(op=ast.Not(), operand=expression)


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the changed module to whoever imports it."""

    def __init__(self, mutant: Mutant) -> None:
        parts = mutant.path.relative_to(ROOT).with_suffix("").parts
        self.name = ".".join(parts)
        self.mutant = mutant

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=str(self.mutant.path))

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self.mutant.path)
        exec(self.get_code(self.name), module.__dict__)

    def get_code(self, _fullname: str) -> CodeType:
        """What `python -m` asks for."""
        return compile(self.mutant.tree(), str(self.mutant.path), "exec")


def inherit() -> None:
    """In a process that the tests have started: make the change that they are run against."""
    path, place, choice = os.environ[CHANGE].rsplit(":", 2)
    sys.meta_path.insert(0, _Changed(Mutant(Path(path), 0, "", int(place), int(choice))))


def run_tests(mutant: Mutant | None, tests: Sequence[str]) -> int:
    """In this process, which is not to be used again: whether the tests notice a change."""
    import pytest  # Here, as the processes that the tests start have no need of it.

    # What loops for ever is stopped, in the processes of the tests too.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if mutant:
        sys.meta_path.insert(0, _Changed(mutant))
        os.environ[CHANGE] = f"{mutant.path}:{mutant.place}:{mutant.choice}"
        os.environ["PYTHONPATH"] = f"{HOOK}{os.pathsep}{ROOT}"
    verdict = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    return SURVIVED if verdict == pytest.ExitCode.OK else NOTICED


def _unchanged(tests: Sequence[str]) -> int:
    """Tests that fail anyway, or of which none is found, would seem to notice everything."""
    child = os.fork()
    if not child:
        os._exit(run_tests(None, tests))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def survivors(chosen: Sequence[Mutant], tests: Sequence[str]) -> list[Mutant]:
    """The changes that these tests let pass; a process each, a few at a time."""
    if chosen and _unchanged(tests) != SURVIVED:
        sys.exit(f"These tests do not pass even without a change: {' '.join(tests)}")
    left = []
    running: dict[int, Mutant] = {}
    waiting = list(reversed(chosen))
    done = 0
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            mutant = waiting.pop()
            child = os.fork()
            if not child:
                os._exit(run_tests(mutant, tests))
            running[child] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        done += 1
        if os.waitstatus_to_exitcode(status) == SURVIVED:
            left.append(mutant)
        if not done % 50:
            print(f"{done} of {len(chosen)} tried, {len(left)} survived", flush=True)
    return left


def own_tests(path: Path) -> list[str]:
    """The test files that carry a module's name: the likeliest to notice, so they run first."""
    return [str(test) for test in sorted(TESTS.glob(f"test_{path.stem}*.py"))]


def main(parts: Sequence[str]) -> int:
    paths = [
        path
        for path in sorted(RULES.rglob("*.py"))
        if not parts or any(part in str(path) for part in parts)
    ]
    every_test = [
        str(test) for folder in (TESTS, BOTS_TESTS) for test in sorted(folder.glob("test_*.py"))
    ]
    count, left = 0, []
    for path in paths:
        changes = list(mutants(path))
        count += len(changes)
        left += survivors(changes, own_tests(path)) if own_tests(path) else changes
    for kind in ("not long", "long"):
        print(f"{len(left)} of {count} left before the tests that are {kind}", flush=True)
        left = survivors(left, [*every_test, "-m", kind])
    print(f"{len(left)} of {count} survived:", *left, sep="\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
