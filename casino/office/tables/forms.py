"""The forms of a table's rules: its profile, its seats and its jackpots."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.forms import (
    BooleanField,
    CharField,
    CheckboxSelectMultiple,
    ChoiceField,
    MultipleChoiceField,
    TypedChoiceField,
)
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.models import Profile, ProfileVersion, Table
from games.profiles.setting_up import NewTable, Wanted, faults, gifts_of
from games.rules.catalogue import GAMES, game_type
from games.tables.settings import seat_bounds
from games.tables.table_rules import jackpots_of, version_in_force
from games.words.naming import game_name, jackpot_title
from wallets.models import Jackpot
from wallets.money.gifts import ConfirmsGifts, confirmation
from wallets.office.journalled_admin import ReasonForm
from wallets.office.whole_units import NumberField

NOTHING: Mapping[str, Any] = MappingProxyType({})
NAME_MAX: Any = Table._meta.get_field("name").max_length


class RulesForm(ConfirmsGifts, ReasonForm):
    """What decides the rules of one table; `version` is what the chosen profile says now."""

    field_order: Any = ("profile", "places", "jackpots", "gives_away", "reason")
    profile = TypedChoiceField(label=_("Profile"), coerce=int, widget=UnfoldAdminSelectWidget)
    places = TypedChoiceField(label=_("Seats"), coerce=int, widget=UnfoldAdminSelectWidget)
    jackpots = MultipleChoiceField(
        label=_("Jackpots"), required=False, widget=CheckboxSelectMultiple
    )
    gives_away = confirmation()

    def __init__(
        self,
        table: Table,
        now: datetime,
        data: Mapping[str, Any] | None = None,
        chosen: Mapping[str, Any] = NOTHING,
    ) -> None:
        super().__init__(data, initial=_initial(table))
        self.table, self.now = table, now
        profiles = list(_published(table, now))
        named = str((data or chosen).get("profile") or table.profile_id or "")
        self.chosen = next((one for one in profiles if str(one.pk) == named), None)
        if self.chosen is None and data is None and profiles:
            self.chosen = profiles[0]
        self.version = self.chosen and version_in_force(self.chosen.pk, now)
        self.initial["profile"] = self.chosen and str(self.chosen.pk)
        self._offer("profile", [(str(one.pk), str(one)) for one in profiles])
        self._offer("places", [(str(one), str(one)) for one in self._seats()])
        jackpots = self._jackpots()
        self._offer("jackpots", [(str(one.pk), jackpot_title(one.name)) for one in jackpots])
        if not jackpots:
            del self.fields["jackpots"]

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field: Any = self.fields[name]
        field.choices = choices

    def _seats(self) -> range:
        if self.version is None:
            return range(0)
        least, most = seat_bounds(self.table.game, self.version.options)
        if self.initial.get("places") is None:
            self.initial["places"] = most
        return range(least, most + 1)

    def _jackpots(self) -> list[Jackpot]:
        if self.chosen is None or not game_type(self.table.game).feeds_pools:
            return []
        active = Jackpot.objects.filter(active=True, pool__currency=self.chosen.currency_id)
        return list(active.order_by("name"))

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors or self.chosen is None:
            return values
        self.table.currency, wanted = self.chosen.currency, self.wanted
        for field, sentence in faults(self.table, wanted, self.now):
            self.add_error(field if field in self.fields else "profile", sentence)
        if not self.errors:
            self.confirm_gifts(values, gifts_of(self.table, wanted, self.now))
        return values

    @property
    def wanted(self) -> Wanted:
        assert self.chosen is not None
        values = self.cleaned_data
        jackpots = sorted(int(number) for number in values.get("jackpots", ()))
        return Wanted(self.chosen, values["places"], tuple(jackpots))


def _initial(table: Table) -> dict[str, Any]:
    if table.pk is None:
        return {}
    # What waits for the next hand is where a further change begins.
    waits = table.coming_rules
    places = waits.places if waits else table.places
    jackpots = [str(number) for number in (waits.jackpots if waits else jackpots_of(table))]
    return {"profile": table.profile_id, "places": places, "jackpots": jackpots}


def first_game(now: datetime) -> str:
    """The game with which the page of a new table begins: one that a profile is published for."""
    with_profile = set(_in_force(now).values_list("game", flat=True))
    return next((game for game in GAMES if game in with_profile), next(iter(GAMES)))


def _in_force(now: datetime) -> Any:
    state = ProfileVersion.State.PUBLISHED
    return Profile.objects.filter(versions__state=state, versions__published_from__lte=now)


def _published(table: Table, now: datetime) -> Any:
    profiles = _in_force(now).select_related("currency").filter(game=table.game)
    if table.pk is not None:
        profiles = profiles.filter(currency=table.currency_id)
    return profiles.distinct().order_by("name")


class NewTableForm(RulesForm):
    """A new table: the game first, which says which profiles there are."""

    field_order = (
        *("game", "profile", "places", "name", "jackpots", "overflow_max", "private"),
        *("gives_away", "reason"),
    )
    game = ChoiceField(label=_("Game"), widget=UnfoldAdminSelectWidget)
    name = CharField(label=_("Name"), max_length=NAME_MAX, widget=UnfoldAdminTextInputWidget)
    overflow_max = NumberField(
        label=_("Maximum number of overflow tables"),
        min_value=0,
        max_value=99,
        initial=0,
        help_text=_("How many more tables like it open when people have taken every seat."),
        widget=UnfoldAdminIntegerFieldWidget,
    )
    private = BooleanField(
        label=_("By invitation only"), required=False, widget=UnfoldBooleanSwitchWidget
    )

    def __init__(self, game: str, now: datetime, data: Any, chosen: Mapping[str, Any]) -> None:
        super().__init__(Table(game=game), now, data, chosen)
        self.initial.update(game=game, name=chosen.get("name", ""))
        self._offer("game", [(key, str(game_name(key))) for key in GAMES])

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if Table.objects.filter(name=name).exists():
            self.add_error("name", _("There is a table of this name."))
        return name

    @property
    def new_table(self) -> NewTable:
        values = self.cleaned_data
        return NewTable(values["name"], self.wanted, values["private"], values["overflow_max"])
