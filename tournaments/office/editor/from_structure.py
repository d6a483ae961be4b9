"""From a structure to the values of the form, such that the form says the same structure again."""

from typing import Any

from django.utils.datastructures import MultiValueDict

from games.profiles.option_form import SWITCH
from games.profiles.options import defaults, options_of, write
from tournaments.mathematics.payouts import ByAmounts, ByFieldSize, ByPercentage, Payouts
from tournaments.mathematics.prize_curve import curve_of
from tournaments.mathematics.structure import Structure
from tournaments.office.editor import rows
from tournaments.office.editor.event_form import EventForm
from tournaments.office.editor.rows import HIDDEN, Data
from tournaments.office.editor.to_structure import entries_max
from wallets.models import Currency
from wallets.values.amounts import amount_for_input

PLAIN = (
    *("name", "kind", "game", "currency", "field_min", "field_max", "table_size"),
    *("starting_chips", "hand_for_hand", "late_registration_level", "decision_seconds"),
    *("betting_seconds", "pause_seconds"),
)
AMOUNTS = ("stake", "fee", "guarantee")


def data_of(structure: Structure) -> Data:
    """A structure as the form sends it."""
    currency = Currency.objects.filter(pk=structure.currency).first() or Currency()
    data: Data = MultiValueDict()
    values: dict[str, object] = {
        **{name: getattr(structure, name) for name in PLAIN},
        **{name: amount_for_input(getattr(structure, name), currency) for name in AMOUNTS},
        "length_by": "time" if structure.levels[0].hands is None else "hands",
        **_options(structure, currency),
        **_entering(structure, currency),
        **_stages(structure),
    }
    for name, value in values.items():
        data[name] = str(value)
    _put_levels(data, structure)
    _put_payouts(data, structure, currency)
    return filled(data)


def filled(data: Data) -> Data:
    """Give the fields that were not sent their usual values, as when the kind has changed."""
    for name, field in EventForm.base_fields.items():
        if name not in data and name not in ("reason", "key", "options"):
            choices: Any = getattr(field, "choices", None)
            first = next(iter(choices), ("", ""))[0] if choices else ""
            data[name] = str(first if field.initial is None else field.initial)
    return data


def _options(structure: Structure, currency: Currency) -> dict[str, str]:
    values = defaults(structure.game) | structure.options
    options = {}
    for option in options_of(structure.game):
        if option.name not in HIDDEN:
            value = values[option.name]
            is_switch = option.kind == "switch"
            shown = SWITCH[bool(value)] if is_switch else write(option, value, currency)
            options[f"options-{option.name}"] = shown
    return options


def _entering(structure: Structure, currency: Currency) -> dict[str, object]:
    values: dict[str, object] = {}
    if structure.reentries is not None:
        values["reentries_most"] = structure.reentries.most
        values["reentries_until"] = structure.reentries.until_level
    if structure.add_on is not None:
        offer = structure.add_on
        values["add_on_chips"] = offer.chips
        values["add_on_stake"] = amount_for_input(offer.stake, currency)
        values["add_on_fee"] = amount_for_input(offer.fee, currency)
        values["add_on_from"], values["add_on_until"] = offer.from_level, offer.until_level
    return values


def _stages(structure: Structure) -> dict[str, object]:
    stages: dict[str, object] = {}
    if structure.knock_out is not None:
        stages["line_points"] = structure.knock_out.line_points
        stages["until"] = structure.knock_out.until
    if structure.rounds is not None:
        played, carry = structure.rounds, structure.rounds.carry
        for name in ("manner", "count", "hands", "point", "chips"):
            stages[f"rounds_{name}"] = getattr(played, name)
        stages["carry_base"], stages["carry_divide_by"] = carry.base, carry.divide_by
        stages["carry_most"] = "" if carry.most is None else carry.most
    if structure.duplicate is not None:
        for name in ("rounds", "deals", "manner"):
            stages[f"duplicate_{name}"] = getattr(structure.duplicate, name)
    return stages


def _put_levels(data: Data, structure: Structure) -> None:
    pauses = {pause.after_level: pause.seconds for pause in structure.breaks}
    rows.put_rows(
        data,
        rows.LEVEL_COLUMNS,
        (
            rows.level_row(level, pauses.get(number))
            for number, level in enumerate(structure.levels, 1)
        ),
    )


def _put_payouts(data: Data, structure: Structure, currency: Currency) -> None:
    payouts, reentries = structure.payouts, structure.reentries
    if isinstance(payouts, ByAmounts):
        data["prizes"] = "amounts"
        data["amounts"] = "; ".join(
            amount_for_input(amount, currency) for amount in payouts.amounts
        )
        return
    most = entries_max(structure.field_max, reentries.most if reentries else 0)
    if curve := curve_of(payouts, most):
        data["prizes"], data["paid"], data["shape"] = "curve", str(curve.paid), curve.shape
        return
    data["prizes"] = "shares"
    put_shares(data, payouts)


def put_shares(data: Data, payouts: Payouts) -> None:
    """Write the shares of payouts into the rows of the form; fixed amounts have none."""
    match payouts:
        case ByPercentage(shares):
            typed_rows = [rows.prize_row(1, shares)]
        case ByFieldSize(tables):
            typed_rows = [rows.prize_row(table.entries_from, table.shares) for table in tables]
        case ByAmounts():
            typed_rows = []
    rows.put_rows(data, rows.PRIZE_COLUMNS, typed_rows)
