"""The odds of blackjack, against what is counted in another way."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random

import pytest

from games.bots.blackjack import best
from games.rules.blackjack.analysis.bonus import insurance_edge
from games.rules.blackjack.analysis.edge import ENDS, Table, draws, edge_of, split_outcomes
from games.rules.blackjack.analysis.strategy import (
    BLACKJACK,
    COUNTS,
    LATER,
    UNSPLIT,
    BasicHand,
    best_move,
    held_of,
    pair_of,
    rules_of,
    two_cards,
    worths,
)
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.refusals import Choice
from games.rules.blackjack.state import Bet
from games.rules.blackjack.totals import POINTS
from games.rules.cards import DECK, Card, parse_cards
from games.rules.contract import HOUSE, SeatStack
from games.rules.house.actions import Close
from games.rules.house.sides import SideContext
from tests.rules.blackjack_odds import PLAIN
from tests.rules.cases import each, every, unreadable
from tests.rules.conftest import Share


@each(
    # With no chips for more, or with more than two cards.
    (BasicHand(11, False), 6, LATER, "hit"),
    (BasicHand(18, True), 6, LATER, "stand"),
    (BasicHand(18, True), 9, LATER, "hit"),
    (BasicHand(16, False), 10, LATER, "hit"),
    (BasicHand(12, False), 4, LATER, "stand"),
    (pair_of(8), 10, UNSPLIT, "hit"),
    (pair_of(9), 9, UNSPLIT, "stand"),
    (pair_of(1), 6, LATER, "hit"),
    (BasicHand(4, False), 6, LATER, "hit"),
    (BasicHand(20, False), 6, UNSPLIT, "stand"),
)
def test_the_best_of_what_is_left(
    held: BasicHand, up: int, allowed: frozenset[Choice], move: Choice
) -> None:
    assert best_move(PLAIN, held, up, allowed) == move


@each(
    ("8c8d", BasicHand(16, False, 8)),
    ("KcTd", BasicHand(20, False, 10)),
    ("AcAd", BasicHand(12, True, 1)),
    ("Ac6d", BasicHand(17, True)),
    ("Ac6dTh", BasicHand(17, False)),
    ("8c4d4h", BasicHand(16, False)),
    ("AcAdAh", BasicHand(13, True)),
    ("TcAd", BasicHand(21, True)),
)
def test_what_basic_strategy_sees(cards: str, held: BasicHand) -> None:
    assert held_of(parse_cards(cards)) == held


def test_worths_of_moves_that_are_known() -> None:
    """From published tables of six decks, to three places."""
    assert worths(PLAIN, BasicHand(16, False), 10)["surrender"] == -0.5
    assert "surrender" not in worths(PLAIN, BasicHand(16, False), 1)
    assert "split" not in worths(PLAIN, BasicHand(16, False), 10)
    # Against a seven there is no blackjack, with or without a hole card.
    assert worths(PLAIN, BasicHand(20, False), 7)["stand"] == pytest.approx(0.773, abs=0.002)
    assert worths(PLAIN, BasicHand(11, False), 6)["double"] == pytest.approx(0.667, abs=0.01)


def test_a_total_is_the_cards_it_can_be_by_how_often_it_is_them() -> None:
    """The dealer's four is one of 24; a pair stands for a total that nothing else makes."""
    assert two_cards(BasicHand(9, False), 4) == {(2, 7): 24 * 24, (3, 6): 24 * 24, (4, 5): 23 * 24}
    assert two_cards(BasicHand(17, True), 4) == {(1, 6): 24 * 24}
    assert two_cards(BasicHand(12, False), 2)[2, 10] == 23 * 96
    assert two_cards(BasicHand(20, False), 10) == {(10, 10): 1}
    assert two_cards(BasicHand(12, True), 10) == {(1, 1): 1}
    assert two_cards(pair_of(8), 8) == {(8, 8): 1}


# What follows is counted again, slowly and in another way.


@cache
def dealer_ends(left: tuple[int, ...], hand: tuple[int, ...], hits: bool) -> dict[int, Fraction]:
    """How the dealer ends: 17 to 21, 22 for a bust, 23 for blackjack; card by card."""
    low = sum(hand)
    soft = 1 in hand and low <= 11
    points = low + 10 if soft else low
    if points > 17 or (points == 17 and not (soft and hits)):
        if len(hand) == 2 and points == 21:
            return {23: Fraction(1)}
        return {min(points, 22): Fraction(1)}
    ends: Counter[int] = Counter()
    for value in range(1, 11):
        if left[value]:
            rest = (*left[:value], left[value] - 1, *left[value + 1 :])
            chance = Fraction(left[value], sum(left))
            for end, share in dealer_ends(rest, tuple(sorted((*hand, value))), hits).items():
                ends[end] += chance * share  # type: ignore[assignment]
    return dict(ends)  # type: ignore[arg-type]


@every(up=[1, 6, 7, 10], hits=[False, True])
def test_the_dealers_hand_is_counted_exactly(up: int, hits: bool) -> None:
    left = [0, 20, 21, 22, 23, 24, 20, 21, 22, 23, 90]
    expected = dealer_ends(tuple(left), (up,), hits)
    chances = dict(zip(ENDS, draws(up, hits).chances(left), strict=True))
    assert chances == pytest.approx({end: float(expected.get(end, 0)) for end in ENDS}, abs=1e-12)
    assert sum(chances.values()) == pytest.approx(1)


def test_the_dealer_draws_the_last_card_of_a_shoe() -> None:
    left = [0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0]
    chances = dict(zip(ENDS, draws(6, False).chances(left), strict=True))
    assert {end for end, chance in chances.items() if chance} == {20}
    assert chances[20] == 1.0


def test_the_dealers_blackjack() -> None:
    left = list(COUNTS)
    left[1] -= 1
    assert dict(zip(ENDS, draws(1, False).chances(left), strict=True))[BLACKJACK] == pytest.approx(
        96 / 311
    )


def test_how_many_hands_a_split_makes() -> None:
    """Against dealing second cards out, with four of the rank left among twenty."""
    counted: Counter[tuple[int, int]] = Counter()
    random = Random(3)
    rounds = 40_000
    for _ in range(rounds):
        shoe = [True] * 4 + [False] * 16
        random.shuffle(shoe)
        hands, others, rest = 2, 0, 2
        while rest and hands < 4:
            if shoe.pop():
                hands, rest = hands + 1, rest + 1
            else:
                others, rest = others + 1, rest - 1
        counted[others, rest] += 1
    outcomes = list(split_outcomes(8, 4, 20))
    assert sum(outcome.chance for outcome in outcomes) == pytest.approx(1)
    chances: Counter[tuple[int, int]] = Counter()
    for outcome in outcomes:
        chances[outcome.others, outcome.rest] += outcome.chance  # type: ignore[assignment]
    assert set(chances) == set(counted)
    for way, chance in chances.items():
        error = (chance * (1 - chance) / rounds) ** 0.5
        assert abs(counted[way] / rounds - chance) < 4 * error
    assert list(split_outcomes(1, 20, 300)) == [(1.0, 0, 2)]


def play_out(cards: list[Card], game: Blackjack) -> int:
    """What a bet of 100 nets when these cards are played by basic strategy."""
    state = game.open([SeatStack(1, 10_000)], cards, SideContext())
    state = game.apply(state, 1, Bet(1, 100))
    state = game.apply(state, HOUSE, Close())
    while game.to_act(state):
        state = game.apply(state, 1, best(game, game.view(state, 1)))
    return game.settle(state).net[1]


def orders_of(counts: dict[int, int]) -> Iterator[list[int]]:
    """Every order in which so many cards of each value can come."""
    if not counts:
        yield []
    for value in counts:
        rest = {points: left - (points == value) for points, left in counts.items()}
        for order in orders_of({points: left for points, left in rest.items() if left}):
            yield [value, *order]


def cards_of(values: list[int]) -> list[Card]:
    """Cards that count so much, with as many different ones as there are."""
    taken: Counter[int] = Counter()
    cards = []
    for value in values:
        known = [card for card in DECK if POINTS[card] == value]
        cards.append(known[taken[value] % len(known)])
        taken[value] += 1
    return cards


# The first two cards and the dealer's between them, what is left in the shoe, and options.
SMALL_SHOES: list[tuple[int, int, int, dict[int, int], dict[str, bool]]] = [
    # Stands, hits, doubles, and a surrender.
    (10, 6, 3, {5: 2, 9: 2, 10: 4}, {}),
    (5, 10, 7, {2: 2, 4: 2, 10: 4}, {}),
    (5, 9, 6, {2: 2, 4: 2, 10: 4}, {}),
    (1, 6, 6, {3: 2, 8: 2, 10: 4}, {}),
    (1, 6, 6, {1: 2, 8: 2, 10: 4}, {"hit_soft_17": True}),
    (10, 10, 6, {1: 2, 8: 2, 10: 2}, {}),
    # Blackjacks, paid at once and waiting.
    (1, 9, 10, {1: 2, 10: 2}, {}),
    (1, 10, 10, {1: 2, 8: 2, 10: 2}, {}),
    (10, 1, 1, {1: 2, 8: 2, 10: 3}, {}),
    # Aces, split once.
    (1, 10, 1, {1: 2, 9: 3, 10: 3}, {}),
    (1, 10, 1, {1: 2, 9: 3, 10: 3}, {"original_bets_only": True}),
    # Nines, split again; with doubles behind, and with so many that four hands are full.
    (9, 6, 9, {8: 3, 9: 3, 10: 4}, {}),
    (9, 6, 9, {2: 2, 9: 2, 10: 6}, {}),
    (9, 6, 9, {9: 6, 10: 4}, {}),
    # Sevens, with a soft 18 behind that only doubles where the dealer hits soft 17.
    (7, 2, 7, {1: 2, 8: 2, 10: 4}, {}),
    (7, 2, 7, {1: 2, 8: 2, 10: 4}, {"hit_soft_17": True}),
    # Eights against an ace, where only original bets are taken; and with busts before.
    (8, 1, 8, {1: 2, 8: 2, 10: 6}, {"original_bets_only": True}),
    (8, 1, 8, {4: 2, 8: 2, 10: 8}, {"original_bets_only": True}),
    (8, 9, 8, {4: 2, 8: 1, 10: 6}, {}),
]


@pytest.mark.slow
def test_hands_out_of_small_shoes_are_worth_what_all_orders_bring(
    share: Share[tuple[int, int, int, dict[int, int], dict[str, bool]]],
) -> None:
    """Every order is dealt through the contract and played by the bot."""
    for first, up, second, counts, options in share(SMALL_SHOES, least=6):
        game = Blackjack(**options)  # type: ignore[arg-type]
        table = Table(rules_of(game), up)
        table.left = [counts.get(value, 0) for value in range(11)]
        table.size = sum(counts.values())
        net = [play_out(cards_of([first, up, second, *order]), game) for order in orders_of(counts)]
        assert table.two(first, second) == pytest.approx(sum(net) / len(net) / 100, abs=1e-12)


class RecognisableTable(Table):
    """A box whose first two cards are worth something that is easily known again."""

    def two(self, first: int, second: int) -> float:
        return first + second**2 if first != second else -first


def test_a_box_is_worth_the_average_of_its_first_two_cards() -> None:
    """Two of a pair come less often, two others in two orders."""
    table = RecognisableTable(PLAIN, 6)
    assert (table.size, sum(table.left), table.left[6]) == (311, 311, 23)
    table.left, table.size = [0, 4, 3, 4, 4, 4, 2, 4, 4, 4, 9], 42
    shoe = [value for value, count in enumerate(table.left) for _ in range(count)]
    worths = [table.two(*sorted(two)) for two in permutations(shoe, 2)]
    assert table.box() == pytest.approx(sum(worths) / len(worths))


def mean_of(results: list[int]) -> tuple[float, float]:
    """The mean a bet, and its standard error."""
    mean = sum(results) / len(results)
    variance = sum((result - mean) ** 2 for result in results) / len(results)
    return mean / 100, (variance / len(results)) ** 0.5 / 100


@pytest.mark.release
@each(
    ("8c6d8d", Blackjack()),
    ("3c7d3h", Blackjack()),
    ("AcTdAd", Blackjack(original_bets_only=True)),
    ("9c6d2d", Blackjack(hit_soft_17=True)),
)
def test_a_hand_is_worth_what_playing_it_out_brings(cards: str, game: Blackjack) -> None:
    first, up, second = parse_cards(cards)
    table = Table(rules_of(game), POINTS[up])
    table.take(POINTS[first])
    table.take(POINTS[second])
    worth = table.two(POINTS[first], POINTS[second])
    rest = list(game.composition())
    for card in (first, up, second):
        rest.remove(card)
    random = Random(5)
    results = [play_out([first, up, second, *random.sample(rest, 30)], game) for _ in range(8_000)]
    mean, error = mean_of(results)
    assert error < 0.03
    assert abs(mean - worth) < 3 * error


@pytest.mark.release
def test_rounds_through_the_contract_agree_with_the_house_edge() -> None:
    game = Blackjack()
    shoe = game.composition()
    random = Random(11)
    results = [play_out(random.sample(shoe, 30), game) for _ in range(40_000)]
    mean, error = mean_of(results)
    assert error < 0.006
    assert abs(mean + edge_of(game)) < 3 * error


@each(
    # 96 of the 311 cards beside the ace are ten-values.
    ("Ac", 1 - 3 * Fraction(96, 311)),
    ("AcTdKh", 1 - 3 * Fraction(94, 309)),
)
def test_the_edge_of_insurance(gone: str, edge: Fraction) -> None:
    left = list(Blackjack().composition())
    for card in parse_cards(gone):
        left.remove(card)
    assert insurance_edge(left) == edge


def test_insurance_needs_a_card() -> None:
    unreadable("too_few_cards", insurance_edge, ())
