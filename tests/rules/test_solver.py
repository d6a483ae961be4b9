"""The solver and the coach, against plain trials of every one of the 72,072 arrangements."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import cast

import msgspec
import pytest

from games.rules.cards import DECK, JOKERS, Card, parse_cards
from games.rules.catalogue import game_type
from games.rules.shoe import perm
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.model import HighestPoints, HighestTerms, RowWorth, expected_points, worth
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import MIDDLE, RowValue, Shown
from games.rules.thirteen.solver import (
    Objective,
    Outline,
    RankedHand,
    Split,
    best_arrangement,
    best_split,
    rank_hand,
    rest_of,
    rows_at,
)
from games.rules.thirteen.state import Arrange
from games.rules.thirteen.suggest import Hindsight, best_against, points_against
from tests.rules.cases import each, unreadable
from tests.rules.conftest import Share

Ranked = tuple[RowValue, RowValue, RowValue]

TABLES: list[tuple[str, dict[str, object]]] = [
    ("chinese_poker", {}),
    ("chinese_poker", {"residual_tie": True}),
    ("chinese_poker", {"table": "bonus"}),
    ("chinese_poker", {"table": "bonus", "extra_point": "no_premium"}),
    ("thirteen_hongkong", {}),
    ("thirteen_hongkong", {"banker_eats_ties": True}),
    ("thirteen_philippine", {}),
    ("thirteen_taiwan", {}),
    ("thirteen_taiwan", {"prices": "low"}),
    ("thirteen_taiwan", {"banker": "fixed", "banker_eats_ties": True}),
    ("thirteen_fujian", {"jokers": 0}),
    ("thirteen_fujian", {}),
    ("thirteen_fujian", {"allow_foul": True}),
]


def a_game(key: str, options: dict[str, object]) -> ThirteenGame:
    return cast(ThirteenGame, msgspec.convert(options, game_type(key)))


def dealt(label: str, game: ThirteenGame, jokers: int | None = None) -> list[tuple[Card, ...]]:
    """Four hands of a deal; with a number of jokers, the first hand holds so many."""
    cards = list(DECK if jokers is not None else game.composition())
    order = perm(bytes(32), label.encode(), len(cards))
    shuffled = [cards[at] for at in order]
    if jokers:
        shuffled[:jokers] = JOKERS[:jokers]
    return [tuple(shuffled[13 * seat : 13 * (seat + 1)]) for seat in range(4)]


def all_legal(game: ThirteenGame, hand: Sequence[Card]) -> Iterator[tuple[Ranked, Arrange]]:
    """Every legal arrangement, one by one."""
    fives = {five: game.rank_row(five) for five in combinations(hand, 5)}
    threes = {three: game.rank_row(three) for three in combinations(hand, 3)}
    for back, back_value in fives.items():
        rest = [card for card in hand if card not in back]
        for middle in combinations(rest, 5):
            first, two, three = (card for card in rest if card not in middle)
            front = (first, two, three)
            ranked = threes[front], fives[middle], back_value
            # Most are out of order by far, and the game need not say why.
            if ranked[1].order <= ranked[2].order and not game.out_of_order(ranked):
                yield ranked, Arrange(front, middle, back)


def greatest_worth(
    hand: RankedHand, objective: Objective, without: Collection[Outline] = ()
) -> float:
    every = (tuple(row.order for row in ranked) for ranked, _ in all_legal(hand.game, hand.cards))
    return max(
        worth(objective, (front, middle, back))
        for front, middle, back in every
        if (front >> 20, middle >> 20, back >> 20) not in without
    )


def check_split(hand: RankedHand, objective: Objective, split: Split | None) -> None:
    """A split is legal, is worth what it says, and nothing is worth more."""
    assert split is not None
    ranked = [hand.game.rank_row(row) for row in split.rows]
    assert sorted(card.text for row in split.rows for card in row) == sorted(
        card.text for card in hand.cards
    )
    assert [len(row) for row in split.rows] == [3, 5, 5]
    assert hand.game.out_of_order(ranked) is None
    assert split.orders == tuple(row.order for row in ranked)
    assert split.points == worth(objective, split.orders)
    assert split.points == pytest.approx(greatest_worth(hand, objective), abs=1e-9)


def check_best(game: ThirteenGame, hand: Sequence[Card], is_banker: bool = False) -> None:
    ranked, objective = rank_hand(game, hand), expected_points(game, is_banker)
    check_split(ranked, objective, best_split(ranked, objective))


@pytest.mark.slow
def test_no_arrangement_is_worth_more(
    share: Share[tuple[tuple[str, dict[str, object]], bool, int]],
) -> None:
    for (key, options), is_banker, seat in share(product(TABLES, (False, True), (0, 1)), least=6):
        game = a_game(key, options)
        check_best(game, dealt(f"exact {is_banker}", game)[seat], is_banker)


@pytest.mark.long
def test_jokers_hide_no_better_arrangement(share: Share[tuple[int, str]]) -> None:
    game = a_game("thirteen_fujian", {})
    for jokers, deal in share(product((1, 2), "ab"), least=2):
        check_best(game, dealt(deal, game, jokers)[0])


# Hands in which a search could stumble: few categories, many equal rows, fronts above most rows.
STRANGE = {
    "all of one suit": "2s3s4s5s6s7s8s9sTsJsQsKsAs",
    "dragon without a flush": "2c3d4h5s6c7d8h9sTcJdQhKsAd",
    "three fours": "AsAhAdAcKsKhKdKcQsQhQdQcJs",
    "four trips": "AsAhAdKsKhKdQsQhQd2s2h2d3c",
    "six pairs": "AsAhKsKhQsQhJsJhTsTh9s9h2c",
    "weak": "2s3d4h5c7d7h9cTdJhQs4c8s2d",
    "two straights in all suits": "2c2d2h2s3c3d3h3s4c4d5h5s6c",
}


@pytest.mark.slow
def test_strange_hands_are_arranged_as_well(share: Share[tuple[str, str]]) -> None:
    keys = ("chinese_poker", "thirteen_taiwan", "thirteen_fujian")
    for key, name in share(product(keys, STRANGE), least=3):
        check_best(a_game(key, {}), parse_cards(STRANGE[name]))


class Weighted:
    """Whole numbers: each row counts by its value, and the lowest of the three once more."""

    def __init__(self, suit_bits: int, weights: tuple[int, int, int]) -> None:
        self._suit_bits = suit_bits
        self._weights = weights

    def terms(self, row: int, order: int) -> RowWorth:
        points = float(self._weights[row] * (order >> 10))
        return RowWorth(points, 0.0, 0.0, points, 0.0, 1, 0.0, 0.0, 1.0, 1.0)

    def highest_terms(self, row: int) -> HighestTerms:
        return HighestTerms(self.terms, row, self._suit_bits)

    def highest_points(self, row: int) -> HighestPoints:
        return HighestPoints(self.highest_terms(row))

    def together(self, front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
        return min(front.gain, middle.gain, back.gain)

    together_at_most = together


@pytest.mark.long
@each(("thirteen_fujian", 0), ("chinese_poker", 2))
def test_any_objective_that_rises_with_the_rows_is_served(
    key: str, suit_bits: int, share: Share[int]
) -> None:
    game = a_game(key, {})
    for seed in share(range(20)):
        random = Random(seed)
        hand = random.sample(game.composition(), 13)
        weights = random.randrange(10), random.randrange(10), random.randrange(10)
        ranked, objective = rank_hand(game, hand), Weighted(suit_bits, weights)
        check_split(ranked, objective, best_split(ranked, objective))


def test_the_best_front_that_a_back_leaves_depends_on_all_its_cards() -> None:
    """Three nines in front: no card of the best back is among them, nor are they too high."""
    game = a_game("thirteen_taiwan", {})
    ranked = rank_hand(game, parse_cards("3s9h6c7d4c4h5c3h7c9s7s9c4s"))
    split = best_split(ranked, Weighted(0, (9, 0, 1)))
    check_split(ranked, Weighted(0, (9, 0, 1)), split)


def test_equal_backs_are_all_looked_at() -> None:
    """Of three full houses, the highest backs there are, only the last leaves a flush."""
    game = a_game("thirteen_taiwan", {})
    ranked = rank_hand(game, parse_cards("AhAsAdKhKsKdJh8h5h2h7c4s3d"))
    split = best_split(ranked, Weighted(0, (1, 1, 9)))
    check_split(ranked, Weighted(0, (1, 1, 9)), split)
    assert split is not None
    assert set(split.rows[MIDDLE]) == set(parse_cards("KhJh8h5h2h"))


def test_an_excluded_outline_gives_way_to_the_next_best() -> None:
    game = a_game("thirteen_taiwan", {})
    ranked, objective = rank_hand(game, dealt("outline 0", game)[0]), expected_points(game)
    splits: list[Split] = []
    for _ in range(5):
        split = best_split(ranked, objective, [split.outline for split in splits])
        assert split is not None
        splits.append(split)
    for split in splits:
        assert split.outline == tuple(order >> 20 for order in split.orders)
    assert len({split.outline for split in splits}) == 5
    assert splits == sorted(splits, key=lambda split: -split.points)
    best = greatest_worth(ranked, objective, [split.outline for split in splits[:2]])
    assert splits[2].points == pytest.approx(best, abs=1e-9)


def test_the_best_arrangement_is_the_one_with_the_most_expected_points() -> None:
    game = a_game("thirteen_hongkong", {"banker_eats_ties": True})
    for hand in dealt("best", game):
        for is_banker in (False, True):
            split = best_split(rank_hand(game, hand), expected_points(game, is_banker))
            assert best_arrangement(game, hand, is_banker=is_banker) == split
        punter = best_arrangement(game, hand, is_banker=False)
        assert best_arrangement(game, hand) == punter != split


@pytest.mark.slow
def test_every_split_under_a_back_is_counted_once() -> None:
    splits = {
        rows_at(DECK[:13], front, middle, back)
        for back in range(1287)
        for middle, front in zip(rest_of(back).middles, rest_of(back).fronts, strict=True)
    }
    assert len(splits) == 72_072
    assert all(len(set(front + middle + back)) == 13 for front, middle, back in splits)


# The coach.

TABLES_OF_COACH: list[tuple[str, dict[str, object], int | None]] = [
    ("chinese_poker", {}, None),
    ("chinese_poker", {"table": "bonus", "extra_point": "no_premium"}, None),
    ("thirteen_hongkong", {}, 1),
    ("thirteen_hongkong", {"banker_eats_ties": True}, 1),
    ("thirteen_hongkong", {"banker_eats_ties": True}, 2),
    ("thirteen_taiwan", {}, None),
    ("thirteen_fujian", {}, None),
]


def shown_by(game: ThirteenGame, seat: int, hand: Sequence[Card]) -> Shown:
    rows = tuple(game.rank_row(row) for row in best_arrangement(game, hand).rows)
    return Shown(seat, rows, False, None, False)


def against(game: ThirteenGame, mine: Shown, others: Sequence[Shown], banker: int | None) -> int:
    """The points of a seat, straight from the game's comparison."""
    total = 0
    for theirs in others:
        if banker in (None, mine.seat):
            total += sum(s.points for s in game.compare(mine, theirs, (mine, *others)))
        elif banker == theirs.seat:
            total -= sum(s.points for s in game.compare(theirs, mine, (mine, *others)))
    return total


def check_hindsight(
    game: ThirteenGame, hand: Sequence[Card], others: Sequence[Shown], seat: int, banker: int | None
) -> None:
    """No arrangement would have brought more, and the one that is found brings what it says."""
    hindsight = best_against(game, hand, others, seat=seat, banker=banker)
    best = max(
        against(game, Shown(seat, ranked, False, None, False), others, banker)
        for ranked, _ in all_legal(game, hand)
    )
    assert hindsight.points == best
    assert hindsight.arranged.declare is None
    rows = tuple(game.rank_row(row) for row in hindsight.arranged.rows)
    assert game.out_of_order(rows) is None
    assert against(game, Shown(seat, rows, False, None, False), others, banker) == best


@pytest.mark.slow
def test_hindsight_finds_the_most_points_of_all(
    share: Share[tuple[str, dict[str, object], int | None]],
) -> None:
    for key, options, banker in share(TABLES_OF_COACH):
        game = a_game(key, options)
        hands = dealt("coach", game)
        mine, *others = (shown_by(game, seat, hand) for seat, hand in enumerate(hands, 1))
        check_hindsight(game, hands[0], others, 1, banker)
        hindsight = best_against(game, hands[0], others, seat=1, banker=banker)
        assert hindsight.points >= points_against(game, mine, others, banker=banker)


# Both hold the same ranks, so that every row of the one can be equal to one of the other.
STAND_OFFS = [
    ("AsKdQd9h9c8d8s7c5d4d3s2h2c", "AhKhQc9s9d8c8h7d5c4c3h2s2d", False, 1),
    ("AsKdQd9h9c8d8s7c5d4d3s2h2c", "AhKhQc9s9d8c8h7d5c4c3h2s2d", True, 1),
    ("AsKdQd9h9c8d8s7c5d4d3s2h2c", "AhKhQc9s9d8c8h7d5c4c3h2s2d", True, 2),
    ("2c6d9sJh4c6h7h4d7sKs2h5sQs", "Kd2d2s4s4h5h7c7d6c6s9hQhJs", False, 1),
    ("3h8hAc4cTd5h2c8d2dJhJc6h9d", "9h6dTcJdJsAh2h2s5c3c8c8s4d", False, 1),
    # The one who is not the banker loses a row by its biggest point alone.
    ("6dJs4hAc8c2c3h9dTd5d3sQdQs", "AdJh4d6h2d5sQcQh8sTs3c3d9h", True, 2),
    ("QsAh9s5c3cTs4h4dJs6d3s2d5s", "5d5h6h3d3h9hAsTcJd2h4c4sQh", True, 1),
]


@pytest.mark.slow
def test_hindsight_knows_a_row_that_stands_off(
    share: Share[tuple[int, tuple[str, str, bool, int]]],
) -> None:
    for seat, (hand, same, eats, banker) in share(product((1, 2), STAND_OFFS), least=2):
        game = a_game("thirteen_hongkong", {"banker_eats_ties": eats})
        others = [shown_by(game, 3 - seat, parse_cards(same))]
        check_hindsight(game, parse_cards(hand), others, seat, banker)


def test_units_weigh_the_opponents() -> None:
    game = a_game("thirteen_hongkong", {})
    hands = dealt("units", game)
    mine, *others = (shown_by(game, seat, hand) for seat, hand in enumerate(hands, 1))
    units = {2: 300, 3: 0, 4: 0}
    points = points_against(game, mine, others[:1], banker=1)
    assert points_against(game, mine, others, banker=1, units=units) == 300 * points
    alone = best_against(game, hands[0], others[:1], seat=1, banker=1)
    weighed = best_against(game, hands[0], others, seat=1, banker=1, units=units)
    assert weighed.points == 300 * alone.points


def test_hindsight_declares_a_natural_that_makes_more() -> None:
    game = a_game("thirteen_taiwan", {})
    dragon = parse_cards("2c3d4h5s6c7d8h9sTcJdQhKsAc")
    left = [card for card in DECK if card not in dragon]
    others = [shown_by(game, seat, left[13 * seat - 26 : 13 * seat - 13]) for seat in (2, 3, 4)]
    hindsight = best_against(game, dragon, others, seat=1)
    assert hindsight == Hindsight(arranged=Arrange(declare=Natural.DRAGON), points=3 * 36)


def test_fouls_and_naturals_of_others_are_met_by_the_games_rules() -> None:
    game = a_game("chinese_poker", {})
    hands = dealt("foul", game)
    fouled = shown_by(game, 2, hands[1])._replace(foul=True)
    reported = Shown(3, (), False, Natural.SIX_PAIRS, False)
    hindsight = best_against(game, hands[0], [fouled, reported], seat=1)
    assert hindsight.points == 3 - 3


@each(
    ("2c3d4h", "card_count"),
    ("2c3d4h5s6c7d8h9sTcJdQhKs2c", "card_not_in_shoe"),
    ("2c3d4h5s6c7d8h9sTcJdQhKsRJ", "card_not_in_shoe"),
)
def test_the_coach_refuses_what_is_no_hand(cards: str, code: str) -> None:
    unreadable(code, best_against, a_game("thirteen_hongkong", {}), parse_cards(cards), [])
