"""The form in which an operator sets a table up."""

from typing import Any

from django.forms import BooleanField, HiddenInput, ModelForm
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldBooleanSwitchWidget

from games.tables.settings import USUAL_STACKS, gifts, problems, usual_stacks
from wallets.whole_units import WholeUnitsForm


class TableForm(WholeUnitsForm, ModelForm):  # type: ignore[type-arg]
    """A table's settings, with a sentence if the game cannot be played with them.

    If a bet would favour its players, the form shows the edge and asks for confirmation.
    """

    gives_away = BooleanField(
        label=_("Players may have this edge"), required=False, widget=HiddenInput
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in USUAL_STACKS:
            if name in self.fields:
                self.fields[name].required = False
                self.fields[name].help_text = _("Left empty: what is usual at these stakes.")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self._fill_in(values)
        if not self.errors:
            for field, sentence in problems(self.instance, values):
                self.add_error(field, sentence)
        if not self.errors and (given := gifts(self.instance, values)):
            self.fields["gives_away"].widget = UnfoldBooleanSwitchWidget()
            if not values.get("gives_away"):
                self.add_error("gives_away", given)
        return values

    def _fill_in(self, values: dict[str, Any]) -> None:
        """Fill in the usual stacks for fields that were left empty, if the stakes have them."""
        game = str(values.get("game") or getattr(self.instance, "game", ""))
        for name, usual in usual_stacks(game, values.get("options") or {}).items():
            if name in self.errors or values.get(name) is not None:
                continue
            if usual is None:
                self.add_error(name, self.fields[name].error_messages["required"])
            else:
                values[name] = usual
