"""How the back office holds up as a house grows: houses of several sizes, side by side.

    python -m bench.office [HANDS ...] [--days DAYS]

Each size has a PostgreSQL and a process of its own (`bench/office_house.py`), which fills the house
by `manage.py seed` and measures: auditors' search by every filter, one hand's page, the file of a
player, the journal, reports, and evidence of the busiest day. The table with all sizes comes last,
each figure beside its bound, and the command fails where a bound is broken.

Times depend on the machine and on what else it does: the yardstick of each size is in the
table, a rate is also given by it, and milliseconds of a processor stand in brackets.
"""

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from bench.office_house import Figure

SIZES: Final = (10_000, 100_000)
DAYS: Final = 30


def measured(hands: int, days: int) -> list[Figure]:
    """The figures of one size, from a process with a database of its own."""
    with TemporaryDirectory() as folder:
        answer = Path(folder) / "figures.json"
        house = ["-m", "bench.office_house", str(hands), str(days), str(answer)]
        subprocess.run([sys.executable, *house], check=True)
        return msgspec.json.decode(answer.read_bytes(), type=list[Figure])


def table(sizes: dict[int, list[Figure]]) -> list[str]:
    """One line a figure, with a column a size; `!` marks what breaks its bound."""
    rows: dict[str, dict[int, Figure]] = {}
    for hands, figures in sizes.items():
        for figure in figures:
            rows.setdefault(figure.name, {})[hands] = figure
    heads = " | ".join(f"{hands:,}" for hands in sizes)
    lines = [f"| hands | {heads} | bound |", f"| --- |{' --- |' * len(sizes)} --- |"]
    for name, row in rows.items():
        cells = " | ".join(str(row[hands]) if hands in row else "–" for hands in sizes)
        bound = next(iter(row.values())).bound_in_words
        lines.append(f"| {name} | {cells} | {bound} |")
    return lines


def main() -> int:
    parser = ArgumentParser(description="The back office at several sizes, side by side.")
    parser.add_argument("sizes", nargs="*", type=int, metavar="HANDS")
    parser.add_argument("--days", type=int, default=DAYS)
    given = parser.parse_args()
    sizes = {hands: measured(hands, given.days) for hands in given.sizes or SIZES}
    print("\n".join(["", *table(sizes)]))
    broken = [figure for figures in sizes.values() for figure in figures if figure.is_broken]
    print(
        f"{len(broken)} figures break their bounds" if broken else "all figures keep their bounds"
    )
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
