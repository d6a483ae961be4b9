"""Draws the structure of the project from its imports: run as `python -m docs.structure`.

Each box is a package (or, beside packages, a single module); each line, an arrow, is one or more
imports from the box above to the box below. A package stands one level above the highest package
that it imports, so a line that goes up would be a cycle: `levels` refuses it.
`docs/checks/structure.py` keeps the drawing current and holds the number of levels and arrows down.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

TOP: Final = Path(__file__).resolve().parent.parent
DRAWING: Final = TOP / "docs" / "structure.svg"
# Shown package by package; anything else at the top level is one box.
OPENED: Final = ("games",)
ROOTS: Final = ("casino", "games", "tournaments", "wallets")
# Imports that tie a program's parts together where it starts, and say nothing of the structure.
STARTS: Final = frozenset({("games.rules", "games.bots")})
IMPORT: Final = re.compile(
    r"^[ \t]*((?:from [\w.]+ )?import (?:\([^)]*\)|[\w.*, ]+))", re.MULTILINE
)

BOX: Final = (150, 44)
GAP: Final = (16, 46)
MARGIN: Final = 24
INK: Final = "#1d2b2a"
STYLE: Final = (
    "text{font-family:system-ui,sans-serif;fill:#1d2b2a}"
    ".name{font-size:12px;font-weight:600}.size{font-size:10px;fill:#55635f}"
    "rect{fill:#f4f1e6;stroke:#1d2b2a;rx:6}.casino{fill:#e6eef4}.wallets{fill:#f4e6e6}"
    "path{fill:none;stroke:#2c6e5a;stroke-opacity:.35}"
)


class Structure(NamedTuple):
    """The boxes with the number of their modules, and the arrows between them."""

    sizes: dict[str, int]
    arrows: frozenset[tuple[str, str]]


class Numbers(NamedTuple):
    """The numbers that docs/architecture.md states."""

    boxes: int
    levels: int
    arrows: int
    # The limit holds for these: the tree that it was set for had no tournaments.
    arrows_without_tournaments: int


def structure(top: Path = TOP) -> Structure:
    """The boxes and arrows of the tree as it stands."""
    files = [file for root in ROOTS for file in (top / root).rglob("*.py")]
    return structure_of(
        {file.relative_to(top).as_posix(): file.read_text("utf-8") for file in files}
    )


def structure_of(files: Mapping[str, str]) -> Structure:
    """The boxes and arrows of some files, given by path and text."""
    modules = dict(_modules(files))
    sizes: dict[str, int] = defaultdict(int)
    arrows = set()
    for module, source in modules.items():
        if not source:
            continue
        box = box_of(module)
        sizes[box] += 1
        arrows |= {(box, box_of(one)) for one in _imports(source, modules.keys())}
    found = {(one, other) for one, other in arrows if one != other and (one, other) not in STARTS}
    return Structure(dict(sizes), frozenset(found))


def box_of(module: str) -> str:
    """The box that a module belongs to."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in OPENED else parts[0]


def levels(drawn: Structure) -> dict[str, int]:
    """The level of each box: 0 imports nothing, any other stands above all that it imports."""
    below = defaultdict(set)
    for box, other in drawn.arrows:
        below[box].add(other)
    found: dict[str, int] = {}

    def level(box: str, path: tuple[str, ...] = ()) -> int:
        if box in path:
            raise ValueError(f"these import one another: {' → '.join((*path, box))}")
        if box not in found:
            found[box] = max((level(one, (*path, box)) + 1 for one in below[box]), default=0)
        return found[box]

    for box in sorted(drawn.sizes):
        level(box)
    return found


def numbers(drawn: Structure) -> Numbers:
    """How large the structure is."""
    below = [start for start, _ in drawn.arrows if start != "tournaments"]
    height = max(levels(drawn).values()) + 1
    return Numbers(len(drawn.sizes), height, len(drawn.arrows), len(below))


def drawing(drawn: Structure) -> str:
    """The structure as SVG."""
    rows = defaultdict(list)
    for box, level in levels(drawn).items():
        rows[level].append(box)
    widest = max(len(row) for row in rows.values())
    width = 2 * MARGIN + widest * (BOX[0] + GAP[0]) - GAP[0]
    height = 2 * MARGIN + len(rows) * (BOX[1] + GAP[1]) - GAP[1]
    places = dict(_places(rows, width))
    lines = [_line(places[box], places[other]) for box, other in sorted(drawn.arrows)]
    boxes = [_box(box, places[box], drawn.sizes[box]) for box in sorted(drawn.sizes)]
    label = f"{len(drawn.sizes)} packages on {len(rows)} levels, {len(drawn.arrows)} arrows"
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return "\n".join(
        [start, f"<title>{label}</title><style>{STYLE}</style>", *lines, *boxes, "</svg>\n"]
    )


def _places(rows: Mapping[int, list[str]], width: int) -> Iterable[tuple[str, tuple[int, int]]]:
    for at, level in enumerate(sorted(rows, reverse=True)):
        row = sorted(rows[level])
        wide = len(row) * (BOX[0] + GAP[0]) - GAP[0]
        for number, box in enumerate(row):
            left = (width - wide) // 2 + number * (BOX[0] + GAP[0])
            yield box, (left, MARGIN + at * (BOX[1] + GAP[1]))


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y = start[0] + BOX[0] // 2, start[1] + BOX[1]
    to_x, to_y = end[0] + BOX[0] // 2, end[1]
    bend = (to_y - y) // 2
    return f'<path d="M{x} {y}C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}"/>'


def _box(box: str, place: tuple[int, int], modules: int) -> str:
    left, top = place
    what = f"{modules} modules" if modules > 1 else "1 module"
    return (
        f'<rect class="{box}" x="{left}" y="{top}" width="{BOX[0]}" height="{BOX[1]}"/>'
        f'<text class="name" x="{left + 8}" y="{top + 18}">{box}</text>'
        f'<text class="size" x="{left + 8}" y="{top + 34}">{what}</text>'
    )


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
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                if whole in known:
                    yield whole
                elif node.module in known:
                    yield node.module
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)


if __name__ == "__main__":
    DRAWING.write_text(drawing(structure()), "utf-8")
    sys.stdout.write(f"{numbers(structure())}\n")
