"""The packages import one another one way, and the drawing of them is current."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from docs.checks.tree import Finding, Tree
from docs.structure import Structure, drawing, numbers, structure_of

LEVELS_MAX: Final = 12
ARROWS_MAX: Final = 141
PAGE: Final = "docs/architecture.md"
DRAWING: Final = "docs/structure.svg"
ROW: Final = re.compile(r"^\| `([a-z._]+)` \| [^|]+ \| [^|]+ \|$", re.MULTILINE)


@lru_cache(maxsize=4)
def _drawn(tree: Tree) -> Structure:
    return structure_of({file.path: file.text for file in tree.product()})


def levels_and_arrows(tree: Tree) -> Iterator[Finding]:
    """Packages that import one another have no level, and the drawing refuses them."""
    try:
        found = numbers(_drawn(tree))
    except ValueError as circle:
        yield Finding(DRAWING, 1, str(circle))
        return
    if found.levels > LEVELS_MAX:
        yield Finding(DRAWING, 1, f"There are more than {LEVELS_MAX} levels.")
    if found.arrows_without_tournaments > ARROWS_MAX:
        yield Finding(DRAWING, 1, f"There are more than {ARROWS_MAX} arrows.")


def page(tree: Tree) -> Iterator[Finding]:
    """The page states the numbers, and has a row for every package."""
    drawn, text = _drawn(tree), tree[PAGE].text
    row = f"| today | {' | '.join(map(str, numbers(drawn)))} |"
    if row not in text:
        yield Finding(PAGE, 1, f"The table does not have {row}")
    for package in sorted(set(ROW.findall(text)) ^ (drawn.sizes.keys() - {"games"})):
        yield Finding(PAGE, 1, f"The table and the tree differ in {package}.")


def drawing_is_current(tree: Tree) -> Iterator[Finding]:
    if tree[DRAWING].text != drawing(_drawn(tree)):
        yield Finding(DRAWING, 1, "The structure has changed: run python -m docs.structure.")
