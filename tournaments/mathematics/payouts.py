"""From the order of eliminations to the places, and from the prize pool to the prizes."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from wallets.values import AMOUNT_MAX

# **Elimination.** A player is out when a hand, paid in full, leaves no chips, or fewer than the
# line of a knock-out. A player who is out later places higher. Of those who go out in the same
# hand, the one who had more chips at the start of the hand places higher; if these are equal, the
# event's draw decides: the lower number drawn places higher. Hands that tables play in step
# (hand-for-hand, a knock-out, rounds) count as the same hand.
#
# **The end.** When play ends with several players left (the rounds are over, or fewer are left
# than the game needs), they place by what they have: score, match points or chips. Those who have
# the same finish level: they share the prizes of their places, and the draw puts
# them in order.


class Out(NamedTuple):
    """A player who went out: with the chips at the start of that hand, and the number drawn."""

    entry: int
    stack: int
    drawn: int


def best_first(outs: Iterable[Out]) -> list[Out]:
    """Those who went out in the same hand, the one who places highest first."""
    return sorted(outs, key=lambda out: (-out.stack, out.drawn))


def ranking(scores: Mapping[int, int], drawn: Mapping[int, int]) -> list[list[int]]:
    """Groups of players with the same score, the highest first; the lower number drawn leads."""
    ordered = sorted(scores, key=lambda entry: (-scores[entry], drawn[entry]))
    return [list(group) for _, group in groupby(ordered, key=lambda entry: scores[entry])]


BASIS_POINTS: Final = 10_000
PLACES_MAX: Final = 10_000

Money = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]


class Share(Struct, frozen=True, forbid_unknown_fields=True):
    """The share of each of some neighbouring places, in basis points of the pool."""

    share: Annotated[int, Meta(ge=1, le=BASIS_POINTS)]
    places: Annotated[int, Meta(ge=1, le=PLACES_MAX)] = 1


Shares = Annotated[tuple[Share, ...], Meta(min_length=1, max_length=200)]


class ByAmounts(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="amounts"):
    """A fixed amount for each place, the first place first."""

    amounts: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=AMOUNT_MAX)], ...], Meta(min_length=1, max_length=200)
    ]


class ByPercentage(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="percentage"
):
    """The same shares of the pool for any field."""

    shares: Shares


class FieldTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The shares for a field of so many entries and more."""

    entries_from: Annotated[int, Meta(ge=1, le=PLACES_MAX)]
    shares: Shares


class ByFieldSize(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="field_size"
):
    """Shares by the size of the field, the smallest field first."""

    tables: Annotated[tuple[FieldTable, ...], Meta(min_length=1, max_length=100)]


Payouts = ByAmounts | ByPercentage | ByFieldSize


def places_paid(payouts: Payouts, players: int, entries: int) -> int:
    """Return the number of paid places for this many players and entries."""
    return len(_weights(payouts, players, entries))


def prizes(payouts: Payouts, pool: int, players: int, entries: int) -> tuple[int, ...]:
    """The prize of each paid place, from the first on; they sum to the pool."""
    weights = _weights(payouts, players, entries)
    if not weights:
        return ()
    total = sum(weights)
    prizes = [pool * weight // total for weight in weights]
    for place in range(pool - sum(prizes)):
        prizes[place] += 1
    return tuple(prizes)


def prizes_of(by_place: Sequence[int], groups: Sequence[Sequence[int]]) -> dict[int, int]:
    """The prize of each entry, by the prizes of the places.

    A group holds the entries that finished level, the one with the better tie-break first; groups
    stand from the first place downwards. Entries without a prize have 0.
    """
    prizes: dict[int, int] = {}
    place = 0
    for group in groups:
        together = sum(by_place[place : place + len(group)])
        each, odd = divmod(together, len(group))
        for number, entry in enumerate(group):
            prizes[entry] = each + (number < odd)
        place += len(group)
    return prizes


def _weights(payouts: Payouts, players: int, entries: int) -> list[int]:
    match payouts:
        case ByAmounts(amounts):
            weights = list(amounts)
        case ByPercentage(shares):
            weights = _spread(shares)
        case ByFieldSize(tables):
            reached = [table for table in tables if table.entries_from <= entries]
            weights = _spread((reached[-1] if reached else tables[0]).shares)
    return weights[:players]


def _spread(shares: Sequence[Share]) -> list[int]:
    return [share.share for share in shares for _ in range(share.places)]
