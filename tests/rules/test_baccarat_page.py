"""The players' page of baccarat names its options and prices, and the edges as computed."""

from games.rules.baccarat.game import SPOTS, Baccarat, BaccaratCommission
from games.rules.baccarat.odds import exact_odds
from tests.rules.pages import page_of, table_of

PAGE = page_of("baccarat")


def test_edges_are_those_that_are_computed() -> None:
    rows = table_of("baccarat", "What bets pay")
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
