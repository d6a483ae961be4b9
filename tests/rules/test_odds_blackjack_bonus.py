"""The odds of the bonus bet at blackjack, counted again from all cards."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from games.rules.blackjack.analysis.bonus import bonus_edge, bonus_lines
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import combination
from games.rules.cards import DECK, Card
from tests.rules.blackjack_odds import HARD, PAIRS, UPS
from tests.rules.cases import each, every

# Three cards in their order, out of 312.
ORDERS = 312 * 311 * 310


def test_the_bonus_lines_with_the_dealers_card_are_plain_counts() -> None:
    lines = {line.name: chance for line, chance in bonus_lines(UP).items()}
    assert lines == {
        "suited_blackjack": Fraction(2 * 24 * 24, 312 * 311),
        "mixed_blackjack": Fraction(2 * 24 * 72, 312 * 311),
        "suited_678": Fraction(6 * 4 * 6**3, ORDERS),
        "mixed_678": Fraction(6 * (24**3 - 4 * 6**3), ORDERS),
        "spade_777": Fraction(6 * 5 * 4, ORDERS),
        "suited_777": Fraction(3 * 6 * 5 * 4, ORDERS),
        "mixed_777": Fraction(24 * 23 * 22 - 4 * 6 * 5 * 4, ORDERS),
    }


def test_the_bonus_lines_with_the_players_own_card() -> None:
    """A third card is drawn to 13, 14, 15 and a pair of sevens as the book says, by the up card."""
    counts = Counter(dict.fromkeys(range(2, 10), 24)) + Counter({10: 96, 1: 24})
    sixes: Fraction = Fraction(0)
    for low, high in ((6, 7), (6, 8), (7, 8)):
        for at, up in enumerate(UPS):
            if HARD[low + high][at] in "HD":
                ups = counts[up] - (up in (6, 7, 8))
                sixes += Fraction(2 * 24**3 * ups, ORDERS * 309)
    sevens = Fraction(0)
    for at, up in enumerate(UPS):
        if PAIRS[7][at] in "HD":
            sevens += Fraction(24 * 23 * 22 * (counts[up] - 3 * (up == 7)), ORDERS * 309)
    lines = {line.name: chance for line, chance in bonus_lines(OWN).items()}
    assert lines["suited_678"] + lines["mixed_678"] == sixes
    assert lines["suited_678"] == sixes * Fraction(4 * 6**3, 24**3)
    assert lines["suited_777"] + lines["spade_777"] + lines["mixed_777"] == sevens
    assert lines["spade_777"] == sevens * Fraction(6 * 5 * 4, 24 * 23 * 22)
    assert lines["suited_777"] == 3 * lines["spade_777"]


OWN = Blackjack(bonus_card=False, wheel=False)
UP = Blackjack(bonus_card=False, wheel=False, third_card="dealer_up")


@every(game=[OWN, UP])
def test_the_edge_of_the_bonus_alone(game: Blackjack) -> None:
    lines = bonus_lines(game)
    edge = Fraction(1)
    for line, chance in lines.items():
        # A line that pays keeps the stake too; the jackpot is empty.
        edge -= chance * (1 + (line.odds.pays if line.odds else 0))
    assert bonus_edge(game) == edge
    jackpot = Fraction(10_000)
    shares = {line.name: line.share_bp for line in lines}
    assert (shares["spade_777"], shares["suited_777"]) == (2_000, 1_000)
    hits = {line.name: chance for line, chance in lines.items()}
    worth = jackpot * (hits["spade_777"] / 5 + hits["suited_777"] / 10)
    assert bonus_edge(game, jackpot) == edge - worth


@pytest.mark.long
@each((True, False), (False, True), (True, True))
def test_the_edge_of_the_bonus_with_named_cards(bonus_card: bool, wheel: bool) -> None:
    """Over all first two cards, the dealer's card, and all cards that can be named."""
    game = Blackjack(third_card="dealer_up", bonus_card=bonus_card, wheel=wheel)
    segments = game.wheel_segments
    kept = 0.0
    for two in product(DECK, repeat=2):
        weight = 6 * (6 - (two[0] == two[1])) / (312 * 311)
        won, nothing = third_cards(two)
        named = len(set(two)) / 52
        kept -= weight * won
        missed = 1.0
        if bonus_card:
            kept -= weight * named * 10
            missed *= 1 - named
        if wheel:
            mean = sum(part.weight * part.multiple for part in segments) / 100
            blank = sum(part.weight for part in segments if not part.multiple) / 100
            kept -= weight * named * mean
            missed *= 1 - named + named * blank
        kept += weight * nothing * missed
    assert float(bonus_edge(game)) == pytest.approx(kept, abs=1e-9)


@cache
def third_cards(two: tuple[Card, Card]) -> tuple[float, float]:
    """What the table pays on these two cards on average, and how often nothing."""
    won = nothing = 0.0
    for third in DECK:
        chance = (6 - two.count(third)) / 310
        held = combination(two, third, Blackjack().jackpot_shares)
        if held is None:
            nothing += chance
        elif held.odds:
            won += chance * held.odds.pays
    return won, nothing
