"""A coup of baccarat: two hands dealt and drawn by a fixed table.

Two cards each are dealt, player first and in turn. Tens and court cards count nothing, an ace one,
the others what they show; of the sum only the last digit counts.

An eight or nine in two cards on either side is a natural and ends the draw. Otherwise the player
draws a third card on 0 to 5 and stands on 6 and 7. When the player stood, the banker does just the
same. When the player drew, the banker draws on 0 to 2 always; on 3 unless that card counted eight;
on 4 if it counted 2 to 7; on 5 if 4 to 7; on 6 if 6 or 7; and stands on 7. The higher hand wins.

Some printed rules hold a note that the banker on 0 to 5 does not draw when the player stood. Read
literally it gives the player the edge; a table can play it so.
"""

from typing import Final, Literal, NamedTuple

from msgspec import Struct

from games.rules.cards import Card
from games.rules.house.game import too_few_cards

Winner = Literal["player", "banker", "tie"]
# What a card counts, by its rank.
POINTS: Final = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1)


class Coup(Struct, frozen=True, gc=False):
    """Two dealt hands: their totals, who won, and what is marked in the road maps."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int
    banker_total: int
    winner: Winner
    natural: bool
    player_pair: bool
    banker_pair: bool


def points(card: Card) -> int:
    return POINTS[card.rank]


def player_draws(player: int, banker: int) -> bool:
    """Whether the player draws on these totals of two cards."""
    return player <= 5 and banker <= 7


def banker_draws(banker: int, player: int, third: int | None, note_literal: bool) -> bool:
    """Whether the banker draws: on totals of two cards, and what the player's third one counts."""
    if player >= 8:
        return False
    # A banker of 7 or more finds no reason to draw below.
    if third is None:
        return banker <= 5 and not note_literal
    return (
        banker <= 2
        or (banker == 3 and third != 8)
        or (banker == 4 and 2 <= third <= 7)
        or (banker == 5 and 4 <= third <= 7)
        or (banker == 6 and 6 <= third <= 7)
    )


class Draws(NamedTuple):
    """What two totals of two cards lead to; no third card of the player's is None."""

    natural: bool
    by_player: bool
    by_banker_on: frozenset[int | None]


def _draws(player: int, banker: int, note_literal: bool) -> Draws:
    thirds = [
        third for third in (None, *range(10)) if banker_draws(banker, player, third, note_literal)
    ]
    return Draws(player >= 8 or banker >= 8, player_draws(player, banker), frozenset(thirds))


# By the option, the player's total and the banker's: a coup is dealt with one look-up.
DRAWS: Final = tuple(
    [[_draws(player, banker, literal) for banker in range(10)] for player in range(10)]
    for literal in (False, True)
)


def deal_coup(cards: tuple[Card, ...], note_literal: bool) -> Coup:
    """The coup that is dealt from the first card on."""
    try:
        first, two, three, four = cards[0], cards[1], cards[2], cards[3]
        player: tuple[Card, ...] = (first, three)
        banker: tuple[Card, ...] = (two, four)
        player_total = (POINTS[first.rank] + POINTS[three.rank]) % 10
        banker_total = (POINTS[two.rank] + POINTS[four.rank]) % 10
        natural, by_player, by_banker_on = DRAWS[note_literal][player_total][banker_total]
        third = None
        if by_player:
            card = cards[4]
            player = (first, three, card)
            third = POINTS[card.rank]
            player_total = (player_total + third) % 10
        if third in by_banker_on:
            card = cards[4 if third is None else 5]
            banker = (two, four, card)
            banker_total = (banker_total + POINTS[card.rank]) % 10
        return Coup(
            player,
            banker,
            player_total,
            banker_total,
            winner_of(player_total, banker_total),
            natural,
            first.rank == three.rank,
            two.rank == four.rank,
        )
    except IndexError:
        raise too_few_cards(cards, max(4, len(cards) + 1)) from None


def winner_of(player_total: int, banker_total: int) -> Winner:
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"
