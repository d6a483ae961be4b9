"""Checking an arrangement, and arranging for an absent player."""

from collections.abc import Callable, Sequence
from itertools import combinations, compress, starmap

from games.rules.cards import Card
from games.rules.errors import Illegal
from games.rules.poker import CODE
from games.rules.thirteen.actions import Arrange

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
