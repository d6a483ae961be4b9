"""From the values of the form to a structure."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from msgspec import ValidationError, convert

from games.rules.reading import wrong_shape
from games.words.refusals import sentence_of
from tournaments.mathematics.match_points import Duplicate
from tournaments.mathematics.payouts import (
    ByAmounts,
    ByFieldSize,
    ByPercentage,
    FieldTable,
    Payouts,
)
from tournaments.mathematics.prize_curve import Curve, payouts_of
from tournaments.mathematics.rounds import Carry, KnockOut, Rounds
from tournaments.mathematics.structure import AddOn, Break, Level, Reentries, Structure
from tournaments.office.editor import rows
from tournaments.office.editor.rows import TypedRow
from wallets.models import Currency
from wallets.values.amounts import read_amount
from wallets.values.errors import Refused

Values = Mapping[str, Any]
PLAIN = (
    *("name", "kind", "game", "options", "currency", "field_min", "field_max", "table_size"),
    *("stake", "fee", "guarantee", "starting_chips", "hand_for_hand", "decision_seconds"),
    *("betting_seconds", "pause_seconds"),
)


class Typed(NamedTuple):
    """The form: the values of its fields, its rows, and what decides how these are read."""

    values: Values
    kind: str
    is_banked: bool
    by_hands: bool
    money: Currency | None
    levels: Sequence[TypedRow]
    shares: Sequence[TypedRow]


class Unready(Exception):
    """A part of the form says nothing yet, as a sentence about one of its fields."""

    def __init__(self, field: str | None, sentence: str) -> None:
        super().__init__(sentence)
        self.field, self.sentence = field, sentence


def structure_of_form(form: Typed) -> Structure:
    """The structure that the form describes; refused where its rows cannot be read."""
    values = form.values
    levels, breaks = _levels(form)
    parts = {
        **{name: values[name] for name in PLAIN},
        "payouts": _payouts(form),
        "levels": levels,
        "breaks": breaks,
        **_entering(form.kind, values),
        "knock_out": _knock_out(form.kind, values),
        "rounds": _rounds(form.kind, values),
        "duplicate": _duplicate(form.kind, values),
    }
    try:
        return convert(parts, Structure)
    except ValidationError as error:
        raise wrong_shape(error) from None


def read_rows(form: Typed) -> None:
    """Say in the rows what cannot be read in them."""
    with suppress(Unready):
        _levels(form)
    if form.values.get("prizes") == "shares":
        with suppress(Unready):
            _shares(form)


def _levels(form: Typed) -> tuple[tuple[Level, ...], tuple[Break, ...]]:
    if not form.levels:
        raise Unready("length_by", _("An event needs at least one level."))
    last = len(form.levels)
    how = {"is_banked": form.is_banked, "by_hands": form.by_hands}
    levels = tuple(
        rows.read_level(row, **how, is_last=number == last)
        for number, row in enumerate(form.levels, 1)
    )
    breaks = [rows.read_break(row, number) for number, row in enumerate(form.levels, 1)]
    if any(row.errors for row in form.levels):
        raise Unready(None, _("Correct the levels that are marked."))
    return levels, tuple(pause for pause in breaks if pause is not None)


def _payouts(form: Typed) -> Payouts:
    values = form.values
    match values["prizes"]:
        case "amounts":
            assert form.money is not None
            return ByAmounts(_amounts(values["amounts"], form.money))
        case "shares":
            return _shares(form)
        case _:
            curve = Curve(int(values["paid"]), values["shape"])
            return payouts_of(curve, entries_max(values["field_max"], values.get("reentries_most")))


def entries_max(field_max: int, reentries: int | None) -> int:
    """How many entries an event can have at most."""
    return field_max * (1 + (reentries or 0))


def _amounts(text: str, currency: Currency) -> tuple[int, ...]:
    if not text.strip():
        raise Unready("amounts", _("Enter the amounts, such as 50; 30; 20."))
    try:
        return tuple(read_amount(part, currency) for part in text.split(";"))
    except Refused as refusal:
        raise Unready("amounts", sentence_of(refusal)) from None


def _shares(form: Typed) -> Payouts:
    if not form.shares:
        raise Unready("prizes", _("Enter the shares, such as 50, 30, 20."))
    read = [rows.read_prizes(row) for row in form.shares]
    if any(row.errors for row in form.shares):
        raise Unready("prizes", _("Correct the shares that are marked."))
    if len(read) == 1:
        return ByPercentage(read[0][1])
    return ByFieldSize(tuple(FieldTable(entries, shares) for entries, shares in read))


def _entering(kind: str, values: Values) -> dict[str, object]:
    """Late registration, re-entries and the add-on of a freeze-out."""
    if kind != "freeze_out":
        return {}
    most, chips = values["reentries_most"], values["add_on_chips"]
    return {
        "late_registration_level": values["late_registration_level"],
        "reentries": Reentries(most=most, until_level=values["reentries_until"]) if most else None,
        "add_on": AddOn(
            chips=chips,
            stake=values["add_on_stake"],
            fee=values["add_on_fee"],
            from_level=values["add_on_from"],
            until_level=values["add_on_until"],
        )
        if chips
        else None,
    }


def _knock_out(kind: str, values: Values) -> KnockOut | None:
    if kind != "knock_out":
        return None
    return KnockOut(line_points=values["line_points"], until=values["until"])


def _rounds(kind: str, values: Values) -> Rounds | None:
    if kind != "knock_out" or not values["rounds_manner"]:
        return None
    return Rounds(
        manner=values["rounds_manner"],
        count=values["rounds_count"],
        hands=values["rounds_hands"],
        point=values["rounds_point"],
        chips=values["rounds_chips"],
        carry=Carry(
            base=values["carry_base"],
            divide_by=values["carry_divide_by"],
            most=values["carry_most"],
        ),
    )


def _duplicate(kind: str, values: Values) -> Duplicate | None:
    if kind != "duplicate":
        return None
    return Duplicate(
        rounds=values["duplicate_rounds"],
        deals=values["duplicate_deals"],
        manner=values["duplicate_manner"],
    )
