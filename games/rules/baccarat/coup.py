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

from typing import Final, Literal

from msgspec import Struct

from games.rules.cards import Card
from games.rules.house.game import draw, draw_one

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
    """The value of a card."""
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


def deal_coup(cards: tuple[Card, ...], note_literal: bool) -> Coup:
    """The coup that is dealt from the first card on."""
    one, two, three, four = draw(cards, 0, 4)
    player: tuple[Card, ...] = (one, three)
    banker: tuple[Card, ...] = (two, four)
    drawn = 4
    player_total = of_two = (POINTS[one.rank] + POINTS[three.rank]) % 10
    banker_total = (POINTS[two.rank] + POINTS[four.rank]) % 10
    natural = player_total >= 8 or banker_total >= 8
    third = None
    if player_draws(of_two, banker_total):
        card = draw_one(cards, drawn)
        drawn += 1
        player = (one, three, card)
        third = POINTS[card.rank]
        player_total = (of_two + third) % 10
    if banker_draws(banker_total, of_two, third, note_literal):
        card = draw_one(cards, drawn)
        banker = (two, four, card)
        banker_total = (banker_total + POINTS[card.rank]) % 10
    return Coup(
        player,
        banker,
        player_total,
        banker_total,
        winner_of(player_total, banker_total),
        natural,
        one.rank == three.rank,
        two.rank == four.rank,
    )


def winner_of(player_total: int, banker_total: int) -> Winner:
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"
