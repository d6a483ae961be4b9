"""Putting known hands on a thirteen-card table, for tables of cases.

A hand is written as its rows, `"AsAdKc / 2c3c4c5c6c / 7d7h7s8d8h"`, or as a declaration with its
thirteen cards in any order, `"dragon: 2c3d4h5s6c7d8h9sTcJdQhKsAc"`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.rules.cards import Card, cards_text, parse_cards
from games.rules.contract import AnyGame, Move, Stake, replay
from games.rules.settlement import Settlement
from games.rules.thirteen.actions import Arrange, Bet, Exchange
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import ThirteenContext, order_from_left

PURSE = 10**9


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
    game: AnyGame,
    *shown: str,
    purses: Sequence[int] = (),
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
    stakes = [Stake(seat, purses[seat - 1] if purses else PURSE) for seat in seats]
    context = ThirteenContext(button=dealer)
    moves: list[Move] = []
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
