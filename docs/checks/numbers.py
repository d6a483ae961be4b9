"""Numbers that a person types are written with the digits 0 to 9 (`wallets/values/amounts.py`)."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from docs.checks.tree import PRODUCT, File, Finding, Tree

FIELD: Final = "wallets/office/whole_units.py"
# Forms' fields that read the digits of every script.
FIELDS: Final = frozenset({"IntegerField", "DecimalField", "FloatField"})
FORMS: Final = "django.forms"
# In a text pattern it matches the digits of every script, unless a flag says otherwise.
FLAGS: Final = frozenset({"ASCII", "UNICODE"})
DIGIT: Final = re.compile(r"\\[dD]")


def fields(tree: Tree) -> Iterator[Finding]:
    for file in tree.under(*PRODUCT):
        for node in file.syntax if file.path != FIELD else ():
            if isinstance(node, ast.ImportFrom | ast.Attribute) and _is_field(node):
                yield file.finding(node.lineno, "Use wallets.office.whole_units.NumberField.")


def _is_field(node: ast.ImportFrom | ast.Attribute) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == FORMS and any(name.name in FIELDS for name in node.names)
    of_forms = isinstance(node.value, ast.Name) and node.value.id == "forms"
    return node.attr in FIELDS and of_forms


def patterns(tree: Tree) -> Iterator[Finding]:
    """A pattern with `\\d` also has re.ASCII, or it matches the digits of other scripts."""
    for file in tree.under(*PRODUCT):
        for call in _calls(file):
            texts = [node for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
            has_digit = any(
                isinstance(text.value, str) and DIGIT.search(text.value) for text in texts
            )
            if has_digit and not FLAGS & set(re.findall(r"[A-Z]+", ast.unparse(call))):
                yield file.finding(call.lineno, "Write [0-9], or re.UNICODE for all digits.")


def _calls(file: File) -> Iterator[ast.Call]:
    for node in file.syntax:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        if of_re and node.args:
            yield node
