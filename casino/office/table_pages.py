"""The pages of a table's rules with their forms: a table's profile, seats and jackpots."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, cast

from django.contrib import messages
from django.forms import (
    BooleanField,
    CharField,
    CheckboxSelectMultiple,
    ChoiceField,
    MultipleChoiceField,
    TypedChoiceField,
)
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from casino.office.frame.journal_words import links
from games.models import Profile, ProfileVersion, Table
from games.profiles import reckoning, setting_up
from games.profiles.differences import label_of, show_setting
from games.profiles.figures import DECISIONS, figure_text
from games.profiles.option_form import in_words
from games.profiles.setting_up import ADD, CHANGE, NewTable, Wanted, faults, gifts_of
from games.profiles.table_history import history, rules_in_words
from games.profiles.warnings import bet_words
from games.rules.catalogue import GAMES, game_type
from games.tables.formats import set_by_operators
from games.tables.settings import seat_bounds
from games.tables.table_rules import jackpots_of, version_in_force
from games.words.naming import game_name, jackpot_title
from games.words.refusals import refused_in
from wallets.models import Jackpot
from wallets.models.staff_models import Proposal
from wallets.money.gifts import ConfirmsGifts, confirmation
from wallets.office.journalled_admin import ReasonForm, submit_form, to_proposal
from wallets.office.staff_pages import office_page, staff_page
from wallets.office.whole_units import NumberField
from wallets.values.player import player_of

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
        self.chosen = next((profile for profile in profiles if str(profile.pk) == named), None)
        if self.chosen is None and data is None and profiles:
            self.chosen = profiles[0]
        self.version = self.chosen and version_in_force(self.chosen.pk, now)
        self.initial["profile"] = self.chosen and str(self.chosen.pk)
        self._offer("profile", [(str(profile.pk), str(profile)) for profile in profiles])
        self._offer("places", [(str(seat), str(seat)) for seat in self._seats()])
        jackpots = self._jackpots()
        self._offer(
            "jackpots", [(str(jackpot.pk), jackpot_title(jackpot.name)) for jackpot in jackpots]
        )
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


VIEW = "games.view_table"
NUMBER_BITS = 63
# Buttons that only show the form again, with what was chosen.
SHOW = "show"


@staff_page("table-new", "tables/new/", _("New table"), ADD)
@require_http_methods(["GET", "HEAD", "POST"])
def new_table_page(request: HttpRequest) -> HttpResponse:
    """Game, profile, seats and what players will read, on one page; one button opens the table."""
    now, opens = timezone.now(), request.method == "POST" and SHOW not in request.POST
    given = request.POST if request.method == "POST" else request.GET
    game = given.get("game", "")
    game = game if game in GAMES else first_game(now)
    form = NewTableForm(game, now, request.POST if opens else None, given)
    if opens and form.is_valid():
        with refused_in(form):
            table = setting_up.open_table(
                player_of(request), form.new_table, reason=form.cleaned_data["reason"], now=now
            )
            messages.success(request, _("The table is open."))
            return redirect("floor-table", table.pk)
    return office_page(
        request,
        "tables/new.html",
        _("New table"),
        form=form,
        choosing=[form[name] for name in ("game", "profile", "places")],
        others=[
            field
            for field in form.visible_fields()
            if field.name not in ("game", "profile", "places")
        ],
        **_preview(form.version),
    )


def _preview(version: ProfileVersion | None) -> dict[str, object]:
    """What players will read of a table that follows this version."""
    if version is None:
        return {"version": None}
    profile = version.profile
    currency = profile.currency
    figures = reckoning.figures_of_version(version).values()
    return {
        "version": version,
        "rules": [
            *in_words(profile.game, version.options, currency),
            *(
                (label_of(name), show_setting(name, value, currency))
                for name, value in version.table_settings.items()
            ),
        ],
        "figures": [
            (bet_words(figure.key), figure_text(figure, currency))
            for figure in figures
            if figure.key != DECISIONS
        ],
    }


@staff_page("office-table-rules", "tables/<int:number>/rules/", _("Rules of a table"), VIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def rules_page(request: HttpRequest, number: int) -> HttpResponse:
    """The rules of a table, each version of them, and the form that proposes another."""
    tables = Table.objects.select_related("currency", "profile", "profile_version__profile")
    table = tables.filter(pk=number).first() if number.bit_length() <= NUMBER_BITS else None
    if table is None:
        raise Http404
    may = set_by_operators(table) and player_of(request).has_perm(CHANGE)
    form = RulesForm(table, timezone.now(), request.POST if request.method == "POST" else None)
    if request.method == "POST" and may and form.is_valid():
        wanted = form.wanted
        arguments: dict[str, Any] = {
            "table": table.pk,
            "profile": wanted.profile.pk,
            "places": wanted.places,
            "jackpots": list(wanted.jackpots),
        }
        with refused_in(form):
            submitted = submit_form(request, form, setting_up.RULES, arguments)
            return to_proposal(request, cast(Proposal, submitted.proposal))
    entries, causes = history(table), links(rule.cause for rule in table.rules.all())
    return office_page(
        request,
        "tables/rules.html",
        table.title,
        table=table,
        rules=rules_in_words(table),
        entries=[
            {"rules": entry.rules, "changes": entry.changes, "cause": causes.get(entry.rules.cause)}
            for entry in entries
        ],
        waiting=setting_up.waiting_proposal(table),
        may_change=may,
        form=form,
    )
