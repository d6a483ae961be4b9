"""Suggestions: legal, different, in order, and as good as they say; the model behind them."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Any, cast

import msgspec
import pytest

from games.rules.cards import JOKERS, Card, parse_cards
from games.rules.catalogue import game_type
from games.rules.contract import SeatStack
from games.rules.shoe import perm
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.model import RowShares, expected_points, manner
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.populations import POPULATIONS
from games.rules.thirteen.showdown import Shown
from games.rules.thirteen.state import Arrange, Bet, Exchange, ThirteenContext, ThirteenState
from games.rules.thirteen.suggest import (
    STRONG_ROW_WEIGHT,
    Suggestion,
    expected,
    suggest,
    suggest_best,
)
from tests.rules.cases import each, unreadable
from tests.rules.conftest import Share
from tests.rules.test_solver import all_legal

TABLES: list[tuple[str, dict[str, object]]] = [
    ("chinese_poker", {}),
    ("chinese_poker", {"table": "bonus", "extra_point": "no_premium"}),
    ("thirteen_hongkong", {}),
    ("thirteen_hongkong", {"banker_eats_ties": True}),
    ("thirteen_philippine", {}),
    ("thirteen_taiwan", {"prices": "low"}),
    ("thirteen_taiwan", {"banker": "rotating"}),
    ("thirteen_fujian", {"jokers": 0}),
    ("thirteen_fujian", {}),
]
HANDS = {
    "two jokers": "BJRJAsKsQd9h8h7c6c5d4d3s2h",
    "both jokers and four of a kind": "BJRJAsAhAdAc9h8h7c6c5d4d3s",
    "dragon": "2c3d4h5s6c7d8h9sTcJdQhKsAc",
    "one suit": "2s3s4s5s6s7s8s9sTsJsQsKsAs",
    "three fours": "AsAhAdAcKsKhKdKcQsQhQdQcJs",
    "four trips": "AsAhAdKsKhKdQsQhQd2s2h2d3c",
    "six pairs": "AsAhKsKhQsQhJsJhTsTh9s9h2c",
    "three flushes": "2c4c6c8cTc3d5d7d9dJd2s4s6s",
}


def a_game(key: str, options: dict[str, object]) -> ThirteenGame:
    return cast(ThirteenGame, msgspec.convert(options, game_type(key)))


def deals(label: str, game: ThirteenGame, count: int) -> Iterator[list[tuple[Card, ...]]]:
    cards = game.composition()
    for number in range(count):
        order = perm(bytes(32), f"{label} {number}".encode(), len(cards))
        yield [tuple(cards[at] for at in order[seat : 4 * 13 : 4]) for seat in range(4)]


def arranging(game: ThirteenGame, hand: Sequence[Card]) -> ThirteenState:
    """A state in which seat 1, of two or four, arranges this hand."""
    count = game.seats[-1]
    others = [card for card in game.composition() if card not in hand]
    stakes = [SeatStack(seat, 10**6) for seat in range(1, count + 1)]
    hands = [list(hand), *(others[13 * seat : 13 * seat + 13] for seat in range(count - 1))]
    cards = [hands[seat][turn] for turn in range(13) for seat in range(count)]
    state = game.open(stakes, cards, ThirteenContext(button=count))
    if game.bet_limits is not None:
        for seat in range(1, count):
            state = game.apply(state, seat, Bet(100))
    if game.has_exchanges:
        state = game.apply(state, count, Exchange(0))
    return state


def check_suggestions(game: ThirteenGame, hand: Sequence[Card], *, is_banker: bool) -> None:
    suggestions = suggest(game, hand, is_banker=is_banker)
    state = arranging(game, hand)
    for suggestion in suggestions:
        after = game.apply(state, 1, suggestion.action)
        assert after.arranged[0] == suggestion.action
        assert suggestion.expected == pytest.approx(
            expected(game, hand, suggestion.action, is_banker=is_banker)
        )
    points = [suggestion.expected for suggestion in suggestions]
    assert points == sorted(points, reverse=True)
    arranged = [suggestion for suggestion in suggestions if suggestion.declare is None]
    assert arranged[0].character == "best_expected"
    assert (
        len({(suggestion.front, suggestion.middle, suggestion.back) for suggestion in arranged})
        == len(arranged)
        >= 3
    )
    assert len({suggestion.character for suggestion in arranged}) == len(arranged)
    for first, second in combinations(arranged, 2):
        assert outline(game, first) != outline(game, second)
    declared = {
        suggestion.declare for suggestion in suggestions if suggestion.character == "natural"
    }
    assert declared == set(game.held_naturals(hand))
    assert len(suggestions) == len(arranged) + len(declared)
    assert suggest_best(game, hand, is_banker=is_banker) == suggestions[0]


def outline(game: ThirteenGame, suggestion: Suggestion) -> tuple[int, ...]:
    """Categories and main ranks, in which suggestions must differ."""
    shift = 20 + (2 if game.equal_rows_foul else 0)
    return tuple(game.rank_row(row).order >> shift for row in suggestion.action.rows)


@pytest.mark.slow
@each(*TABLES)
def test_suggestions_are_legal_different_and_in_order(
    key: str, options: dict[str, object], share: Share[tuple[bool, int]]
) -> None:
    game = a_game(key, options)
    for is_banker, number in share(product((False, True), range(12)), least=4):
        deal, seat = divmod(number, 4)
        hands = list(deals(f"suggest {is_banker}", game, 3))
        check_suggestions(game, hands[deal][seat], is_banker=is_banker)


@each(*TABLES)
def test_rare_hands_get_suggestions_too(
    key: str, options: dict[str, object], share: Share[str]
) -> None:
    game = a_game(key, options)
    for name in share(HANDS, least=3):
        hand = parse_cards(HANDS[name])
        if all(card in game.composition() for card in hand):
            check_suggestions(game, hand, is_banker=False)


def test_the_characters_are_what_they_are_called() -> None:
    game = a_game("thirteen_taiwan", {})
    safer_than_the_best = 0
    characters: set[str] = set()
    for hands in deals("character", game, 5):
        for hand in hands:
            suggestions = {suggestion.character: suggestion for suggestion in suggest(game, hand)}
            characters.update(suggestions)
            best, safe = suggestions["best_expected"], suggestions["safe"]
            strong = [
                (suggestion, row)
                for name, row in (("strong_front", 0), ("strong_back", 2))
                for suggestion in suggestions.values()
                if suggestion.character == name
            ]
            for suggestion, row in strong:
                mine = game.rank_row(suggestion.action.rows[row]).order
                assert mine >= game.rank_row(best.action.rows[row]).order
                assert safe.lose_all <= suggestion.lose_all + 1e-4
            safer_than_the_best += safe.lose_all < best.lose_all
    assert safer_than_the_best > 0
    assert characters - {"natural"} == {"best_expected", "safe", "strong_front", "strong_back"}


@each(("strong_front", 0), ("strong_back", 2))
def test_a_strong_row_counts_several_times(character: Any, row: int) -> None:
    """No other arrangement, but those that were suggested before, is worth more so."""
    game = a_game("thirteen_hongkong", {})
    model = expected_points(game)

    def weighed(orders: Sequence[int]) -> float:
        points = [model.terms(at, order).points for at, order in enumerate(orders)]
        return sum(points) + (STRONG_ROW_WEIGHT - 1) * points[row]

    (hand,) = [hands[3] for hands in deals("strong", game, 1)]
    suggestions = {suggestion.character: suggestion for suggestion in suggest(game, hand)}
    orders = {
        name: tuple(game.rank_row(cards).order for cards in suggestion.action.rows)
        for name, suggestion in suggestions.items()
    }
    before: list[Any] = ["best_expected", "safe", "strong_front"][: 2 + (row == 2)]
    taken = {outline(game, suggestions[name]) for name in before}
    most = max(
        weighed(others)
        for ranked, _ in all_legal(game, hand)
        if (others := tuple(value.order for value in ranked))[row] >= orders["best_expected"][row]
        and tuple(order >> 20 for order in others) not in taken
    )
    assert weighed(orders[character]) == pytest.approx(most)


def test_seats_are_punters_unless_named_as_banker() -> None:
    game = a_game("thirteen_hongkong", {"banker_eats_ties": True})
    (hand,) = [hands[0] for hands in deals("punter", game, 1)]
    best = suggest_best(game, hand, is_banker=False)
    as_banker = suggest_best(game, hand, is_banker=True)
    assert suggest_best(game, hand) == suggest(game, hand)[0] == best
    assert expected(game, hand, best.action) == best.expected != as_banker.expected


def test_categories_are_named_row_by_row() -> None:
    game = a_game("thirteen_hongkong", {})
    best = suggest_best(game, parse_cards("QcQdAs 9h9s8d8c2d KsKhKdThTs"))
    assert best.categories == ("pair", "two_pair", "full_house")
    assert best.action == Arrange(best.front, best.middle, best.back)


@each(
    ("2c3d4h", "card_count"),
    ("2c3d4h5s6c7d8h9sTcJdQhKsAsAd", "card_count"),
    ("2c3d4h5s6c7d8h9sTcJdQhKs2c", "card_not_in_shoe"),
    ("2c3d4h5s6c7d8h9sTcJdQhKsBJ", "card_not_in_shoe"),
)
def test_impossible_hands_are_refused(cards: str, code: str) -> None:
    unreadable(code, suggest, a_game("chinese_poker", {}), parse_cards(cards))


# The model.


@pytest.mark.release
@each(*[table for table in TABLES if "eats" not in str(table) and "banker" not in table[1]])
def test_expected_values_match_simulations(key: str, options: dict[str, object]) -> None:
    """Good players against each other: points come in, on average, as the model says."""
    game = a_game(key, options)
    expected_sum = covariance = square = 0.0
    pairs = 0
    for hands in deals("model", game, 60):
        plans = [suggest_best(game, hand) for hand in hands]
        shown = [
            show(game, seat, hand, plan)
            for seat, (hand, plan) in enumerate(zip(hands, plans, strict=True))
        ]
        for first, second in combinations(range(4), 2):
            scores = game.compare(shown[first], shown[second], shown)
            points = sum(score.points for score in scores)
            for plan, won in ((plans[first], points), (plans[second], -points)):
                pairs += 1
                expected_sum += plan.expected
                covariance += plan.expected * won
                square += plan.expected**2
    # What one wins another loses, so that hands expect nothing on average.
    assert abs(expected_sum / pairs) < 0.5
    # And twice the expectation comes to twice the points.
    assert 0.75 < covariance / square < 1.3


def show(game: ThirteenGame, seat: int, hand: Sequence[Card], plan: Suggestion) -> Shown:
    if plan.declare is not None:
        return Shown(seat, (), False, plan.declare, any(card in JOKERS for card in hand))
    return Shown(seat, tuple(game.rank_row(row) for row in plan.action.rows), False, None, False)


@each(*TABLES)
def test_a_higher_row_never_expects_less(key: str, options: dict[str, object]) -> None:
    game = a_game(key, options)
    cards = [hand for hands in deals("rows", game, 12) for hand in hands]
    for is_banker in (False, True):
        model = expected_points(game, is_banker)
        for row, size in ((0, 3), (1, 5), (2, 5)):
            orders = sorted({game.rank_row(hand[:size]).order for hand in cards})
            worths = [model.terms(row, order) for order in orders]
            for lower, higher in pairwise(worths):
                assert lower.points <= higher.points + 1e-12
                assert lower.win <= higher.win
                assert lower.lose >= higher.lose
                assert 0 <= higher.win + higher.lose <= 1 + 1e-12


def test_the_banker_who_eats_ties_expects_more_than_the_punter() -> None:
    game = a_game("thirteen_hongkong", {"banker_eats_ties": True})
    for hands in deals("ties", game, 3):
        for hand in hands:
            arranged = suggest_best(game, hand).action
            as_banker = expected(game, hand, arranged, is_banker=True)
            assert as_banker >= expected(game, hand, arranged)


def test_a_natural_expects_its_points_but_for_higher_ones() -> None:
    game = a_game("thirteen_fujian", {})
    model = expected_points(game)
    # Nothing is above a pure dragon, and over all three it counts twice.
    assert model.of_natural(Natural.PURE_DRAGON, False) == pytest.approx(104, abs=1e-6)
    assert 2 < model.of_natural(Natural.THREE_FLUSHES, True) < 3
    real = model.of_natural(Natural.THREE_FLUSHES, False)
    assert real > model.of_natural(Natural.THREE_FLUSHES, True)


def test_every_table_has_a_crowd() -> None:
    manners = {manner(a_game(key, options)) for key, options in TABLES}
    assert manners | {"chinese_plain", "chinese_bonus"} == set(POPULATIONS)


def test_shares_rise_evenly_between_known_values() -> None:
    shares = RowShares((10, 20, 40), (0.0, 0.5, 0.75))
    assert [shares.below(value) for value in (5, 10, 15, 20, 30)] == [0, 0, 0.25, 0.5, 0.625]
    assert shares.below(40) == 1.0


def test_stored_crowds_rise_from_none_to_all() -> None:
    for name, stored in POPULATIONS.items():
        for row in ("front", "middle", "back"):
            values = [int(pair.split(":")[0], 16) for pair in stored[row].split()]
            assert values == sorted(set(values)), name
            shares = [int(pair.split(":")[1]) for pair in stored[row].split()]
            assert shares == sorted(shares)
            assert (shares[0], shares[-1]) == (0, 10_000)
