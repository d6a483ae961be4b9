"""Checking an arrangement, and comparing two: rows, naturals, fouls, and points.

Here is what the five games share. A game's own module says which rows earn more than one point,
which naturals there are, and what is doubled when.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, compress, starmap
from typing import Final, NamedTuple

from games.rules.cards import Card
from games.rules.errors import Illegal
from games.rules.poker import CATEGORY_NAMES, CODE, MAIN_RANK_SHIFT, Category, Ranking
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange

FRONT: Final = 0
MIDDLE: Final = 1
BACK: Final = 2
ROW_NAMES: Final = ("front", "middle", "back")

Prices = Mapping[tuple[int, Category], int]


class RowValue(NamedTuple):
    """One row in its game's order: the greater `order` wins."""

    order: int
    category: Category
    joker: bool = False


class Shown(NamedTuple):
    """The cards that one seat shows at the end."""

    seat: int
    rows: tuple[RowValue, ...]
    foul: bool
    natural: Natural | None
    wild: bool


class Score(NamedTuple):
    """Points that one reason moves in a comparison: to the first seat, or below zero from it."""

    key: str
    points: int
    values: dict[str, int | str]


RowComparison = Callable[[RowValue, RowValue], int]


def row_value(cards: Sequence[Card], ranks: Ranking) -> int:
    codes = [CODE[card] for card in cards]
    return ranks.three(*codes) if len(codes) == 3 else ranks.five(*codes)


def compare_rows(first: RowValue, second: RowValue) -> int:
    """1 when the first row wins, -1 when the second does, 0 when they are equal."""
    return (first.order > second.order) - (first.order < second.order)


def compare_rows_for_banker(banker: RowValue, punter: RowValue) -> int:
    """Only category and biggest point count, and the banker takes what is equal then (食夾棍)."""
    first, second = banker.order >> MAIN_RANK_SHIFT, punter.order >> MAIN_RANK_SHIFT
    return 1 if first >= second else -1


def row_points(prices: Prices, row: int, value: RowValue) -> int:
    return prices.get((row, value.category), 1)


def score_rows(
    first: Shown, second: Shown, prices: Prices, compare: RowComparison = compare_rows
) -> list[Score]:
    """Each row that is won, at the price of the row that wins it."""
    scores = []
    for row, name in enumerate(ROW_NAMES):
        mine, theirs = first.rows[row], second.rows[row]
        sign = compare(mine, theirs)
        if not sign:
            continue
        winner, loser = (mine, theirs) if sign > 0 else (theirs, mine)
        points = row_points(prices, row, winner)
        values: dict[str, int | str] = {
            "row": name,
            "points": points,
            "winner": CATEGORY_NAMES[winner.category],
            "loser": CATEGORY_NAMES[loser.category],
        }
        for side, value in (("winner", winner), ("loser", loser)):
            if value.joker:
                values[f"{side}_joker"] = 1
        scores.append(Score("royalty" if points > 1 else "row", sign * points, values))
    return scores


def score_fouls(first: Shown, second: Shown, prices: Prices) -> list[Score]:
    """A foul loses all three rows, each at the price of the row it stood against; two are even."""
    if first.foul and second.foul:
        return []
    sign, winner = (-1, second) if first.foul else (1, first)
    scores = []
    for row, name in enumerate(ROW_NAMES):
        points = row_points(prices, row, winner.rows[row])
        category = CATEGORY_NAMES[winner.rows[row].category]
        values: dict[str, int | str] = {"row": name, "points": points, "winner": category}
        scores.append(Score("foul_row", sign * points, values))
    return scores


def premiums(shown: Shown, prices: Prices) -> list[tuple[str, int, str]]:
    """Each row that earns more than one point: its name, its points and its category's name."""
    return [
        (ROW_NAMES[row], points, CATEGORY_NAMES[value.category])
        for row, value in enumerate(shown.rows)
        if (points := row_points(prices, row, value)) > 1
    ]


def score_natural(sign: int, natural: Natural, points: int, *, wild: bool = False) -> Score:
    values: dict[str, int | str] = {"natural": natural.value, "points": points}
    if wild:
        values["winner_joker"] = 1
    return Score("natural", sign * points, values)


def rows_won(scores: Iterable[Score]) -> tuple[int, int]:
    """Return how many rows the first and the second seat won; a fouled row counts as won."""
    rows = [score.points for score in scores if score.key in ("row", "royalty", "foul_row")]
    return sum(points > 0 for points in rows), sum(points < 0 for points in rows)


def home_run(
    runner: Shown, table: Sequence[Shown], wins_all: Callable[[Shown, Shown], bool]
) -> bool:
    """Whether a seat wins all rows from each of the others, none of whom reported."""
    return all(
        not shown.natural and wins_all(runner, shown)
        for shown in table
        if shown.seat != runner.seat
    )


OrderOf = Callable[[Sequence[Card]], int]
RankFive = Callable[[int, int, int, int, int], int]
SuitOf = Callable[[Card], int]


def check_arranged(action: Arrange, hand: Sequence[Card]) -> None:
    """Refuse rows that are not exactly this hand in three, five and five cards."""
    sizes = tuple(len(row) for row in action.rows)
    if sizes == (0, 0, 0) and action.declare is not None:
        return
    if sizes != (3, 5, 5):
        raise Illegal("row_sizes", "The rows take three, five and five cards.")
    placed = action.front + action.middle + action.back
    held = set(hand)
    for card in placed:
        if card not in held:
            raise Illegal("card_not_held", "You do not hold {card}.", card=card.text)
    if len(set(placed)) < len(placed):
        raise Illegal("card_twice", "A card appears twice in the rows.")


def arrange_by_default(
    hand: Sequence[Card], five: RankFive, order_of: OrderOf, suit_of: SuitOf
) -> Arrange:
    """The best five to the back, the best five of the rest to the middle; never a foul."""
    back = _best_five(hand, five, order_of, suit_of)
    rest = [card for card in hand if card not in back]
    middle = _best_five(rest, five, order_of, suit_of)
    front = tuple(card for card in rest if card not in middle)
    return Arrange(front=front, middle=middle, back=back)


def lowest_three(hand: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that a seat gives away in an exchange if it does not choose."""
    return tuple(sorted(hand, key=lambda card: (card.rank, card.suit))[:3])


def _best_five(
    hand: Sequence[Card], five: RankFive, order_of: OrderOf, suit_of: SuitOf
) -> tuple[Card, ...]:
    """The highest row; equal ones by what they leave, the higher the better, then by suits."""
    values = list(starmap(five, combinations([CODE[card] for card in hand], 5)))
    best = max(values)
    equal = compress(combinations(hand, 5), map(best.__eq__, values))

    def preference(row: tuple[Card, ...]) -> tuple[int, list[int], list[int]]:
        left = sorted((card.rank for card in hand if card not in row), reverse=True)
        by_rank = sorted(((card.rank, suit_of(card)) for card in row), reverse=True)
        return order_of(row), left, [suit for _, suit in by_rank]

    return max(equal, key=preference)
