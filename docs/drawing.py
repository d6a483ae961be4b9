"""Draw boxes on levels, with the arrows between them, as SVG."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

BOX: Final = (112, 38)
GAP: Final = (12, 34)
MARGIN: Final = 6
# From left to right in each row, so that a tree is a column.
TREES: Final = ("casino", "tournaments", "games", "wallets")
# Each sweep moves the boxes of a row nearer to the boxes that they are joined to.
SWEEPS: Final = 8
STYLE: Final = (
    "text{font-family:system-ui,sans-serif;fill:#1d2b2a}"
    ".name{font-size:13px;font-weight:600}.size{font-size:9.5px;fill:#55635f}"
    "rect{fill:#f4f1e6;stroke:#1d2b2a;rx:5}.casino{fill:#e6eef4}.wallets{fill:#f4e6e6}"
    ".tournaments{fill:#efe8f6}.cyclic{stroke:#b3261e;stroke-width:2}"
    "path{fill:none;stroke:#2c6e5a;stroke-opacity:.45}"
    "path.cyclic{stroke:#b3261e;stroke-width:1;stroke-opacity:.35}"
)

Arrows = Collection[tuple[str, str]]
Place = tuple[int, int]


def drawing(
    sizes: Mapping[str, int],
    levels: Mapping[str, int],
    arrows: Arrows,
    cycles: Collection[Collection[str]],
) -> str:
    """The boxes on their levels; an arrow that a longer way down implies is left out."""
    rows = _rows(levels, arrows)
    width = 2 * MARGIN + max(map(len, rows)) * (BOX[0] + GAP[0]) - GAP[0]
    height = 2 * MARGIN + len(rows) * (BOX[1] + GAP[1]) - GAP[1]
    places = dict(_places(rows, width))
    cyclic = {box for cycle in cycles for box in cycle}
    lines = [
        _line(places[box], places[other], levels[box] == levels[other])
        for box, other in sorted(_necessary(levels, arrows))
    ]
    boxes = [_box(box, places[box], sizes[box], box in cyclic) for box in sorted(sizes)]
    label = f"{len(sizes)} boxes on {len(rows)} levels, {len(arrows)} arrows"
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return "\n".join(
        [start, f"<title>{label}</title><style>{STYLE}</style>", *lines, *boxes, "</svg>\n"]
    )


def _necessary(levels: Mapping[str, int], arrows: Arrows) -> Iterator[tuple[str, str]]:
    """The arrows of cycles, and those between boxes that no other box connects."""
    below: dict[str, set[str]] = defaultdict(set)
    for box, other in arrows:
        below[box].add(other)
    reached: dict[str, set[str]] = {}
    for box in sorted(levels, key=lambda box: levels[box]):
        lower = [target for target in below[box] if levels[target] < levels[box]]
        reached[box] = {*lower, *(end for target in lower for end in reached[target])}
    for box, other in arrows:
        between = (target for target in below[box] if levels[target] < levels[box])
        if levels[box] == levels[other] or not any(other in reached[target] for target in between):
            yield box, other


def _rows(levels: Mapping[str, int], arrows: Arrows) -> list[list[str]]:
    """The boxes level by level from the top, each near the boxes that it is joined to."""
    rows: list[list[str]] = [[] for _ in range(max(levels.values()) + 1)]
    for box in sorted(levels):
        rows[-1 - levels[box]].append(box)
    joined: dict[str, list[str]] = defaultdict(list)
    for box, other in _necessary(levels, arrows):
        joined[box].append(other)
        joined[other].append(box)
    for _ in range(SWEEPS):
        for row in rows:
            at = {box: x for boxes in rows for box, x in _middles(boxes)}
            row.sort(key=lambda box: (_tree(box), _mean(at, joined[box] or [box]), box))
    return rows


def _tree(box: str) -> int:
    return TREES.index(box.partition(".")[0])


def _middles(boxes: list[str]) -> Iterator[tuple[str, float]]:
    return ((box, number - len(boxes) / 2) for number, box in enumerate(boxes))


def _mean(at: Mapping[str, float], boxes: list[str]) -> float:
    return sum(at[box] for box in boxes) / len(boxes)


def _places(rows: Iterable[list[str]], width: int) -> Iterator[tuple[str, Place]]:
    for at, row in enumerate(rows):
        wide = len(row) * (BOX[0] + GAP[0]) - GAP[0]
        for number, box in enumerate(row):
            left = (width - wide) // 2 + number * (BOX[0] + GAP[0])
            yield box, (left, MARGIN + at * (BOX[1] + GAP[1]))


def _line(start: Place, end: Place, is_cyclic: bool) -> str:
    x, y = start[0] + BOX[0] // 2, start[1] + BOX[1]
    to_x, to_y = end[0] + BOX[0] // 2, end[1]
    if is_cyclic:
        # Both boxes are in one row: the arrow bends below it.
        to_y += BOX[1]
        return f'<path class="cyclic" d="M{x} {y}C{x} {y + 30} {to_x} {to_y + 30} {to_x} {to_y}"/>'
    bend = (to_y - y) // 2
    return f'<path d="M{x} {y}C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}"/>'


def _box(box: str, place: Place, modules: int, is_cyclic: bool) -> str:
    left, top = place
    root, _, name = box.partition(".")
    what = f"{root}, {modules}" if name else f"{modules} modules"
    return (
        f'<rect class="{root}{" cyclic" if is_cyclic else ""}"'
        f' x="{left}" y="{top}" width="{BOX[0]}" height="{BOX[1]}"/>'
        f'<text class="name" x="{left + 7}" y="{top + 17}">{name or root}</text>'
        f'<text class="size" x="{left + 7}" y="{top + 31}">{what}</text>'
    )
