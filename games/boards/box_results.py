"""How each bet of a box has come out: the main bet, the bonus and the insurance, each by itself.

A settlement has no line for a push, so a bet without a line is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from games.bots.simulate import BONUS_KEYS
from games.rules.settlement import StoredLine

Part = Literal["main", "bonus", "insurance"]


class BoxBets(NamedTuple):
    main: int = 0
    bonus: int = 0
    insurance: int = 0


class PartResult(NamedTuple):
    """The win or loss of a bet; one that came back has done neither."""

    part: Part
    net: int


class BoxResult(NamedTuple):
    """A seat's win or loss in a box: the total, and by bet."""

    net: int
    parts: tuple[PartResult, ...]


def box_results(
    lines: Sequence[StoredLine], seat: int | None, bets: Mapping[int, BoxBets]
) -> dict[int, BoxResult]:
    """The results of a seat's boxes, once the round is settled."""
    won: dict[tuple[int, Part], int] = {}
    for line in lines:
        box = line.get("values", {}).get("box")
        sign = (line["target"] == str(seat)) - (line["source"] == str(seat))
        if box is not None and sign:
            of_bet = box, _part_of(line)
            won[of_bet] = won.get(of_bet, 0) + sign * int(line["amount"])
    return {box: _box_result(box, placed, won) for box, placed in bets.items()}


def _box_result(box: int, placed: BoxBets, won: Mapping[tuple[int, Part], int]) -> BoxResult:
    parts = tuple(PartResult(part, won.get((box, part), 0)) for part in _parts(placed))
    return BoxResult(sum(part.net for part in parts), parts)


def _parts(placed: BoxBets) -> Iterator[Part]:
    yield "main"
    if placed.bonus:
        yield "bonus"
    if placed.insurance:
        yield "insurance"


def _part_of(line: StoredLine) -> Part:
    key, bet = line["key"], line.get("values", {}).get("bet")
    if bet == "bonus" or key in BONUS_KEYS:
        return "bonus"
    return "insurance" if "insurance" in (bet, key.removesuffix("_won")) else "main"
