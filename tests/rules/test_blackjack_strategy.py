"""Basic strategy at blackjack, against the tables of books."""

from games.rules.blackjack.analysis.strategy import FIRST, BasicHand, Rules, best_move, pair_of
from games.rules.blackjack.refusals import Choice
from tests.rules.blackjack_odds import HARD, PAIRS, PLAIN, UPS
from tests.rules.cases import every

SOFT = Rules(hits_soft_17=True, original_bets_only=False)
ORIGINAL = Rules(hits_soft_17=False, original_bets_only=True)
LETTERS: dict[Choice, str] = {
    "hit": "H",
    "stand": "S",
    "double": "D",
    "split": "P",
    "surrender": "R",
}
SOFT_TOTALS = {
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SDDDDSSHHH",
    19: "SSSSSSSSSS",
    20: "SSSSSSSSSS",
}


def row(rules: Rules, held: BasicHand) -> str:
    return "".join(LETTERS[best_move(rules, held, up, FIRST)] for up in UPS)


@every(points=list(HARD))
def test_hard_totals(points: int) -> None:
    assert row(PLAIN, BasicHand(points, False)) == HARD[points]


@every(points=list(SOFT_TOTALS))
def test_soft_totals(points: int) -> None:
    assert row(PLAIN, BasicHand(points, True)) == SOFT_TOTALS[points]


@every(card=list(PAIRS))
def test_pairs(card: int) -> None:
    assert row(PLAIN, pair_of(card)) == PAIRS[card]


def test_against_a_dealer_that_hits_soft_17() -> None:
    """Known to differ: two more soft doubles."""
    assert row(SOFT, BasicHand(18, True)) == "DDDDDSSHHH"
    assert row(SOFT, BasicHand(19, True)) == "SSSSDSSSSS"
    same = [BasicHand(points, False) for points in HARD] + [
        BasicHand(points, True) for points in (13, 17)
    ]
    assert [row(SOFT, held) for held in same] == [row(PLAIN, held) for held in same]


def test_strategy_when_only_original_bets_are_lost() -> None:
    """Doubles and splits against a ten and an ace are as good as with a hole card."""
    assert row(ORIGINAL, BasicHand(11, False)) == "DDDDDDDDDH"
    assert row(ORIGINAL, pair_of(1)) == "PPPPPPPPPP"
    assert row(ORIGINAL, pair_of(8)) == "PPPPPPPPRP"
    assert row(ORIGINAL, BasicHand(10, False)) == HARD[10]
