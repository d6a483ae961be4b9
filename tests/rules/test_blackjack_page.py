"""The players' page of blackjack names its options, prices, edges and strategy as computed."""

from fractions import Fraction
from types import SimpleNamespace

import msgspec
import pytest

from games.rules.blackjack.analysis import edge
from games.rules.blackjack.analysis.bonus import bonus_edge, bonus_lines, insurance_edge
from games.rules.blackjack.analysis.edge import edge_of
from games.rules.blackjack.analysis.strategy import FIRST, BasicHand, best_move, pair_of, rules_of
from games.rules.blackjack.game import Blackjack
from tests.rules.action_text import read_action
from tests.rules.pages import page_of, table_of

PAGE = page_of("blackjack")
LETTERS = {"hit": "H", "stand": "S", "double": "D", "split": "P", "surrender": "R"}
UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


def percent(value: Fraction | float, digits: int = 4) -> str:
    return f"{100 * float(value):.{digits}f}%"


@pytest.mark.release
def test_house_edges_are_those_that_are_computed_and_known() -> None:
    """The default rules are known to leave the house 0.27%, to a hundredth of a per cent."""
    rows = table_of("blackjack", "What bets pay", 1)
    edges = {
        "as they are": edge_of(Blackjack()),
        "hit_soft_17": edge_of(Blackjack(hit_soft_17=True)),
        "original_bets_only": edge_of(Blackjack(original_bets_only=True)),
    }
    assert abs(100 * edges["as they are"] - 0.27) < 0.01
    assert rows == {name: [percent(share)] for name, share in edges.items()}
    assert table_of("blackjack", "What bets pay", 0)["a hand"][-1] == percent(edges["as they are"])


def test_the_edge_weighs_each_card_of_the_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 13 cards each, an ace's box is worth 1, a two's 2, and so on; four ranks are worth 10."""
    monkeypatch.setattr(edge, "Table", lambda rules, up: SimpleNamespace(box=lambda: up))
    assert edge.house_edge.__wrapped__(rules_of(Blackjack())) == pytest.approx(-85 / 13)


def test_the_edge_of_insurance() -> None:
    left = list(Blackjack().composition())
    left.remove(next(card for card in left if card.text == "Ac"))
    assert table_of("blackjack", "What bets pay", 0)["insurance"][-1] == percent(
        insurance_edge(left)
    )
    # A blackjack against an ace: 95 ten-values are left among 309 cards.
    assert f"waiting brings {1.5 * (1 - 95 / 309):.3f}" in PAGE


def held_of(name: str) -> BasicHand:
    if name.startswith("soft"):
        return BasicHand(int(name.split()[1]), True)
    if "-" in name:
        return pair_of({"T": 10, "A": 1}.get(name[0]) or int(name[0]))
    return BasicHand(int(name), False)


def test_basic_strategy_is_the_one_that_is_computed() -> None:
    rules = rules_of(Blackjack())
    rows = table_of("blackjack", "Basic strategy", 0)
    assert len(rows) == 16 + 8 + 10
    for name, row in rows.items():
        assert row == [LETTERS[best_move(rules, held_of(name), up, FIRST)] for up in UPS], name


def test_bonus_lines_are_those_that_are_computed() -> None:
    rows = table_of("blackjack", "The bonus", 0)
    own = {line.name: (line, chance) for line, chance in bonus_lines(GAME).items()}
    up = {line.name: chance for line, chance in bonus_lines(UP).items()}
    assert set(rows) == set(own) == set(up)
    for name, (_, pays, player, dealer_up) in rows.items():
        line, chance = own[name]
        least = line.least.pays if line.least else None
        share = f"{line.share_bp // 100}% of the jackpot, at least {least}:1"
        assert pays == (f"{line.odds.pays}:1" if line.odds else share)
        assert (player, dealer_up) == (percent(chance, 6), percent(up[name], 6))


GAME = Blackjack(edition=2)
UP = Blackjack(edition=2, third_card="dealer_up")


def test_bonus_edges_are_those_that_are_computed() -> None:
    rows = table_of("blackjack", "The bonus", 1)
    assert len(rows) == 4
    for name, row in rows.items():
        expected = []
        for table in (GAME, UP):
            features = {"bonus_card": "bonus card" in name, "wheel": "wheel" in name}
            expected.append(percent(bonus_edge(msgspec.structs.replace(table, **features))))
        assert row == expected
    for table in (GAME, UP):
        worth = bonus_edge(table) - bonus_edge(table, Fraction(10_000))
        assert f"{percent(worth)} (`{table.third_card}`)" in PAGE.replace("\n", " ")


def test_moves_are_those_of_the_game() -> None:
    moves = set(table_of("blackjack", "What can be done with a hand", 0))
    assert moves | {"bet", "remove", "done", "close", "follow", "pool", "top_up"} == {
        kind.__struct_config__.tag for kind in Blackjack.actions
    }
    assert read_action(Blackjack, "follow 1 yes")
