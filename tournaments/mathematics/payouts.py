"""From the prize pool to the prizes.

**How many are paid, and what.** A structure says it in one of three ways:

- *amounts*: a fixed amount for each place, where the pool is known beforehand. They have to add up
  to the pool.
- *percentage*: for each place a share of the pool in basis points. They have to add up to 10,000.
- *field_size*: several tables of shares. The table counts whose `entries_from` is the highest that
  the event's entries reach; re-entries count as entries.

If there are fewer players than paid places, the shares of those players who are there are taken in
proportion to one another, so that the whole pool is still paid.

**Rounding.** A share of the pool is rounded down to a minor unit. The minor units that remain go to
the places from the first downwards, one each.

**Ties.** Players who finish level share what their places are worth together, in equal parts. Minor
units that cannot be divided go one by one to those of them who have the better tie-break: in the
order in which the group names them.

Prizes of all places always sum exactly to the pool.
"""

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from wallets.values import AMOUNT_MAX

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
