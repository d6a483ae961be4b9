"""The table of docs/ledger.md has every kind and reason of a posting that the source has."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from docs.checks.tree import File, Finding, Tree, section

PAGE: Final = "docs/ledger.md"
HEADING: Final = "## Who and why"
ROW: Final = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
# A reason that staff type.
TYPED: Final = "as typed"
# Chips that are no money: the tests of evenings and of events follow who issues and burns them.
CHIPS: Final = frozenset({"chips_issued", "chips_burnt"})
TREES: Final = ("games/", "wallets/", "casino/")
# A seed gives an empty house a history, with reasons as staff would type them.
SEEDED: Final = "/seeding/"
# The place of the kind in the arguments of a call that posts.
POSTS: Final = {"post": 1, "move_cash": 0, "_post_transfer": 0, "_post_legs": 0}
CASHIER: Final = "wallets/money/cashier.py"
IMPORTS: Final = re.compile(r"wallets\.money")


def kinds(tree: Tree) -> Iterator[Finding]:
    posted = {kind for file in tree.under(*TREES) for kind in _kinds_in(file)} - CHIPS
    yield from _differences(posted, {kind for kind, _reason in _rows(tree)}, "kind")


def reasons(tree: Tree) -> Iterator[Finding]:
    files = [file for file in tree.under(*TREES) if SEEDED not in file.path]
    given = {reason for file in files for reason in _reasons_in(file)}
    yield from _differences(given, {reason for _kind, reason in _rows(tree)} - {TYPED}, "reason")


def _rows(tree: Tree) -> list[tuple[str, str]]:
    rows = ROW.findall(section(tree[PAGE], HEADING))
    return [(kind, reason.strip()) for kind, reason in rows]


def _differences(source: set[str], page: set[str], what: str) -> Iterator[Finding]:
    for name in sorted(source - page):
        yield Finding(PAGE, 1, f"The table lacks the {what} {name!r}, which the source has.")
    for name in sorted(page - source):
        yield Finding(PAGE, 1, f"The table has the {what} {name!r}, which the source lacks.")


def _kinds_in(file: File) -> Iterator[str]:
    """The kinds of the postings that a module makes, as its calls name them."""
    if not re.search(r"\b(?:post|move_cash|_post_transfer|_post_legs)\(", file.code):
        return
    named = {
        name: value.value for name, value in _assigned(file) if isinstance(value, ast.Constant)
    }
    for node in file.syntax:
        if isinstance(node, ast.Call) and (place := POSTS.get(_called(node.func))) is not None:
            if len(node.args) <= place:
                continue
            kind = node.args[place]
            # Verbs of the cashier pass their argument on; their callers are found by themselves.
            for branch in (kind.body, kind.orelse) if isinstance(kind, ast.IfExp) else (kind,):
                if isinstance(branch, ast.Constant):
                    yield str(branch.value)
                elif isinstance(branch, ast.Name) and branch.id in named:
                    yield str(named[branch.id])
                elif file.path != CASHIER:
                    yield f"line {node.lineno} of {file.path}, which is no constant"


def _called(function: ast.expr) -> str:
    """What is called: `post` by itself, or a verb of the cashier."""
    if isinstance(function, ast.Attribute):
        return function.attr if getattr(function.value, "id", "") == "cashier" else ""
    return getattr(function, "id", "")


def _reasons_in(file: File) -> Iterator[str]:
    """The reasons of the house in a module that posts: its texts to translate."""
    if "_n(" not in file.text or not IMPORTS.search(file.text):
        return
    imported = {
        f"{node.module}.{alias.name}"
        for node in file.syntax
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    if not any(
        name.startswith(("wallets.money.cashier", "wallets.money.ledger.post")) for name in imported
    ):
        return
    for _name, value in _assigned(file):
        for reason in value.values if isinstance(value, ast.Dict) else [value]:
            if isinstance(reason, ast.Call) and getattr(reason.func, "id", "") == "_n":
                yield ast.literal_eval(reason.args[0])


def _assigned(file: File) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module assigns at its top level."""
    module = file.syntax[0]
    assert isinstance(module, ast.Module)
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
