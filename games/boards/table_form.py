"""The form in which an operator sets a table up."""

from typing import Any, Final

from django.forms import ModelForm
from django.utils.translation import gettext_lazy as _

from games.models import Profile, ProfileVersion, Table
from games.profiles.option_form import OptionsField, in_words
from games.profiles.table_settings import SETTINGS
from games.rules.catalogue import GAMES
from games.rules.contract import most_seats
from games.tables.replay import game_from
from games.tables.settings import USUAL_STACKS, gifts, problems, usual_stacks
from wallets.money.gifts import ConfirmsGifts, confirmation
from wallets.office.whole_units import WholeUnitsForm

# The settings that a table takes from its profile, in addition to its options.
FOLLOWED: Final = SETTINGS


def options_in_words(table: Table) -> list[tuple[str, str]]:
    """The options of a table by their labels, as people read them."""
    return in_words(table.game, table.options, table.currency)


class TableForm(ConfirmsGifts, WholeUnitsForm, ModelForm):  # type: ignore[type-arg]
    """A table's settings, with a sentence if the game cannot be played with them.

    If a bet would favour its players, the form shows the edge and asks for confirmation.
    """

    options = OptionsField(label=_("Options"))
    gives_away = confirmation()

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self._set_up_options()
        for name in USUAL_STACKS:
            if name in self.fields:
                self.fields[name].required = False
                self.fields[name].help_text = _(
                    "Leave empty to use the usual amount for these stakes."
                )

    def _set_up_options(self) -> None:
        """Make the inputs for the options of the game that is played, or was chosen."""
        field = self.fields.get("options")
        if isinstance(field, OptionsField):
            game = str(self.instance.game or self.data.get("game") or self.initial.get("game", ""))
            field.set_up(
                game if game in GAMES else "", self._currency(), self.instance.options or {}
            )

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        if profile := values.get("profile"):
            self._check_profile(profile, values)
        if self.instance.pk and self.instance.profile_id:
            # The form has no field for settings of the profile.
            followed = {name: getattr(self.instance, name) for name in ("options", *SETTINGS)}
            values = followed | values
        self._fill_in(values)
        if not self.errors:
            for field, sentence in problems(self.instance, values):
                self.add_error(field, sentence)
        if not self.errors:
            self.confirm_gifts(values, gifts(self.instance, values))
        return values

    def _check_profile(self, profile: Profile, values: dict[str, Any]) -> None:
        """A table follows a published profile of its own game and currency, with room for it."""
        game = values.get("game") or self.instance.game
        currency = values.get("currency") or getattr(self.instance, "currency", None)
        if profile.game != game or profile.currency != currency:
            self.add_error(
                "profile", _("This profile is for another game, or in another currency.")
            )
            return
        places = values.get("places") or 0
        versions = profile.versions.filter(state=ProfileVersion.State.PUBLISHED)
        known = [most_seats(game_from(game, version.options)) for version in versions]
        if not known:
            self.add_error("profile", _("No version of this profile has been published."))
        elif places > min(known):
            self.add_error("profile", _("This profile has fewer seats than the table."))

    def _fill_in(self, values: dict[str, Any]) -> None:
        """Fill in the usual stacks for fields that were left empty, if the stakes have them."""
        game = str(values.get("game") or getattr(self.instance, "game", ""))
        usual_at: dict[str, int | None] = dict.fromkeys(USUAL_STACKS)
        if "options" not in self.errors:
            usual_at = usual_stacks(game, values.get("options") or {})
        for name, usual in usual_at.items():
            if name in self.errors or values.get(name) is not None:
                continue
            if usual is None:
                self.add_error(name, self.fields[name].error_messages["required"])
            else:
                values[name] = usual
