"""Fields of the form of an event: whole numbers with bounds, and the options of the game."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.forms import Field
from unfold.widgets import UnfoldAdminTextInputWidget

from games.profiles.option_form import OptionsField, OptionsWidget
from games.profiles.options import Option
from games.words.refusals import sentence_of
from tournaments.mathematics.structure import RESERVED
from tournaments.office.editor.texts import read_whole
from wallets.values.errors import Refused

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
