"""The table of refusals is that of the code."""

from collections.abc import Iterator
from typing import Final

from docs.checks.tree import Finding, Tree
from docs.refusals import table_of

TABLE: Final = "docs/refusals.tsv"


def table_is_current(tree: Tree) -> Iterator[Finding]:
    if tree[TABLE].text != table_of({file.path: file.text for file in tree.product()}):
        yield Finding(TABLE, 1, "The refusals have changed: run python -m docs.refusals.")
