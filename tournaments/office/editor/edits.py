"""The actions of the form's small buttons: rows are added, removed, filled and shifted.

Each button sends the whole form; the answer is the form with that one change.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.utils.datastructures import MultiValueDict

from games.words.refusals import sentence_of
from tournaments.mathematics.payouts import Share
from tournaments.mathematics.presets import (
    filled,
    has_banker,
    level_for,
    lowered,
    raised,
    with_game,
)
from tournaments.mathematics.preview import preview
from tournaments.mathematics.structure import GAMES, Level, Structure
from tournaments.office.editor import texts
from tournaments.office.editor.event_form import EventForm
from tournaments.office.editor.from_structure import data_of, put_shares
from tournaments.office.editor.rows import (
    LEVEL_COLUMNS,
    PRIZE_COLUMNS,
    ROWS_MAX,
    Data,
    TypedRow,
    level_row,
    prize_row,
    put_rows,
    rows_of,
)
from wallets.models import Currency
from wallets.values.amounts import amount_for_input
from wallets.values.errors import Refused

STAKES: Final = ("point", "bet_min", "bet_max")
POINT_MAX: Final = 10**9
RISE_MAX: Final = 900
# The game for which the rows of the form were made.
GAME_BEFORE: Final = "game_before"


def edit(data: Data) -> str:
    """Do what a button asks for; what is wrong with that is the answer."""
    for name, do in EDITS.items():
        if name in data:
            try:
                do(data)
            except Refused as refusal:
                return sentence_of(refusal)
    return ""


def follow_game(data: Data) -> None:
    """When another game was chosen, give its tables and its stakes."""
    before, game = data.get(GAME_BEFORE), data.get("game")
    data[GAME_BEFORE] = game
    if before == game or before not in GAMES or game not in GAMES:
        return
    old = data.copy()
    old["game"] = before
    form = EventForm(old)
    form.is_valid()
    if form.structure is not None:
        changed = data_of(with_game(form.structure, game))
        for name in (*STAKES, *("table_size", "field_min", "field_max", "until")):
            if name in data:
                data.setlist(name, changed.getlist(name))


def follow_prizes(data: Data) -> None:
    """When prizes are no longer set by the curve, begin with those that it gives."""
    if data.get("prizes") == "shares" and not data.getlist("shares"):
        _write_curve(data)
    if data.get("prizes") == "amounts" and not str(data.get("amounts", "")).strip():
        _write_amounts(data)


def _levels(data: Data) -> list[TypedRow]:
    return rows_of(data, LEVEL_COLUMNS)


def _number(data: Data, name: str, count: int) -> int:
    return texts.read_whole(str(data[name]), 1, max(1, count))


def _insert_level(data: Data) -> None:
    """A copy of a level below it, without the break."""
    rows = _levels(data)
    number = _number(data, "level_insert", len(rows))
    if rows and len(rows) < ROWS_MAX:
        rows.insert(number, TypedRow({**rows[number - 1].texts, "pause": ""}))
    elif not rows:
        rows.append(TypedRow(dict.fromkeys(LEVEL_COLUMNS, "")))
    put_rows(data, LEVEL_COLUMNS, rows)


def _remove_level(data: Data) -> None:
    rows = _levels(data)
    if len(rows) > 1:
        del rows[_number(data, "level_remove", len(rows)) - 1]
    put_rows(data, LEVEL_COLUMNS, rows)


def _fill_levels(data: Data) -> None:
    """All levels anew: the first stake, by how much it rises, how many, how long each lasts."""
    first = texts.read_whole(str(data.get("fill_first")), 1, POINT_MAX)
    rise = texts.read_whole(str(data.get("fill_rise")), 0, RISE_MAX)
    count = texts.read_whole(str(data.get("fill_count")), 1, ROWS_MAX)
    lasts = str(data.get("fill_length", "")).strip()
    by_hands = data.get("length_by") == "hands"
    if by_hands:
        texts.read_whole(lasts, 1, 10_000)
    else:
        texts.read_length(lasts)
    is_banked = has_banker(str(data.get("game"))) if data.get("game") in GAMES else False
    pauses = [row.texts["pause"] for row in _levels(data)]
    made = []
    for number, point in enumerate(filled(first, rise, count)):
        row = level_row(level_for(Level(point=point), is_banked))
        is_last = number == count - 1
        pause = pauses[number] if number < len(pauses) and not is_last else ""
        made.append(TypedRow({**row.texts, "length": "" if is_last else lasts, "pause": pause}))
    put_rows(data, LEVEL_COLUMNS, made)


def _shift_levels(data: Data) -> None:
    """The stakes move by one level; lengths and breaks stay where they are."""
    rows = _levels(data)
    shift = raised if data.get("level_shift") == "up" else lowered
    for column in STAKES:
        _shift(rows, column, shift)
    put_rows(data, LEVEL_COLUMNS, rows)


def _shift(rows: Sequence[TypedRow], column: str, shift: Callable[[Sequence[int]], Any]) -> None:
    written = [row.texts[column].strip() for row in rows]
    if not any(written):
        return
    stakes = [texts.read_whole(text, 1, POINT_MAX) for text in written]
    for row, stake in zip(rows, shift(stakes), strict=True):
        row.texts[column] = str(stake)


def _insert_prizes(data: Data) -> None:
    """Another line of shares, for larger fields than the last one."""
    rows = rows_of(data, PRIZE_COLUMNS)
    rows.append(TypedRow({"entries_from": "", "shares": rows[-1].texts["shares"] if rows else ""}))
    put_rows(data, PRIZE_COLUMNS, rows)


def _remove_prizes(data: Data) -> None:
    rows = rows_of(data, PRIZE_COLUMNS)
    if rows:
        del rows[_number(data, "prizes_remove", len(rows)) - 1]
    put_rows(data, PRIZE_COLUMNS, rows or [prize_row(1, (Share(10_000),))])


def _write_curve(data: Data) -> None:
    """The shares of the chosen curve, to be changed by hand."""
    payouts = _by_curve(data)
    if payouts is not None:
        data["prizes"] = "shares"
        put_shares(data, payouts.payouts)


def _write_amounts(data: Data) -> None:
    """The amounts of the chosen curve, where the field has one size."""
    structure = _by_curve(data)
    if structure is not None and structure.field_min == structure.field_max:
        paid = preview(structure, structure.field_max).prizes
        currency = Currency.objects.get(pk=structure.currency)
        data["amounts"] = "; ".join(amount_for_input(prize, currency) for prize in paid)


def _by_curve(data: Data) -> Structure | None:
    """The structure with prizes by the curve; None while something else is wrong with it."""
    form = EventForm(MultiValueDict({**dict(data.lists()), "prizes": ["curve"]}))
    form.is_valid()
    return form.structure


EDITS: Final[dict[str, Callable[[Data], None]]] = {
    "level_insert": _insert_level,
    "level_remove": _remove_level,
    "level_fill": _fill_levels,
    "level_shift": _shift_levels,
    "prizes_insert": _insert_prizes,
    "prizes_remove": _remove_prizes,
    "prizes_write": _write_curve,
}
