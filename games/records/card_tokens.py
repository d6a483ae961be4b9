"""What can be searched in a finished hand: cards, how many of a rank, rows, totals, and flags.

A holder is somebody with cards of their own: a seat, each hand of a box, or the house with the
dealer's cards and the board. Each has tokens in plain words, such as `7*4` for four sevens; only
their hashes are stored (`card_index.py`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.models import Hand, Move
from games.rules.baccarat.game import BaccaratState
from games.rules.blackjack.state import BlackjackState
from games.rules.blackjack.totals import is_blackjack, points_of
from games.rules.cards import Card
from games.rules.casino_holdem.view import HoldemState
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame
from games.rules.doudizhu.state import DoudizhuState
from games.rules.house.antes import AnteState
from games.rules.poker import CATEGORY_NAMES, best_of_seven, category
from games.rules.russian_poker.boxes import RussianState
from games.rules.russian_poker.hands import value_of
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.showdown import ROW_NAMES
from games.rules.thirteen.state import ThirteenState

# Seats, or the house, each with the tokens of what it held.
Holders = Iterator[tuple[int, frozenset[str]]]
HOUSE: Final = 0
# What a hand can be flagged with, by the keys of its settlement lines.
LINES: Final = {
    "pool_paid": "jackpot",
    "mystery": "mystery",
    "foul": "foul",
    "foul_row": "foul",
    "natural": "natural",
}
JOKER: Final = "joker"


class Holder(NamedTuple):
    """Who held what; the tokens are words."""

    seat: int
    tokens: frozenset[str]


def holders_of(
    hand: Hand, moves: Iterable[Move], game: AnyGame, path: Sequence[Any]
) -> list[Holder]:
    """All holders of a finished hand, the house first."""
    found = list(BY_FAMILY[GAMES[hand.game].family](game, path))
    house = frozenset[str]().union(*(tokens for seat, tokens in found if seat == HOUSE))
    flags = {f"flag:{flag}" for flag in flags_of(hand, moves)}
    players = [Holder(seat, tokens) for seat, tokens in found if seat != HOUSE]
    return [Holder(HOUSE, house | flags), *players]


def flags_of(hand: Hand, moves: Iterable[Move]) -> set[str]:
    flags = {str(move.by) for move in moves if move.by in (Move.By.TIMEOUT, Move.By.BOT)}
    lines = (hand.settlement or {}).get("lines", ())
    return flags | {LINES[line["key"]] for line in lines if line["key"] in LINES}


def cards_tokens(cards: Iterable[Card]) -> Iterator[str]:
    """Each card, and for each rank how many there are: `7*1` to `7*4` for four sevens."""
    held = list(cards)
    yield from (card.text for card in held)
    ranks = Counter(JOKER if card.is_joker else card.text[0] for card in held)
    for rank, count in ranks.items():
        yield from (f"{rank}*{number}" for number in range(1, count + 1))


def _doudizhu(_game: AnyGame, path: Sequence[DoudizhuState]) -> Holders:
    for place, stake in enumerate(path[-1].stakes):
        yield stake.seat, frozenset(cards_tokens(_ever_held(path, place)))


def _baccarat(_game: AnyGame, path: Sequence[BaccaratState]) -> Holders:
    coup = path[-1].coup
    if coup is not None:
        totals = {f"banker:{coup.banker_total}", f"player:{coup.player_total}"}
        yield HOUSE, frozenset({*cards_tokens((*coup.player, *coup.banker)), *totals})


def _ever_held(path: Sequence[Any], place: int) -> list[Card]:
    """The cards that a seat has held at any time, in games with one deck."""
    return list(dict.fromkeys(card for state in path for card in state.hands[place]))


def _thirteen(game: ThirteenGame, path: Sequence[ThirteenState]) -> Holders:
    last = path[-1]
    for place, stake in enumerate(last.stakes):
        tokens = set(cards_tokens(_ever_held(path, place)))
        arranged = last.arranged[place]
        if arranged is not None and arranged.declare is not None:
            tokens.add(f"natural:{arranged.declare.value}")
        if arranged is not None and all(arranged.rows):
            for name, row in zip(ROW_NAMES, arranged.rows, strict=True):
                tokens.add(f"{name}:{CATEGORY_NAMES[game.rank_row(row).category]}")
        yield stake.seat, frozenset(tokens)


def _blackjack(_game: AnyGame, path: Sequence[BlackjackState]) -> Holders:
    state = path[-1]
    if state.dealer:
        yield HOUSE, frozenset({*cards_tokens(state.dealer), *_total("dealer", state.dealer)})
    for box in state.boxes:
        for hand in box.hands:
            tokens = frozenset({*cards_tokens(hand.cards), *_total("total", hand.cards)})
            for player in box.players[:1]:
                yield player.seat, tokens


def _total(name: str, cards: Sequence[Card]) -> set[str]:
    blackjack = {f"{name}:blackjack"} if is_blackjack(cards) else set()
    return {f"{name}:{points_of(cards)}"} | blackjack


def _holdem(_game: AnyGame, path: Sequence[HoldemState]) -> Holders:
    board = path[-1].board

    def named(cards: Sequence[Card]) -> str:
        """The best hand of two cards with the whole board."""
        whole = len(cards) == 2 and len(board) == 5
        return CATEGORY_NAMES[category(best_of_seven((*cards, *board)))] if whole else ""

    yield from _poker(path[-1], board, named)


def _russian(_game: AnyGame, path: Sequence[RussianState]) -> Holders:
    def named(cards: Sequence[Card]) -> str:
        return CATEGORY_NAMES[category(value_of(cards))] if len(cards) == 5 else ""

    yield from _poker(path[-1], (), named)


def _poker(
    state: AnteState, board: Sequence[Card], named: Callable[[Sequence[Card]], str]
) -> Holders:
    dealer = _poker_hand("dealer", named(state.dealer))
    yield HOUSE, frozenset({*cards_tokens((*state.dealer, *board)), *dealer})
    for box in state.boxes:
        own = _poker_hand("hand", named(box.cards))
        yield box.seat, frozenset({*cards_tokens(box.cards), *own})


def _poker_hand(name: str, hand: str) -> set[str]:
    return {f"{name}:{hand}"} if hand else set()


BY_FAMILY: Final[Mapping[str, Callable[[Any, Any], Holders]]] = {
    "thirteen": _thirteen,
    "doudizhu": _doudizhu,
    "blackjack": _blackjack,
    "casino_holdem": _holdem,
    "russian_poker": _russian,
    "baccarat": _baccarat,
}
