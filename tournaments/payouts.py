"""From the prize pool to the prizes.

**How many are paid, and what.** A structure says it in one of three ways:

- *amounts*: a fixed amount for each place, where the pool is known beforehand. They have to add up
  to the pool.
- *percentage*: for each place a share of the pool in basis points. They have to add up to 10,000.
- *field_size*: several tables of shares. The table counts whose `entries_from` is the highest that
  the event's entries reach; re-entries count as entries.

If there are fewer players than paid places, the shares of those players who are there are taken in
proportion to one another, so that the whole pool is still paid.

**Rounding.** A share of the pool is rounded down to a minor unit. What is left of it goes then to
the places from the first downwards, one minor unit each.

**Ties.** Players who finish level share what their places are worth together, in equal parts. Minor
units that cannot be divided go one by one to those of them who have the better tie-break: in the
order in which the group names them.

Prizes of all places always sum exactly to the pool.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from games.rules.errors import AMOUNT_MAX

BASIS_POINTS: Final = 10_000
PLACES_MAX: Final = 10_000

Money = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]


class Share(Struct, frozen=True, forbid_unknown_fields=True):
    """What each of some neighbouring places gets, in basis points of the pool."""

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
