"""The players' pages of the games, and their tables."""

from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs" / "rules"


def page_of(key: str) -> str:
    return (PAGES / f"{key}.md").read_text(encoding="utf-8")


def table_of(key: str, heading: str, number: int | None = None) -> dict[str, list[str]]:
    """The rows of the tables under a heading, or of one, by what is in the first column."""
    section = page_of(key).split(f"\n## {heading}\n")[1].split("\n## ")[0]
    tables = [part for part in section.strip().split("\n\n") if part.startswith("|")]
    chosen = tables if number is None else [tables[number]]
    lines = [line for table in chosen for line in table.splitlines()[2:]]
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}
