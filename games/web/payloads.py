"""Requests and responses of programs as types, which read, make and describe them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Final, TypeVar

import msgspec
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_noop as _n
from msgspec import UNSET, Meta, UnsetType

from games.rules.catalogue import GAMES
from wallets.models import Currency as CurrencyRow
from wallets.values import AMOUNT_MAX

REF: Final = "#/components/schemas/"
# The largest number that the database stores.
NUMBER_MAX: Final = 2**63 - 1
PAGE: Final = 50
PAGE_MAX: Final = 200


def described(words: str, **schema: Any) -> Meta:
    """The description of a field, and what its type does not say of its schema."""
    return Meta(description=words, extra_json_schema=schema or None)


def reference(name: str) -> dict[str, str]:
    """A reference to a component of the description."""
    return {"$ref": REF + name}


def one_of(values: Iterable[str]) -> Meta:
    return Meta(extra_json_schema={"enum": list(values)})


GameKey = Annotated[str, one_of(GAMES)]
CurrencyKind = Annotated[str, one_of(CurrencyRow.Kind.values)]
Moment = Annotated[datetime, Meta(tz=True)]
Whole = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Number = Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
Amount = Annotated[int, Meta(ge=1, le=AMOUNT_MAX)]
# No database stores a NUL.
Text = Annotated[str, Meta(min_length=1, pattern=r"^[^\x00]*$")]
Code = Annotated[str, Meta(min_length=1, max_length=8, pattern=r"^[^\x00]*$")]


class Sent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A query, or a JSON object."""


class NoFields(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An empty object, or no body at all."""


class PageQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list, newest first; rows added between two requests do not shift it."""

    before: (
        Annotated[Number, described(_n("The `next` of the page before this one."))] | UnsetType
    ) = UNSET
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE

    @property
    def older_than(self) -> int | None:
        return None if self.before is UNSET else self.before


class Payload(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON object of a response; all its fields are always there."""


class Currency(Payload, frozen=True, kw_only=True):
    """A unit of account; all amounts are in its minor units."""

    code: str
    name: str
    exponent: Annotated[int, described(_n("The number of digits after the decimal point."))]
    kind: CurrencyKind


class SettlementLine(Payload, frozen=True, kw_only=True):
    """One reason for one amount."""

    key: str
    source: Annotated[str, described(_n("A seat, the house, or a pool."))]
    target: str
    amount: int
    values: Annotated[object, Meta(extra_json_schema={"type": "object"})]
    sentence: str


class Refusal(Payload, frozen=True, kw_only=True):
    """A refusal, with its reason."""

    code: Annotated[str, described(_n("Stable; programs can rely on it."))]
    sentence: Annotated[str, described(_n("A sentence for people, in their language."))]
    path: (
        Annotated[str, described(_n("The path of the field, for example $.action.amount."))]
        | UnsetType
    ) = UNSET


P = TypeVar("P", bound=Payload)
M = TypeVar("M", bound=Model)


def payload(kind: type[P], source: object, /, **more: object) -> P:
    """The payload with the attributes of a row or value, and what they do not have."""
    names = kind.__struct_fields__
    fields = {name: more[name] if name in more else getattr(source, name) for name in names}
    return msgspec.convert(fields, kind, from_attributes=True)


def turned(rows: QuerySet[M], query: PageQuery, column: str = "pk") -> tuple[list[M], int | None]:
    """A page of rows in falling order of a number, and what asks for the next one."""
    if query.older_than is not None:
        # Some numbers are stored in four bytes.
        most = query.older_than if column == "pk" else min(query.older_than, 2**31 - 1)
        rows = rows.filter(**{f"{column}__lt": most})
    batch = list(rows[: query.limit + 1])
    page = batch[: query.limit]
    return page, getattr(page[-1], column) if len(batch) > len(page) else None
