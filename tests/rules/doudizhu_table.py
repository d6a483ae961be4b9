"""Lays known hands on a Dou Dizhu table, and plays moves written as text."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from games.rules.cards import Card, parse_cards
from games.rules.contract import SeatStack
from games.rules.doudizhu.combinations import readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import RANK_NAMES, RankSet, rank_set
from games.rules.doudizhu.state import DoudizhuContext, DoudizhuState, Turn
from tests.rules.action_text import read_action

STACK = 1_000_000

# A seat and the cards it plays, for each turn.
Turns: TypeAlias = Sequence[tuple[int, str]]


def ranks(text: str) -> RankSet:
    """Ranks written one behind the other, as in `3334` or `2BJRJ`."""
    total = 0
    for name in sorted(RANK_NAMES, key=len, reverse=True):
        total += text.count(name) << 4 * RANK_NAMES.index(name)
        text = text.replace(name, "")
    assert not text
    return total


def dealt(
    hands: Sequence[str] = ("", "", ""),
    middle: str = "",
    stacks: Sequence[int] = (STACK, STACK, STACK),
    game: Doudizhu | None = None,
    **context: int,
) -> DoudizhuState:
    """Seats 1 to 3 with these cards and others; seat 1 is first to be dealt to, and to call."""
    known = [list(parse_cards(text)) for text in (*hands, middle)]
    game = game or Doudizhu()
    rest = [card for card in game.composition() if all(card not in part for part in known)]
    for part, size in zip(known, (17, 17, 17, 3), strict=True):
        while len(part) < size:
            part.append(rest.pop())
    cards = [known[at % 3][at // 3] for at in range(51)] + known[3]
    stakes = [SeatStack(seat, stack) for seat, stack in enumerate(stacks, 1)]
    return game.open(stakes, cards, DoudizhuContext(**{"button": 3, **context}))


def after(state: DoudizhuState, *moves: str, game: Doudizhu | None = None) -> DoudizhuState:
    """The state after moves like `1 call 3`, `1 play 3c`, `2 pass`."""
    game = game or Doudizhu()
    for move in moves:
        seat, action = move.split(" ", 1)
        state = game.apply(state, int(seat), read_action(Doudizhu, action))
    return state


def finished(call: int, turns: Turns, stacks: Sequence[int], landlord: int = 1) -> DoudizhuState:
    """A hand that is over after these turns, whatever was held; a turn is a seat and its cards."""
    played = tuple(_turn(seat, parse_cards(text)) for seat, text in turns)
    return replace(dealt(stacks=stacks), phase="over", landlord=landlord, call=call, turns=played)


def _turn(seat: int, cards: tuple[Card, ...]) -> Turn:
    return Turn(seat, cards, readings(rank_set(cards))[0]) if cards else Turn(seat)
