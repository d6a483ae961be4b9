"""Draw the structure of the project from its imports: run as `python -m docs.structure`.

A box is a package of `casino`, `games`, `tournaments` or `wallets`, or all modules that such a
root keeps beside its packages. An arrow is one or more imports from one box to another, wherever
they are written: at the top of a module, in a function, or in `apps.py`. Boxes that import one
another, directly or through others, are a cycle; `docs/checks/structure.py` keeps the drawing
current and the numbers down.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from docs.drawing import drawing

TOP: Final = Path(__file__).resolve().parent.parent
DRAWING: Final = TOP / "docs" / "structure.svg"
ROOTS: Final = ("casino", "games", "tournaments", "wallets")
# Django looks for these by their names; they belong to the modules beside the packages.
BY_NAME: Final = frozenset(("admin", "management", "templatetags"))
IMPORT: Final = re.compile(
    r"^[ \t]*((?:from [\w.]+ )?import (?:\([^)]*\)|[\w.*, ]+))", re.MULTILINE
)

Arrows = frozenset[tuple[str, str]]


class Structure(NamedTuple):
    """The boxes with the number of their modules, the arrows, and the cycles at every depth."""

    sizes: dict[str, int]
    arrows: Arrows
    cycles: tuple[tuple[str, ...], ...]
    # Cycles inside one box, among its packages and modules.
    inner_cycles: tuple[tuple[str, ...], ...]


class Numbers(NamedTuple):
    """The numbers that docs/architecture.md states."""

    boxes: int
    levels: int
    arrows: int
    boxes_in_cycles: int
    inner_cycles: int


def structure(top: Path = TOP) -> Structure:
    """The structure of the files in a folder."""
    files = [file for root in ROOTS for file in (top / root).rglob("*.py")]
    return structure_of(
        {file.relative_to(top).as_posix(): file.read_text("utf-8") for file in files}
    )


def structure_of(files: Mapping[str, str]) -> Structure:
    """The structure of some files, given by path and text."""
    modules = dict(_modules(files))
    packages = {name.rpartition(".")[0] for name in modules}
    imports = {
        (module, imported)
        for module, source in modules.items()
        for imported in _imports(source, modules.keys())
        # Every module imports the root that it is in.
        if imported != module and imported not in ROOTS
    }
    box = {module: box_of(module, packages) for module in modules}
    sizes: dict[str, int] = defaultdict(int)
    for module, source in modules.items():
        sizes[box[module]] += bool(source)
    arrows = frozenset((box[a], box[b]) for a, b in imports if box[a] != box[b])
    drawn = {name: size for name, size in sizes.items() if size}
    return Structure(drawn, arrows, _cycles(arrows), tuple(_inner_cycles(imports, box)))


def box_of(module: str, packages: Collection[str]) -> str:
    """The box of a module: a package directly below a root, or the root."""
    parts = module.split(".")
    package = ".".join(parts[:2])
    return package if package in packages and BY_NAME.isdisjoint(parts[1:2]) else parts[0]


def levels(drawn: Structure) -> dict[str, int]:
    """The level of each box: 0 imports nothing; the boxes of a cycle share a level."""
    cycle_of = {box: cycle for cycle in drawn.cycles for box in cycle}
    below: dict[str, set[str]] = defaultdict(set)
    for box, other in drawn.arrows:
        below[box].add(other)
    levels: dict[str, int] = {}

    def level(box: str) -> int:
        if box not in levels:
            cycle = cycle_of.get(box, (box,))
            others = {other for member in cycle for other in below[member]} - set(cycle)
            levels.update(
                dict.fromkeys(cycle, max((level(neighbour) + 1 for neighbour in others), default=0))
            )
        return levels[box]

    for box in sorted(drawn.sizes):
        level(box)
    return levels


def numbers(drawn: Structure) -> Numbers:
    """The size of the structure."""
    return Numbers(
        boxes=len(drawn.sizes),
        levels=max(levels(drawn).values()) + 1,
        arrows=len(drawn.arrows),
        boxes_in_cycles=sum(map(len, drawn.cycles)),
        inner_cycles=len(drawn.inner_cycles),
    )


def svg(drawn: Structure) -> str:
    """The structure as a picture."""
    return drawing(drawn.sizes, levels(drawn), drawn.arrows, drawn.cycles)


def _inner_cycles(
    imports: Iterable[tuple[str, str]], box: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    """The cycles among what is directly inside one package, for each package below the boxes."""
    inside: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for module, imported in imports:
        if box[module] != box[imported] or box[module] in ROOTS:
            continue
        parts, other = module.split("."), imported.split(".")
        shared = next(
            (at for at, (a, b) in enumerate(zip(parts, other, strict=False)) if a != b),
            min(len(parts), len(other)),
        )
        ends = ".".join(parts[: shared + 1]), ".".join(other[: shared + 1])
        inside[".".join(parts[:shared])].add(ends)
    for package in sorted(inside):
        yield from _cycles(inside[package])


def _cycles(arrows: Collection[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The groups of boxes that import one another, directly or through others."""
    below: dict[str, set[str]] = defaultdict(set)
    for box, other in arrows:
        below[box].add(other)
    reached = {box: _reached(box, below) for box in list(below)}
    groups = {
        tuple(sorted(end for end in ends if box in reached.get(end, ())))
        for box, ends in reached.items()
        if box in ends
    }
    return tuple(sorted(groups))


def _reached(box: str, below: Mapping[str, set[str]]) -> set[str]:
    ends: set[str] = set()
    left = list(below[box])
    while left:
        end = left.pop()
        if end not in ends:
            ends.add(end)
            left.extend(below.get(end, ()))
    return ends


def _modules(files: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    for path, text in sorted(files.items()):
        parts = PurePosixPath(path).with_suffix("").parts
        if "migrations" not in parts:
            yield ".".join(parts).removesuffix(".__init__"), text


def _imports(source: str, known: Collection[str]) -> Iterable[str]:
    """The known modules that a module imports, at its top level or in a function."""
    for statement in IMPORT.findall(source):
        node = ast.parse(statement).body[0]
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                if whole in known:
                    yield whole
                elif node.module in known:
                    yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in known)


if __name__ == "__main__":
    found = structure()
    DRAWING.write_text(svg(found), "utf-8")
    sys.stdout.write(f"{numbers(found)}\n")
    for cycle in (*found.cycles, *found.inner_cycles):
        sys.stdout.write(f"These import one another: {', '.join(cycle)}\n")
