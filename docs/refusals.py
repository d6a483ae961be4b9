"""The table of all refusals, made from the code: run as `python -m docs.refusals`.

A refusal is written where it is raised, with its code, its sentence and the values of the sentence.
This table lists them by code, so that clients know what to expect and a lost code is seen in a
review. `docs/checks/refusals.py` keeps it current.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).resolve().parent.parent
TABLE: Final = TOP / "docs" / "refusals.tsv"
ROOTS: Final = ("casino", "games", "tournaments", "wallets")
# The class of a refusal decides its status (`wallets/values/errors.py`, `games/rules/errors.py`).
STATUS: Final = {
    "Unreadable": 400,
    "WrongAmount": 400,
    "Hidden": 404,
    "Gone": 410,
    **dict.fromkeys(("Refused", "Illegal", "Stale", "Overdrawn", "Conflict"), 409),
}
# Sentences for several refusals stand in dictionaries of this name, by code.
SENTENCES: Final = "SENTENCES"


def table_of(files: Mapping[str, str]) -> str:
    """The table as tab-separated text: code, status, sentence."""
    rows = {row for path, text in files.items() if path.endswith(".py") for row in _refusals(text)}
    lines = [f"{code}\t{status}\t{sentence}\n" for code, status, sentence in sorted(rows)]
    return "code\tstatus\tsentence\n" + "".join(lines)


def _refusals(source: str) -> Iterator[tuple[str, int, str]]:
    module = ast.parse(source)
    named = {
        target.id: node.value
        for node in module.body
        for target in _targets(node)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        status = STATUS.get(node.func.id) if isinstance(node.func, ast.Name) else None
        code = _text(node.args[0], named)
        if status and code:
            yield code, status, _text(node.args[1], named)
        elif status and isinstance(sentences := named.get(SENTENCES), ast.Dict):
            for key, value in zip(sentences.keys, sentences.values, strict=True):
                if key:
                    yield _text(key, named), status, _text(value, named)


def _targets(node: ast.stmt) -> Iterator[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    yield from (target for target in targets if isinstance(target, ast.Name))


def _text(node: ast.expr, named: Mapping[str, ast.expr]) -> str:
    """The constant text of an expression, also of a marked or named one; else nothing."""
    if isinstance(node, ast.Name):
        named_node = named.get(node.id)
        return "" if named_node is None or named_node is node else _text(named_node, {})
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return _text(node.args[0], named)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


if __name__ == "__main__":
    found = {
        file.relative_to(TOP).as_posix(): file.read_text("utf-8")
        for root in ROOTS
        for file in (TOP / root).rglob("*.py")
    }
    TABLE.write_text(table_of(found), "utf-8")
