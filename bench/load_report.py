"""The figures of a load test as a table, and two runs side by side.

python -m bench.load_report BEFORE.json AFTER.json
"""

import json
import sys
from math import isnan
from pathlib import Path
from typing import Final

from bench.load_costs import Figures

# Requests that are so rare are summed up in the totals and not shown.
SHOWN_MIN: Final = 0.005
Run = dict[str, Figures]


def written(value: float | None) -> str:
    if value is None or isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def names(phases: list[Figures]) -> list[str]:
    """Every figure that says something in one of these phases, in the order of the first."""
    ordered = dict.fromkeys(name for figures in phases for name in figures)
    return [
        name
        for name in sorted(ordered, key=lambda name: _heading(name, list(ordered)))
        if any(abs(figures.get(name, 0.0)) >= SHOWN_MIN for figures in phases)
    ]


def _heading(name: str, ordered: list[str]) -> tuple[int, str]:
    """Parts of a figure, such as one program's, follow each other by name."""
    whole = name.partition(":")[0]
    first = next(at for at, figure in enumerate(ordered) if figure.partition(":")[0] == whole)
    return first, "" if whole == name else f"{ordered.index(name):06}"


def table(columns: dict[str, Figures]) -> str:
    """A row for each figure, a column for each phase."""
    lines = [f"| | {' | '.join(columns)} |", f"| --- |{' ---: |' * len(columns)}"]
    for name in names(list(columns.values())):
        cells = " | ".join(written(figures.get(name)) for figures in columns.values())
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines)


def compared(before: Run, after: Run) -> str:
    """For each phase that both runs have, each figure before and after, and the ratio."""
    return "\n\n".join(
        f"{phase}\n\n{_beside(before[phase], after[phase])}" for phase in before if phase in after
    )


def _beside(before: Figures, after: Figures) -> str:
    lines = ["| | before | after | after / before |", "| --- | ---: | ---: | ---: |"]
    for name in names([before, after]):
        old, new = before.get(name), after.get(name)
        ratio = new / old if old and new is not None else None
        lines.append(f"| {name} | {written(old)} | {written(new)} | {written(ratio)} |")
    return "\n".join(lines)


def main() -> None:
    before, after = (json.loads(Path(name).read_text()) for name in sys.argv[1:])
    print(compared(before, after))


if __name__ == "__main__":
    main()
