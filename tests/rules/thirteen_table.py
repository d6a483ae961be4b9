"""Putting known hands on a thirteen-card table, for tables of cases.

A hand is written as its rows, `"AsAdKc / 2c3c4c5c6c / 7d7h7s8d8h"`, or as a declaration with its
thirteen cards in any order, `"dragon: 2c3d4h5s6c7d8h9sTcJdQhKsAc"`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.rules.cards import Card, cards_text, parse_cards
from games.rules.contract import AnyGame, SeatStack, replay
from games.rules.settlement import Settlement
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange, Bet, Exchange, ThirteenContext, order_from_left
from tests.rules.harness import Moves

STACK = 10**9


class Hand(NamedTuple):
    """Thirteen cards and how they are played; None leaves the arranging to the house."""

    cards: tuple[Card, ...]
    arranged: Arrange | None


def read_hand(text: str) -> Hand:
    declared, colon, cards = text.rpartition(":")
    if colon:
        return Hand(parse_cards(cards), Arrange(declare=Natural(declared.strip())))
    front, middle, back = (parse_cards(row) for row in text.split("/"))
    return Hand(front + middle + back, Arrange(front=front, middle=middle, back=back))


def settle(
    game: Any,
    *shown: str,
    stacks: Sequence[int] = (),
    button: int | None = None,
    bets: Sequence[int] = (),
) -> Settlement:
    """Settle a hand in which seats 1, 2, … show these hands.

    Seats that show nothing get the cards that are left and the house arranges for them. The button,
    or the banker, is the last seat unless it is named, so seat 1 pays and is paid first.
    """
    hands = [read_hand(text) for text in shown]
    used = {card for hand in hands for card in hand.cards}
    assert len(used) == 13 * len(hands), f"a card stands twice: {cards_text(used)}"
    left = [card for card in game.composition() if card not in used]
    while len(hands) < game.seats[0]:
        hands.append(Hand(tuple(left[:13]), None))
        del left[:13]
    seats = list(range(1, len(hands) + 1))
    dealer = button or seats[-1]
    order = order_from_left(seats, dealer)
    cards = [hands[seat - 1].cards[turn] for turn in range(13) for seat in order]
    stakes = [SeatStack(seat, stacks[seat - 1] if stacks else STACK) for seat in seats]
    context = ThirteenContext(button=dealer)
    moves: Moves = []
    if game.bet_limits is not None:
        punters = [seat for seat in seats if seat != dealer]
        amounts = bets or [1] * len(punters)
        moves += [(seat, Bet(bet)) for seat, bet in zip(punters, amounts, strict=True)]
    if game.has_exchanges:
        moves.append((dealer, Exchange(0)))
    state = replay(game, stakes, cards, context, moves)
    for seat, hand in zip(seats, hands, strict=True):
        state = game.apply(state, seat, hand.arranged or game.fallback(state, seat))
    return game.settle(state)


def passed(settlement: Settlement, target: int, source: int) -> int:
    """What passed between two seats: to the first, or below zero from it."""
    moved = 0
    for transfer in settlement.transfers:
        if (transfer.source, transfer.target) == (source, target):
            moved += transfer.amount
        if (transfer.source, transfer.target) == (target, source):
            moved -= transfer.amount
    return moved


def duel(game: AnyGame, first: str, second: str, **where: Any) -> int:
    """The points that pass from the second hand to the first, seats 1 and 2."""
    return passed(settle(game, first, second, **where), 1, 2)


def reasons(settlement: Settlement, target: int, source: int) -> list[tuple[str, int]]:
    """The lines between two seats: why, and how much to the first or below zero from it."""
    between = []
    for line in settlement.lines:
        if (line.source, line.target) == (source, target):
            between.append((line.key, line.amount))
        if (line.source, line.target) == (target, source):
            between.append((line.key, -line.amount))
    return between


def opened(
    game: AnyGame,
    *hands: str,
    seats: Sequence[int] = (),
    stacks: Sequence[int] = (),
    button: int | None = None,
) -> Any:
    """The first state of a hand in which the seats hold these cards, in the order written.

    The seats ascend and are 1, 2, … unless they are named; the button, or the banker, is the last.
    """
    seats = seats or range(1, len(hands) + 1)
    held = dict(zip(seats, (read_hand(hand).cards for hand in hands), strict=True))
    order = order_from_left(tuple(seats), button or seats[-1])
    cards = [held[seat][turn] for turn in range(13) for seat in order]
    amounts = stacks or [STACK] * len(hands)
    stakes = [SeatStack(seat, stack) for seat, stack in zip(seats, amounts, strict=True)]
    return game.open(stakes, cards, ThirteenContext(button=button))


def row_results(settlement: Settlement, target: int, source: int) -> dict[str, int]:
    """What each row brought the first of two seats, below zero where it lost; no entry is a tie."""
    results = {}
    for line in settlement.lines:
        if "row" in line.values and {line.source, line.target} == {source, target}:
            sign = 1 if line.target == target else -1
            results[str(line.values["row"])] = sign * line.amount
    return results


# Hands for the tables of games without jokers.

# Loses every row to each of the hands below; the same cards with their front above their middle.
BEATEN = "2c3c5d / 2d4c6c7d8s / 2h3d4d9c9d"
BEATEN_FOUL = "9c9d8s / 2c3c5d6c7d / 2d2h3d4d4c"
WINNING = {
    "high card, pair, pair": "KcQd7c / JcJdTh8c6d / AcAdTs9h5c",
    "front trips": "KcKdKh / 5c6d7c8c9h / 2sTsJsQsAs",
    "middle full house": "5c6d7c / TcTdThJcJd / KcKdKhAcAd",
    "middle and back four": "7cJcQd / TcTdThTs5c / KcKdKhKs6d",
    "middle and back straight flush": "AcAd5c / 7h8h9hThJh / 9sTsJsQsKs",
    "middle and back royal flush": "5c7cKc / ThJhQhKhAh / TsJsQsKsAs",
    "back full house": "KcQd7c / JcJdTh8c6d / AcAdAhKdKh",
    "back four": "KcQd7c / JcJdTh8c6d / AcAdAhAs5c",
    "back straight flush": "KcQd7c / JcJdTc8c6d / 7h8h9hThJh",
    "back royal flush": "KcQd7c / JcJdTh8c6d / TsJsQsKsAs",
    "trips and two straight flushes": "KcKdKh / 3s4s5s6s7s / 7h8h9hThJh",
}

# All of a suit in three rows: equal but for their suits.
SUITED = {
    "spades": "2s3s4s / 5s6s7s8s9s / TsJsQsKsAs",
    "hearts": "2h3h4h / 5h6h7h8h9h / ThJhQhKhAh",
    "clubs": "2c3c4c / 5c6c7c8c9c / TcJcQcKcAc",
    "diamonds": "2d3d4d / 5d6d7d8d9d / TdJdQdKdAd",
}

# Declarations in two versions of which none shares a card with any of the other version: of clubs
# and diamonds with the two of hearts, and of hearts and spades with the ace of diamonds.
MINOR = {
    "thirteen_suited": "thirteen_suited: 2c3c4c5c6c7c8c9cTcJcQcKcAc",
    "pure_dragon": "pure_dragon: 2c3c4c5c6c7c8c9cTcJcQcKcAc",
    "dragon": "dragon: 2c3d4c5d6c7d8c9dTcJdQcKdAc",
    "twelve_one": "twelve_one: 2c3c4c5c6c7c8c9cTcJcQcKc2d",
    "trips_five_pairs": "trips_five_pairs: 2c2d2h3c3d4c4d5c5d6c6d7c7d",
    "three_straights": "three_straights: 2c3d4c5c6d2d3c4d5d6c7c8d9c",
    "three_flushes": "three_flushes: 2c4c6c8cTc3d5d7d9dJdQcKcAc",
    "six_pairs": "six_pairs: 2c2d3c3d4c4d5c5d6c6d7c7d9c",
    "none": "2c3d5c / 6c6d7c8d9c / TcTdJcQdKc",
    "foul": "KcKd2c / 3c5d7c9dJc / TcTdQcQd4c",
    "false": "dragon: 2c2d5c6c6d7c8d9cTcTdJcQdKc",
}
MAJOR = {
    "thirteen_suited": "thirteen_suited: 2s3s4s5s6s7s8s9sTsJsQsKsAs",
    "pure_dragon": "pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAs",
    "dragon": "dragon: 2s3h4s5h6s7h8s9hTsJhQsKhAs",
    "twelve_one": "twelve_one: 3s4s5s6s7s8s9sTsJsQsKsAs3h",
    "trips_five_pairs": "trips_five_pairs: AdAhAsKhKsQhQsJhJsThTs9h9s",
    "three_straights": "three_straights: TsJhQsKhAsThJsQhKsAh7h8s9h",
    "three_flushes": "three_flushes: 4h6h8hThQhKhAhJh3s5s7s9s2s",
    "six_pairs": "six_pairs: AhAsKhKsQhQsJhJsThTs9h9s7h",
    "none": "2s3h5s / 6h6s7h8s9h / ThTsJhQsKh",
    "foul": "KhKs2s / 3h5s7h9sJh / ThTsQhQs4h",
    "false": "dragon: 2s3s5s6h6s7h8s9hThTsJhQsKh",
}


# Four hands out of one deck. Each loses every row to the ones before it, and no row earns more than
# one point in any game, so every comparison is a plain sweep.
FOUR_HANDS = (
    "AcAdQs / 3h5h7h9hJh / 5s7s9sJsKs",
    "2s4s9d / 6h6s7cJcQd / 8h8sQhAhAs",
    "5d6c7d / 4c4d9cJdQc / 8c8dThTsKh",
    "2c3d4h / 2d2h5c6dKc / 3c3sTcTdKd",
)

# Two hands each, in which the first wins the row that the case is named for and loses the others,
# which earn nothing but where "and" says so.
PRICED_ROWS = {
    "front trips": ("2c2d2h / 3c4d5h6s7c / 5d6c7h8s9c", "AsKsQd / 4c5s6h7s8c / 2s3s4s9sTs"),
    "middle full house": ("3c4d6h / 5c5d5h8c8d / 9c9d9hTcTd", "AsKsQd / 2s3s4s6s7s / JcJdJhQcQs"),
    "back four": ("3c4d6h / 5c5d8c8dTc / 9c9d9h9sTd", "AsKsQd / 2s3s4s6s7s / JcJdJhQcQs"),
    "middle four, and a back four": (
        "3c4d6h / 5c5d5h5sTc / 9c9d9h9sTd",
        "AsKsQd / 2s3s4s6s7s / JcJdJhJsQc",
    ),
    "back straight flush": ("3c4d2h / 5c5d8c8dTc / 5h6h7h8h9h", "AsKsQd / 2s3s4s6s7s / JcJdJhQcQs"),
    "middle straight flush, and a back straight flush": (
        "3c4d2c / 4h5h6h7h8h / 5d6d7d8d9d",
        "AsKsQd / 2s3s4s6s7s / TcJcQcKcAc",
    ),
}
# The highest rows without a joker beside five of a kind: 3, 10 and 5 points; who loses to all of
# it; and one who does not.
EIGHTEEN = "AdAhAs / 4h5h6h7h8h / 5d6d7d8d9d"
ORDINARY = "2c3c4s / 2d2h5s7s9c / TdThJhJsKd"
ROYAL_BACK = "2s3s4c / 3d3h6s8s9s / TcJcQcKcAc"
