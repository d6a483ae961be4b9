"""The players' page of casino hold'em: its paytables, options and edges are those of the code."""

import re
from math import comb

from games.rules.cards import parse_cards
from games.rules.casino_holdem.calling import POINTS_TO_CALL, call_points
from games.rules.casino_holdem.edges import CALLING_EDGE, bonus_odds, qualifying_probability
from games.rules.casino_holdem.game import ANTE_ODDS, BONUS_ODDS, CasinoHoldem
from tests.rules.cases import each
from tests.rules.pages import page_of, table_of

PAGE = page_of("casino_holdem")


def test_the_antes_table_is_that_of_the_code() -> None:
    published = {
        name: row[0] for name, row in table_of("casino_holdem", "What the ante pays").items()
    }
    assert {published.pop("straight"), published.pop("lower")} == {"1:1"}
    assert published == {kind.name.lower(): f"{odds.pays}:1" for kind, odds in ANTE_ODDS.items()}


def test_the_bonus_table_is_that_of_the_code() -> None:
    published = {name: row[0] for name, row in table_of("casino_holdem", "The bonus").items()}
    game = CasinoHoldem()
    assert published.pop("royal_flush").endswith(f" {game.royal_share_bp // 100}% or more")
    assert published.pop("straight_flush").endswith(
        f" {game.straight_flush_share_bp // 100}% or more"
    )
    assert published == {name: f"{odds.pays}:1" for name, odds in BONUS_ODDS.items()}


def test_edges_are_those_that_are_computed() -> None:
    edges = {name: row[0] for name, row in table_of("casino_holdem", "The house edge").items()}
    bonus = bonus_odds(CasinoHoldem(edition=2))
    expected = {
        "ante, calling always, and every blind box": CALLING_EDGE,
        "bonus, the jackpot empty": bonus.edge,
        "bonus, with the wheel as it is set by default": bonus.edge_with_wheel,
    }
    for name, edge in expected.items():
        assert edges[name] == f"{100 * float(edge):.4f}%"
    assert f"{100 * float(qualifying_probability()):.5f}%" in PAGE
    assert f"{100 * float(bonus.to_pools):.0f}% of each bonus bet" in PAGE


@each(("ante, playing as `best` does", 2.18), ("ante, playing by the rule below", 2.65))
def test_sampled_edges_are_near_those_of_another_program(name: str, exact: float) -> None:
    """It went through all hands; within three of the standard errors that the page tells."""
    edges = {
        row.strip("`"): cells[0]
        for row, cells in table_of("casino_holdem", "The house edge").items()
    }
    published = re.fullmatch(r"([\d.]+)% ± ([\d.]+)", edges[name])
    assert published
    assert abs(float(published[1]) - exact) < 3 * float(published[2])


def test_the_line_of_the_rule_is_that_of_the_code() -> None:
    assert f"call from {POINTS_TO_CALL}:" in PAGE
    assert call_points(parse_cards("Kc2s"), parse_cards("6cTh7h")) == 28
    assert comb(47, 2) == 1_081
