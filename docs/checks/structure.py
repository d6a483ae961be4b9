"""The packages import one another one way, and the drawing of them is current."""

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from docs.checks.tree import Finding, Tree
from docs.structure import ROOTS, Numbers, Structure, numbers, structure_of, svg

MAX: Final = Numbers(boxes=45, levels=12, arrows=434, boxes_in_cycles=0, inner_cycles=0)
# Packages of one root.
PACKAGES_MAX: Final = 16
PAGE: Final = "docs/architecture.md"
DRAWING: Final = "docs/structure.svg"
CONTRACTS: Final = "pyproject.toml"
CONTRACT: Final = "Arrows go one way through all packages"
ROW: Final = re.compile(rf"^\| `((?:{'|'.join(ROOTS)})[a-z._]*)` \| [^|]+ \|$", re.MULTILINE)


@lru_cache(maxsize=4)
def _drawn(tree: Tree) -> Structure:
    return structure_of({file.path: file.text for file in tree.product()})


def limits(tree: Tree) -> Iterator[Finding]:
    """The structure stays within its limits: packages in new cycles exceed one."""
    drawn = _drawn(tree)
    for name, number, most in zip(Numbers._fields, numbers(drawn), MAX, strict=True):
        if number > most:
            groups = "; ".join(", ".join(cycle) for cycle in (*drawn.cycles, *drawn.inner_cycles))
            sentence = f"There are {number} {name.replace('_', ' ')}, and at most {most} may be."
            yield Finding(DRAWING, 1, f"{sentence} These import one another: {groups}.")


def layers(tree: Tree) -> Iterator[Finding]:
    """The contract of layers names every package below a root, and every module beside them."""
    contracts = tomllib.loads(tree[CONTRACTS].text)["tool"]["importlinter"]["contracts"]
    lines = next(contract["layers"] for contract in contracts if contract["name"] == CONTRACT)
    named = {name for line in lines for name in re.split(r" [|:] ", line)}
    children: dict[str, set[str]] = {root: set() for root in ROOTS}
    for file in tree.product():
        root, child, *_ = file.path.removesuffix(".py").split("/")
        if child not in ("__init__", "migrations"):
            children[root].add(f"{root}.{child}")
    for name in sorted(named ^ set().union(*children.values())):
        yield Finding(CONTRACTS, 1, f"The layers and the tree differ in {name}.")
    for root in ROOTS:
        packages = [size for size in _drawn(tree).sizes if size.startswith(f"{root}.")]
        if len(packages) > PACKAGES_MAX:
            yield Finding(DRAWING, 1, f"{root} has more than {PACKAGES_MAX} packages.")


def page(tree: Tree) -> Iterator[Finding]:
    """The page states the numbers, and has a row for every box."""
    drawn, text = _drawn(tree), tree[PAGE].text
    row = f"| today | {' | '.join(map(str, numbers(drawn)))} |"
    if row not in text:
        yield Finding(PAGE, 1, f"The table does not have {row}")
    for package in sorted(set(ROW.findall(text)) ^ drawn.sizes.keys()):
        yield Finding(PAGE, 1, f"The table and the tree differ in {package}.")


def drawing_is_current(tree: Tree) -> Iterator[Finding]:
    if tree[DRAWING].text != svg(_drawn(tree)):
        yield Finding(DRAWING, 1, "The structure has changed: run python -m docs.structure.")
