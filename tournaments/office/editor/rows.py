"""The fields and rows of the form: whole numbers, options of the game, levels, shares of prizes.

A column is sent as a list with one text for each row. An unreadable cell becomes the error of its
row, as a sentence.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django.core.exceptions import ValidationError
from django.forms import Field
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from unfold.widgets import UnfoldAdminTextInputWidget

from games.profiles.option_form import OptionsField, OptionsWidget
from games.profiles.options import Option
from games.words.refusals import sentence_of
from tournaments.mathematics.payouts import PLACES_MAX, Share
from tournaments.mathematics.structure import RESERVED, Break, Level
from tournaments.office.editor import texts
from tournaments.office.editor.texts import read_whole
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Refused

Data = MultiValueDict[str, Any]
T = TypeVar("T")

LEVEL_COLUMNS: Final = ("point", "bet_min", "bet_max", "length", "pause")
PRIZE_COLUMNS: Final = ("entries_from", "shares")
ROWS_MAX: Final = 200
HANDS_MAX: Final = 10_000


@dataclass
class TypedRow:
    """One row as it was typed, with what is wrong with it."""

    texts: dict[str, str]
    errors: list[str] = field(default_factory=list)

    def read(self, column: str, reader: Callable[[str], T]) -> T | None:
        """The value of a cell; None where it is empty or cannot be read."""
        text = self.texts[column].strip()
        if not text:
            return None
        try:
            return reader(text)
        except Refused as refusal:
            self.errors.append(sentence_of(refusal))
            return None


def rows_of(data: Data, columns: Iterable[str]) -> list[TypedRow]:
    """The rows of a table of the form, as many as its longest column has."""
    lists = {column: [str(text) for text in data.getlist(column)] for column in columns}
    count = min(ROWS_MAX, max(map(len, lists.values())))
    return [
        TypedRow(
            {name: values[number] if number < len(values) else "" for name, values in lists.items()}
        )
        for number in range(count)
    ]


def put_rows(data: Data, columns: Iterable[str], rows: Iterable[TypedRow]) -> None:
    """Write rows back as lists of texts."""
    kept = list(rows)
    for column in columns:
        data.setlist(column, [row.texts[column] for row in kept])


def _stake(text: str) -> int:
    return texts.read_whole(text, 1, AMOUNT_MAX)


def _hands(text: str) -> int:
    return texts.read_whole(text, 1, HANDS_MAX)


def read_level(row: TypedRow, *, is_banked: bool, by_hands: bool, is_last: bool) -> Level:
    """A level; the last one lasts to the end, so its length may be left empty."""
    lasts = row.read("length", _hands if by_hands else texts.read_length)
    if lasts is None and not is_last and not row.errors:
        row.errors.append(_("Enter the length of this level."))
    length = {"hands": lasts} if by_hands else {"seconds": lasts}
    if is_banked:
        stakes = {name: row.read(name, _stake) for name in ("bet_min", "bet_max")}
    else:
        stakes = {"point": row.read("point", _stake)}
    return Level(**stakes, **length)


def read_break(row: TypedRow, number: int) -> Break | None:
    seconds = row.read("pause", texts.read_length)
    return None if seconds is None else Break(after_level=number, seconds=seconds)


def level_row(level: Level, pause: int | None = None) -> TypedRow:
    """A level as a row that reads back as the same level."""
    lasts = texts.length_text(level.seconds) if level.hands is None else str(level.hands)
    stakes = {name: texts.whole_text(getattr(level, name)) for name in LEVEL_COLUMNS[:3]}
    return TypedRow({**stakes, "length": lasts, "pause": texts.length_text(pause)})


def read_prizes(row: TypedRow) -> tuple[int, tuple[Share, ...]]:
    """From how many entries on which shares apply."""
    entries = row.read("entries_from", lambda text: texts.read_whole(text, 1, PLACES_MAX))
    shares = row.read("shares", texts.read_shares)
    if shares is None and not row.errors:
        row.errors.append(_("Enter the shares, such as 50, 30, 20."))
    return entries or 1, shares or ()


def prize_row(entries_from: int, shares: Iterable[Share]) -> TypedRow:
    return TypedRow({"entries_from": str(entries_from), "shares": texts.shares_text(shares)})


# At a tournament the banker rotates, regardless of the option.
HIDDEN: Final = frozenset((*RESERVED, "banker"))


class WholeField(Field):
    """A whole number within bounds, typed as people write it."""

    def __init__(
        self, label: Any, least: int, most: int, initial: int | None, help_text: Any = ""
    ) -> None:
        super().__init__(
            label=label,
            initial=initial,
            required=initial is not None,
            help_text=help_text,
            widget=UnfoldAdminTextInputWidget(
                attrs={"inputmode": "numeric", "autocomplete": "off"}
            ),
        )
        self.least, self.most = least, most

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values:
            return None
        try:
            return read_whole(str(value), self.least, self.most)
        except Refused as refusal:
            raise ValidationError(sentence_of(refusal), code=refusal.code) from None


class _Widget(OptionsWidget):
    def options(self) -> tuple[Option, ...]:
        return tuple(option for option in super().options() if option.name not in HIDDEN)


class GameOptionsField(OptionsField):
    """The options that an event sets; its levels and the house decide the others."""

    widget: Any = _Widget
