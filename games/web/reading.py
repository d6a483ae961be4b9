"""Strict reading of requests into types: the first problem is refused, with its place.

Unknown fields are refused, and so is text in place of a number. A program that sends `"100"`,
`100.0` or `true` for an amount has a fault, and gets a refusal before money moves.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar, get_args

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext_noop as _n

from games.rules.errors import Unreadable
from wallets.values.amounts import read_minor_units
from wallets.values.errors import Refused

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
