"""The players' page of baccarat names its options and prices, and the edges as computed."""

from pathlib import Path

from games.rules.analysis.baccarat import exact_odds
from games.rules.baccarat.game import SPOTS, Baccarat, BaccaratCommission

PAGE = (Path(__file__).parents[2] / "docs" / "rules" / "baccarat.md").read_text(encoding="utf-8")


def table_of(heading: str) -> dict[str, list[str]]:
    """The rows of the table under a heading, by what stands in the first column."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}


def test_edges_are_those_that_are_computed() -> None:
    rows = table_of("What bets pay")
    assert set(rows) == set(SPOTS)
    for column, game in ((2, Baccarat()), (3, BaccaratCommission())):
        edges = exact_odds(game, game.composition()).edges
        assert {spot: rows[spot][column] for spot in SPOTS} == {
            spot: f"{100 * float(edge):.4f}%" for spot, edge in edges.items()
        }


def test_frequencies_are_those_that_are_computed() -> None:
    odds = exact_odds(Baccarat(), Baccarat().composition())
    for probability in (odds.banker, odds.player, odds.tie):
        assert f"{100 * float(probability):.5f}%" in PAGE
