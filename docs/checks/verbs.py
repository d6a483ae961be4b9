"""Every verb of the record is declared once, may change some table, and stands in the list.

Verbs of staff are those of the journal; the others begin with their kind.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from docs.checks.tree import PRODUCT, File, Finding, Tree

LIST: Final = "docs/verbs.txt"
PREFIXED: Final = re.compile(r"(?:player|house|setup):[a-z_.]+")
DECLARES: Final = ("verb", "declare")
DECLARATIONS: Final = "wallets.values.columns import"
NAME: Final = re.compile(r"[a-z]+(?::[a-z_.]+|[a-z_]*\.[a-z_]+)")
# Declared where every process knows it.
IN_DECLARATIONS: Final = ("setup:migrate", "house:record.write_late")


def declared(tree: Tree) -> Iterator[Finding]:
    """Each verb of players and programs is declared once, and allowed by some table."""
    counts = Counter(name for file in tree.under(*PRODUCT) for name in _declared_in(file))
    counts.update(dict.fromkeys(IN_DECLARATIONS, 1))
    allowed = {name for file in tree.under(*PRODUCT) for name in _allowed_in(file)}
    for name, times in sorted(counts.items()):
        if times > 1:
            yield Finding(LIST, 1, f"The verb {name} is declared {times} times.")
        if name not in allowed and name not in IN_DECLARATIONS and not name.startswith("setup:"):
            yield Finding(LIST, 1, f"No table names the verb {name} in `by`.")
    for name in sorted(allowed - counts.keys()):
        if PREFIXED.fullmatch(name):
            yield Finding(LIST, 1, f"A table names the verb {name}, which is not declared.")


def listed(tree: Tree) -> Iterator[Finding]:
    """The list has all verbs, those of staff among them."""
    if tree[LIST].text != list_of(tree):
        yield Finding(LIST, 1, "The verbs have changed: run python -m docs.verbs.")


def list_of(tree: Tree) -> str:
    """Every verb, one a line."""
    verbs = {name for file in tree.under(*PRODUCT) for name in _declared_in(file)}
    verbs |= {name for file in tree.under(*PRODUCT) for name in _allowed_in(file)}
    return "\n".join(sorted(verbs.union(IN_DECLARATIONS))) + "\n"


def _declared_in(file: File) -> Iterator[str]:
    if not file.path.endswith(".py") or "wallets.of_record.verbs import" not in file.text:
        return
    for node in file.syntax:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            if node.func.id in DECLARES and isinstance(first, ast.Constant):
                yield str(first.value)


def _allowed_in(file: File) -> Iterator[str]:
    """The names that declarations of columns give as `by`, in constants of the module, too."""
    if not file.path.endswith(".py") or DECLARATIONS not in file.text:
        return
    given = [
        node.value for node in file.syntax if isinstance(node, ast.keyword) and node.arg == "by"
    ]
    named = {node.id for value in given for node in ast.walk(value) if isinstance(node, ast.Name)}
    constants = [
        node.value
        for node in file.syntax
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if node.target.id in named and node.value
    ]
    for node in (part for value in (*given, *constants) for part in ast.walk(value)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (word for word in node.value.split() if NAME.fullmatch(word))
