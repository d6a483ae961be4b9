"""The deal is uniform, measured at 99%; shuffles that are a little wrong are caught by it.

Secrets and reveals are numbered, so every run computes the same deals: what passes today passes
tomorrow, and no test is red by chance.
"""

import hashlib
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise, permutations
from math import sqrt

import pytest

from games.rules.cards import DECK, composition
from games.rules.shoe import ShoeProtocol, perm
from tests.rules.cases import each, every

# The normal deviates that bound 99%: of one tail, and of both.
ONE_TAIL, BOTH_TAILS = 2.3263, 2.5758
DEALS = 3_000
SMALL = 4
CARDS = {card: number for number, card in enumerate(DECK)}

Shuffle = Callable[[int, int], Sequence[int]]


def octets(number: int) -> bytes:
    return hashlib.sha256(b"statistics %d" % number).digest()


def words(number: int) -> Iterator[int]:
    """Sound words for the shuffles below, so that what is wrong with them is their steps alone."""
    for block in range(1_000):
        digest = hashlib.sha256(octets(number) + block.to_bytes(4, "big")).digest()
        yield from struct.unpack(">16H", digest)


# The shuffle of the house, and some that everybody has seen once.


def protocol(number: int, n: int) -> Sequence[int]:
    """A whole deal: sealed by the house, locked, mixed by two seats, cut and dealt."""
    if n != len(DECK):
        return perm(octets(number), b"statistics", n)
    shoe = ShoeProtocol(f"S{number}")
    sealed = shoe.seal(octets(3 * number), composition(1))
    reveals = {seat: octets(3 * number + seat) for seat in (1, 2)}
    commits = {seat: shoe.commitment(seat, given) for seat, given in reveals.items()}
    mix = shoe.mix(shoe.lock(sealed.seal, commits), reveals)
    return [CARDS[card] for card in sealed.deal(shoe.cut(mix, n))]


def any_place(number: int, n: int) -> Sequence[int]:
    """Swaps each place with any other: more ways than orders, and they do not divide."""
    order, drawn = list(range(n)), words(number)
    for place in range(n):
        other = next(drawn) % n
        order[place], order[other] = order[other], order[place]
    return order


def one_too_few(number: int, n: int) -> Sequence[int]:
    """Never leaves a place alone, so that no card stays where it was."""
    order, drawn = list(range(n)), words(number)
    for last in range(n - 1, 0, -1):
        other = next(drawn) % last
        order[last], order[other] = order[other], order[last]
    return order


def bytes_kept(number: int, n: int) -> Sequence[int]:
    """Takes remainders of six bits without skipping any: the low places are favoured."""
    order, drawn = list(range(n)), words(number)
    for last in range(n - 1, 0, -1):
        other = next(drawn) % 64 % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def halves(number: int, n: int) -> Sequence[int]:
    """A single riffle: two runs of cards in their old order."""
    drawn = words(number)
    lower = [next(drawn) % 2 for _ in range(n)]
    low, high = iter(range(lower.count(0))), iter(range(lower.count(0), n))
    return [next(high if bit else low) for bit in lower]


def turned(number: int, n: int) -> Sequence[int]:
    """Only cut: every card is anywhere equally often, and behind the same card always."""
    start = next(words(number)) % n
    return [(start + place) % n for place in range(n)]


# Statistics: each says by how many normal deviates, at most, a sound shuffle may be off.


def chi_square_bound(freedom: int) -> float:
    """The 99% point of chi-square, by Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + ONE_TAIL * sqrt(part)) ** 3


def chi_square(counts: Iterable[int], cells: int, total: int) -> float:
    expected = total / cells
    seen = list(counts)
    missed = (cells - len(seen)) * expected
    return missed + sum((count - expected) ** 2 / expected for count in seen)


@cache
def deals(shuffle: Shuffle) -> list[Sequence[int]]:
    return [shuffle(number, len(DECK)) for number in range(DEALS)]


def orders_are_even(shuffle: Shuffle) -> bool:
    """Every order of four cards comes equally often."""
    counts = Counter(tuple(shuffle(number, SMALL)) for number in range(12_000))
    cells = len(list(permutations(range(SMALL))))
    return chi_square(counts.values(), cells, 12_000) <= chi_square_bound(cells - 1)


def places_are_even(shuffle: Shuffle) -> bool:
    """Every card comes equally often at every place: one table of 52 by 52."""
    counts = Counter(
        place * len(DECK) + card for deal in deals(shuffle) for place, card in enumerate(deal)
    )
    # Each row and each column sums to the number of deals.
    n = len(DECK)
    statistic = chi_square(counts.values(), n * n, DEALS * n) * (n - 1) / n
    return statistic <= chi_square_bound((n - 1) ** 2)


def runs_are_usual(shuffle: Shuffle) -> bool:
    """As often as chance has it, the next card is higher: Wald and Wolfowitz's mean and spread."""
    n = len(DECK)
    rises = sum(card < other for deal in deals(shuffle) for card, other in pairwise(deal))
    expected, spread = DEALS * (n - 1) / 2, sqrt(DEALS * (n + 1) / 12)
    return abs(rises - expected) <= BOTH_TAILS * spread


def neighbours_are_even(shuffle: Shuffle) -> bool:
    """Serial: a card follows any other equally often."""
    n = len(DECK)
    counts = Counter(
        (other - card) % n for deal in deals(shuffle) for card, other in pairwise(deal)
    )
    total = sum(counts.values())
    return chi_square(counts.values(), n - 1, total) <= chi_square_bound(n - 2)


def deals_are_unlike(shuffle: Shuffle) -> bool:
    """From one deal to the next a card stays at its place once on average, as chance has it."""
    kept = sum(
        card == other
        for first, second in pairwise(deals(shuffle))
        for card, other in zip(first, second, strict=True)
    )
    return abs(kept - (DEALS - 1)) <= BOTH_TAILS * sqrt(DEALS - 1)


STATISTICS = (
    orders_are_even,
    places_are_even,
    runs_are_usual,
    neighbours_are_even,
    deals_are_unlike,
)


@pytest.mark.release
@every(holds=STATISTICS)
def test_the_deal_of_the_house_is_uniform(holds: Callable[[Shuffle], bool]) -> None:
    assert holds(protocol)


@pytest.mark.release
@each(
    (any_place, {orders_are_even, places_are_even}),
    (one_too_few, {orders_are_even, places_are_even}),
    (bytes_kept, {places_are_even}),
    (halves, {orders_are_even, places_are_even, runs_are_usual}),
    (turned, {orders_are_even, runs_are_usual, neighbours_are_even}),
    (lambda _number, n: range(n), set(STATISTICS)),
)
def test_a_shuffle_that_is_a_little_wrong_is_caught(
    shuffle: Shuffle, caught_by: set[Callable[[Shuffle], bool]]
) -> None:
    assert caught_by <= {holds for holds in STATISTICS if not holds(shuffle)}


@pytest.mark.release
def test_the_controls_shuffle_all_cards() -> None:
    """What is caught is caught for its order, and not because cards are missing."""
    for shuffle in (any_place, one_too_few, bytes_kept, halves, turned):
        for deal in islice(deals(shuffle), 20):
            assert sorted(deal) == list(range(len(DECK)))
