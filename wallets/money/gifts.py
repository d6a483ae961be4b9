"""Settings with which players win on average: forms name each such bet, and ask for confirmation.

The ledger knows no bets. A package that does registers how to look at the settings of a jackpot.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.forms import BaseForm, BooleanField, HiddenInput
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldBooleanSwitchWidget

from wallets.models import Jackpot
from wallets.values.registry import Registry

# The name of the field; it is not a column of what the form edits.
GIVES_AWAY: Final = "gives_away"
# Takes a jackpot with its new settings, and returns a sentence for each bet in the players' favour.
Look = Callable[[Jackpot], list[str]]

LOOKS: Final = Registry[Look]("look at jackpots")


def of_jackpot(jackpot: Jackpot) -> list[str]:
    """Return a sentence for each bet that favours players with these settings."""
    return [sentence for look in LOOKS.values() for sentence in look(jackpot)]


def confirmation() -> BooleanField:
    """The switch that a form shows only once there is something to confirm."""
    return BooleanField(label=_("Players may have this edge"), required=False, widget=HiddenInput)


class ConfirmsGifts(BaseForm):
    """A form with the field `gives_away`."""

    def confirm_gifts(self, values: dict[str, Any], found: Sequence[str]) -> None:
        """Show the switch, and refuse the form until it is on."""
        if found:
            self.fields[GIVES_AWAY].widget = UnfoldBooleanSwitchWidget()
            if not values.get(GIVES_AWAY):
                self.add_error(GIVES_AWAY, list(found))
