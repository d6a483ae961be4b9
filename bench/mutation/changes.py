"""The small changes that can be made to a module, and an even sample of them over all packages.

A change reverses a comparison, raises a number, negates a condition or renames a key. Wording is
left alone: texts with a space in them, docstrings, annotations.
"""

import ast
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGES: Final = ("casino", "games", "tournaments", "wallets")

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
        node = next(node for at, node in enumerate(places(tree)) if at == self.place)
        _, apply = _changes(node)[self.choice]
        apply(node)
        return ast.fix_missing_locations(tree)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every change of a module, in the order of its lines."""
    for place, node in enumerate(places(ast.parse(path.read_text()))):
        for choice, (change, _) in enumerate(_changes(node)):
            yield Mutant(path, node.lineno, change, place, choice)


def places(tree: ast.AST) -> Iterator[Any]:
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
            yield from places(node)


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


def modules() -> Iterator[Path]:
    """The modules of the product; migrations are history, and phrases are wording."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts and path.name != "phrases.py":
                yield path


def package_of(path: Path) -> str:
    """The package a change is counted under: `games.tables`, or `wallets` for a loose module."""
    parts = path.relative_to(ROOT).parts
    return ".".join(parts[:2]) if len(parts) > 2 else parts[0]


@cache
def sample(number: int, seed: int) -> list[Mutant]:
    """So many changes, spread over all packages by the square root of their sizes.

    A change's place in the draw depends on itself alone, so that a module that changes does not
    change what is drawn from the others.
    """
    packages: dict[str, list[Mutant]] = defaultdict(list)
    for path in modules():
        packages[package_of(path)] += mutants(path)
    whole = sum(sqrt(len(package)) for package in packages.values())
    drawn = []
    for package in packages.values():
        ranked = sorted(package, key=lambda mutant: rank(mutant, seed))
        drawn += ranked[: max(1, round(number * sqrt(len(package)) / whole))]
    return sorted(drawn)


def rank(mutant: Mutant, seed: int) -> str:
    """The place of a change in the draw."""
    where = mutant.path.relative_to(ROOT)
    return hashlib.sha256(f"{seed} {where} {mutant.place} {mutant.choice}".encode()).hexdigest()
