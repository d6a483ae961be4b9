"""The views of a table's rules: they parse, call `games.profiles.setting_up`, and render."""

from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from casino.office.frame.journal_words import links
from casino.office.tables.forms import NewTableForm, RulesForm, first_game
from games.models import ProfileVersion, Table
from games.profiles import reckoning, setting_up
from games.profiles.figure_words import figure_text
from games.profiles.option_form import in_words
from games.profiles.sampling import DECISIONS
from games.profiles.setting_up import ADD, CHANGE
from games.profiles.table_history import history, rules_in_words
from games.profiles.table_settings import label_of, show_setting
from games.profiles.warnings import bet_words
from games.rules.catalogue import GAMES
from games.tables.formats import set_by_operators
from games.words.refusals import refused_in
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import submit_form, to_proposal
from wallets.office.staff_pages import office_page, staff_page
from wallets.values.player import player_of

VIEW = "games.view_table"
NUMBER_BITS = 63
CHOSEN_FIRST = ("game", "profile", "places")
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
            one for one in form.visible_fields() if one.name not in ("game", "profile", "places")
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
            (bet_words(one.key), figure_text(one, currency))
            for one in figures
            if one.key != DECISIONS
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
    entries, causes = history(table), links(one.cause for one in table.rules.all())
    return office_page(
        request,
        "tables/rules.html",
        table.title,
        table=table,
        rules=rules_in_words(table),
        entries=[
            {"rules": one.rules, "changes": one.changes, "cause": causes.get(one.rules.cause)}
            for one in entries
        ],
        waiting=setting_up.waiting_proposal(table),
        may_change=may,
        form=form,
    )
