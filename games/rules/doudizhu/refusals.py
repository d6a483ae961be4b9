"""The reasons why cards cannot be played, as a player understands them."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.rules.cards import Card
from games.rules.declaration import marked as _n
from games.rules.doudizhu.combinations import SHAPES, Strictness, Wings, readings, strictness
from games.rules.doudizhu.ranks import (
    EACH_RANK,
    TWO_PLACE,
    Mask,
    RankSet,
    masks,
    runs,
)
from games.rules.errors import Illegal

TWO: Final[Mask] = 1 << 4 * TWO_PLACE
JOKERS: Final[Mask] = EACH_RANK >> 4 * (TWO_PLACE + 1) << 4 * (TWO_PLACE + 1)

# By code: the sentence said of cards that are no combination.
SENTENCES: Final = {
    "straight_two": _n("A straight cannot hold a 2."),
    "straight_joker": _n("A straight cannot hold a joker."),
    "straight_gap": _n("A straight cannot leave out a rank."),
    "straight_short": _n("A straight needs at least five cards."),
    "pairs_two": _n("Consecutive pairs cannot hold a 2."),
    "pairs_gap": _n("Consecutive pairs cannot leave out a rank."),
    "pairs_short": _n("Consecutive pairs need at least three pairs."),
    "airplane_two": _n("The trios of an airplane cannot be 2s."),
    "airplane_gap": _n("The trios of an airplane cannot leave out a rank."),
    "airplane_carries": _n("Each trio carries nothing, a single card of another rank, or a pair."),
    "trio_carries": _n("A trio carries nothing, a single card of another rank, or a pair."),
    "four_carries": _n("Four of a kind carry two single cards, or two pairs."),
    "both_jokers": _n("Both jokers together cannot be carried at this table."),
    "four_equal": _n("Four equal cards cannot be carried at this table."),
    "trio_beside": _n("A trio next to the chain cannot be carried at this table."),
    "pair_joker": _n("A joker makes a pair with nothing."),
    "no_combination": _n("These cards are no combination."),
}


def check_held(cards: Sequence[Card], hand: Sequence[Card]) -> None:
    held = set(hand)
    if len(set(cards)) == len(cards) and held.issuperset(cards):
        return
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Illegal("card_twice", "{card} appears twice.", card=card.text)
        if card not in held:
            raise Illegal("not_held", "You do not hold {card}.", card=card.text)
        seen.add(card)


def no_combination(ranks: RankSet, wings: Wings) -> Illegal:
    """The likeliest mistake in cards that have no reading."""
    code = next(_mistakes(ranks, wings), "no_combination")
    return Illegal(code, SENTENCES[code])


def _mistakes(ranks: RankSet, wings: Wings) -> Iterator[str]:
    held = masks(ranks)
    ones, twos, threes, fours = held
    size = sum(mask.bit_count() for mask in held)
    if wings == "strict":
        yield from _too_strict(ranks)
    if ones == ranks:
        yield from _broken_straight(ones)
    elif 2 * twos == ranks:
        yield from _broken_chain(twos, "pairs")
    elif threes.bit_count() > 1:
        yield from _broken_chain(threes, "airplane")
        yield "airplane_carries"
    elif fours:
        yield "four_carries"
    elif threes:
        yield "trio_carries"
    elif size <= 3 and ones & JOKERS:
        yield "pair_joker"


def _too_strict(ranks: RankSet) -> Iterator[Strictness]:
    """The refusal of a set that only literal wings allow."""
    for reading in readings(ranks, "literal"):
        copies, _ = SHAPES[reading.kind]
        broken = strictness(ranks - copies * reading.main, reading.main)
        if broken:
            yield broken


def _broken_straight(ones: Mask) -> Iterator[str]:
    size = ones.bit_count()
    if size == 2 and ones & JOKERS:
        yield "pair_joker"
    elif size >= 5:
        if ones & JOKERS:
            yield "straight_joker"
        yield "straight_two" if ones & TWO else "straight_gap"
    elif size > 2 and ones in runs(ones, 1):
        yield "straight_short"


def _broken_chain(links: Mask, name: str) -> Iterator[str]:
    if links & TWO:
        yield f"{name}_two"
    elif links not in runs(links, 1):
        yield f"{name}_gap"
    elif name == "pairs":
        yield "pairs_short"
