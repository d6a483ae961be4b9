"""Requests and responses of programs as types, which read, make and describe them."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_args

import msgspec
from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_noop as _n
from msgspec import UNSET, Meta, UnsetType

from games.rules.catalogue import GAMES
from games.rules.errors import Unreadable
from wallets.models import Currency as CurrencyRow
from wallets.values import AMOUNT_MAX
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Refused

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


# Unknown fields are refused, and so is text in place of a number. A program that sends `"100"`,
# `100.0` or `true` for an amount has a fault, and gets a refusal before money moves.

T = TypeVar("T", bound=msgspec.Struct)

# The field that holds money, in every request that has one.
AMOUNT: Final = "amount"
NAME_MAX: Final = 40

PLACE: Final = re.compile(r" - at `(.*)`$")
# The decoder's messages, and their sentences for people.
SENTENCES: Final = (
    (r"Expected `int`, got", _n("This is not a whole number.")),
    (r"Expected `bool`, got", _n("This is neither true nor false.")),
    (r"Expected `str`, got", _n("This is not a text.")),
    (r"Expected `object`, got", _n("This is not an object.")),
    (r"Expected `array`, got", _n("This is not a list.")),
    (r"Expected `int` >= (?P<bound>-?\d+)", _n("This must be {bound} or more.")),
    (r"Expected `int` <= (?P<bound>-?\d+)", _n("This must be {bound} or less.")),
    (r"Expected `\w+` of length >= ", _n("This must not be empty.")),
    (r"Expected `str` of length <= (?P<bound>\d+)", _n("This is longer than {bound} characters.")),
    (r"Expected `array` of length <= (?P<bound>\d+)", _n("These are more than {bound}.")),
    (r"", _n("This could not be read.")),
)


class Shape(NamedTuple):
    """The names of a type's fields, those that must be sent, and the values that some may have."""

    names: frozenset[str]
    required: tuple[str, ...]
    choices: Mapping[str, tuple[str, ...]]


def read(kind: type[T], data: object, *, from_text: bool = False) -> T:
    """The request as its type has it; `from_text` for a query, whose values are all text."""
    if not isinstance(data, dict):
        raise problem("wrong_shape", _n("This is not an object."))
    shape = _shape_of(kind)
    for name in data:
        if name not in shape.names:
            place = str(name)[:NAME_MAX]
            raise problem("unknown_field", _n("There is no such field here."), place)
    for name in shape.required:
        if name not in data:
            raise problem("wrong_shape", _n("This field is required."), name)
    for name, values in shape.choices.items():
        if name in data and data[name] not in values:
            raise problem("wrong_shape", _n("This is not one of the allowed values."), name)
    if AMOUNT in data and AMOUNT in shape.names:
        _require_amount(data[AMOUNT])
    try:
        return msgspec.convert(data, kind, strict=not from_text)
    except msgspec.ValidationError as error:
        raise _in_words(str(error)) from None


def read_query(kind: type[T], query: QueryDict) -> T:
    return read(kind, query.dict(), from_text=True)


def problem(code: str, template: str, field: str = "", **values: object) -> Unreadable:
    return Unreadable(code, template, **values).at(f"$.{field}" if field else "$")


@cache
def _shape_of(kind: type[msgspec.Struct]) -> Shape:
    fields = msgspec.structs.fields(kind)
    choices = {
        field.encode_name: options for field in fields if (options := _choices_of(field.type))
    }
    required = tuple(field.encode_name for field in fields if field.required)
    return Shape(frozenset(field.encode_name for field in fields), required, choices)


def _choices_of(annotated: Any) -> tuple[str, ...]:
    """The values that the description of a type lists; none where it may have any."""
    if isinstance(annotated, msgspec.Meta):
        return tuple((annotated.extra_json_schema or {}).get("enum", ()))
    return next((choices for part in get_args(annotated) if (choices := _choices_of(part))), ())


def _require_amount(value: object) -> None:
    try:
        read_minor_units(value)
    except Refused as refusal:
        raise problem(
            refusal.code, str(refusal.template), AMOUNT, most=refusal.values["most"]
        ) from None


def _in_words(reason: str) -> Unreadable:
    place = PLACE.search(reason)
    template, values = next(
        (template, match.groupdict())
        for pattern, template in SENTENCES
        if (match := re.match(pattern, reason))
    )
    return Unreadable("wrong_shape", template, **values).at(place.group(1) if place else "$")
