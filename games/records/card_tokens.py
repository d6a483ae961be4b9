"""The words for searching finished hands: what was held (`games.rules.held`), and flags.

Each holder has tokens in plain words; only their hashes are stored (`card_index.py`).
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.models import Hand, Move
from games.rules import held
from games.rules.contract import AnyGame
from games.rules.held import HOUSE
from games.tables.hand_rows import MoveRow

# What a hand can be flagged with, by the keys of its settlement lines.
LINES: Final = {
    "pool_paid": "jackpot",
    "mystery": "mystery",
    "foul": "foul",
    "foul_row": "foul",
    "natural": "natural",
}


class Holder(NamedTuple):
    """A holder of cards, with words for what they held."""

    seat: int
    tokens: frozenset[str]


def holders_of(
    hand: Hand, moves: Iterable[MoveRow], game: AnyGame, path: Sequence[object]
) -> list[Holder]:
    """All holders of a finished hand, the house first."""
    found = list(held.holders(game, path))
    house = frozenset[str]().union(*(tokens for seat, tokens in found if seat == HOUSE))
    flags = {f"flag:{flag}" for flag in flags_of(hand, moves)}
    players = [Holder(seat, tokens) for seat, tokens in found if seat != HOUSE]
    return [Holder(HOUSE, house | flags), *players]


def flags_of(hand: Hand, moves: Iterable[MoveRow]) -> set[str]:
    flags = {str(move.by) for move in moves if move.by in (Move.By.TIMEOUT, Move.By.BOT)}
    lines = (hand.settlement or {}).get("lines", ())
    return flags | {LINES[line["key"]] for line in lines if line["key"] in LINES}
