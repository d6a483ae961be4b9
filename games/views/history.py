"""Finished hands as a list: a player's own, any for auditors; and the statement of one seat."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.forms.utils import flatatt
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.books import searching
from games.books.asked import Search
from games.books.searching import Edge
from games.history import is_auditor
from games.lobby.choosing import game_choices
from games.models import Hand, HandSeat, Seat, Table
from games.words.naming import game_name, table_title
from wallets.amounts import read_amount, show_amount
from wallets.errors import Refused
from wallets.models import Currency
from wallets.statements import statement
from wallets.views import Days, entry_rows, near, read_id

RESULTS = [
    ("", _("All results")),
    ("won", _("Won")),
    ("lost", _("Lost")),
    ("even", _("Neither")),
    ("void", _("Taken back")),
]


class Choices(forms.Select):
    """A list to choose from, written at once: Django renders a template for each of its lines."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        return format_html(
            "<select{}>{}</select>",
            flatatt({"name": name} | self.build_attrs(self.attrs, attrs)),
            _options(self.choices, str(value or "")),
        )


def _options(choices: Any, chosen: str) -> SafeString:
    """Lines to choose from, and groups of them."""
    return format_html_join("", "{}", ((_option(key, words, chosen),) for key, words in choices))


def _option(key: Any, words: Any, chosen: str) -> SafeString:
    if isinstance(words, list):
        return format_html('<optgroup label="{}">{}</optgroup>', key, _options(words, chosen))
    selected = " selected" if str(key) == chosen else ""
    return format_html('<option value="{}"{}>{}</option>', key, selected, words)


def _titles(tables: Any) -> list[tuple[int, str]]:
    return [(number, table_title(name)) for number, name in tables.values_list("pk", "name")]


def _choice(label: Any, choices: Any = ()) -> forms.ChoiceField:
    return forms.ChoiceField(choices=choices, required=False, label=label, widget=Choices)


class Filters(Days):
    """What a list is narrowed by; it stands in the address, and what means nothing is said."""

    game = _choice(_("Game"))
    table = _choice(_("Table"))
    currency = _choice(_("Currency"))
    result = _choice(_("Result"), RESULTS)
    least = forms.CharField(required=False, max_length=24, label=_("At least won or lost"))
    code = forms.CharField(required=False, max_length=30, label=_("Hand"))
    field_order: tuple[str, ...] = ("game", "table", "currency")

    def __init__(self, told: Any, tables: Any, currencies: Any) -> None:
        super().__init__(told)
        self.currencies = {one.pk: one for one in currencies}
        choices = {
            "game": [("", _("All games")), *game_choices()],
            "table": [("", _("All tables")), *_titles(tables)],
            "currency": [("", _("All currencies")), *((key, key) for key in self.currencies)],
        }
        for name, lines in choices.items():
            self.fields[name].choices = lines  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
        for name, example in (("least", "100"), ("code", "T1-H20")):
            self.fields[name].widget.attrs["placeholder"] = example

    def clean_least(self) -> dict[str, int] | None:
        """The amount in the units of each currency that is asked about."""
        text = self.cleaned_data["least"]
        if not text:
            return None
        chosen = self.currencies.get(self.cleaned_data.get("currency", ""))
        some = [chosen] if chosen else self.currencies.values()
        try:
            return {one.code: read_amount(text, one) for one in some}
        except Refused as refusal:
            raise forms.ValidationError(str(refusal.template).format(**refusal.values)) from None

    def search(self) -> Search:
        """What is asked, without what could not be read."""
        self.is_valid()
        told = self.cleaned_data
        return Search(
            game=told.get("game", ""),
            table=int(told["table"]) if told.get("table") else None,
            currency=told.get("currency", ""),
            first_day=near(told.get("first_day")),
            last_day=near(told.get("last_day")),
            result=told.get("result", ""),
            least=told.get("least"),
            code=told.get("code", ""),
            player_id=told["player"].pk if told.get("player") else None,
        )


class AuditorsFilters(Filters):
    """Auditors ask for a player besides."""

    player = forms.ModelChoiceField(
        get_user_model().objects.all(),
        to_field_name="username",
        required=False,
        label=_("Player"),
        widget=forms.TextInput,
        error_messages={"invalid_choice": _("There is no such player.")},
    )
    field_order = ("player", *Filters.field_order)


class HandRow(NamedTuple):
    """What a list tells of a hand."""

    pk: int
    code: str
    game: Any
    table: str
    currency: Currency
    void: bool
    ended_at: datetime
    # The result of the player whose list it is, and what they brought.
    net: int | None
    brought: str
    others: list[str]


@require_safe
@login_required
def hands(request: HttpRequest) -> HttpResponse:
    user = request.user
    audits = is_auditor(user)
    form = _filters(request, audits=audits)
    search = form.search()
    player_id = search.player_id if audits else user.pk
    context = {"form": form, "audits": audits, "sums": [], "player": player_id}
    if player_id is None:
        page = searching.page_of(searching.all_hands(search), _edge(request), "pk")
    else:
        page = searching.page_of_player(player_id, search, _edge(request))
        context["sums"] = searching.sums_of(player_id, search)
    asked = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
    context |= {
        "rows": list(_rows(page.hand_ids, player_id, form.currencies)),
        "filtered": bool(asked),
        "older": urlencode(asked | {"before": page.older}) if page.older else "",
        "newer": urlencode(asked | {"after": page.newer}) if page.newer else "",
        "newest": f"?{urlencode(asked)}" if page.newer else "",
    }
    return render(request, "games/history.html", context)


def _filters(request: HttpRequest, *, audits: bool) -> Filters:
    if audits:
        return AuditorsFilters(request.GET, Table.objects.all(), Currency.objects.all())
    player: Any = request.user
    seats = Seat.objects.filter(player=player)
    tables = Table.objects.filter(pk__in=seats.values("table"))
    currencies = Currency.objects.filter(pk__in=tables.values("currency"))
    return Filters(request.GET, tables, currencies)


def _edge(request: HttpRequest) -> Edge:
    before, after = (read_id(request.GET.get(name, "")) for name in ("before", "after"))
    return Edge(after, newer=True) if after is not None else Edge(before)


def _rows(
    hand_ids: list[int], player_id: int | None, currencies: dict[str, Currency]
) -> Iterator[HandRow]:
    """The hands of a page in its order, with the result of the player whose list it is.

    One statement tells all of it, and no more of a hand than the list shows.
    """
    seats: dict[int, list[Any]] = defaultdict(list)
    brought = gettext("of %(purse)s")
    told = HandSeat.objects.filter(hand__in=hand_ids).order_by("hand", "number")
    for seat in told.values_list(
        "hand_id",
        "hand__number",
        "game",
        "table_id",
        "table__name",
        "currency_id",
        "status",
        "ended_at",
        "player_id",
        "player__username",
        "net",
        "purse",
        named=True,
    ):
        seats[seat.hand_id].append(seat)
    for hand_id in hand_ids:
        some = seats[hand_id]
        first, mine = some[0], next((one for one in some if one.player_id == player_id), None)
        currency = currencies[first.currency_id]
        yield HandRow(
            pk=hand_id,
            code=Hand(table_id=first.table_id, number=first.hand__number).code,
            game=game_name(first.game),
            table=table_title(first.table__name),
            currency=currency,
            void=first.status == Hand.Status.VOID,
            ended_at=first.ended_at,
            net=mine.net if mine else None,
            brought=brought % {"purse": show_amount(mine.purse, currency)} if mine else "",
            others=[one.player__username for one in some if one is not mine],
        )


@require_safe
@login_required
def stay(request: HttpRequest, code: UUID) -> HttpResponse:
    """All that went in and out of one seat, from the buy-in to the last hand."""
    seat = get_object_or_404(Seat.objects.select_related("table__currency", "stack"), code=code)
    if seat.player_id != request.user.pk and not is_auditor(request.user):
        raise Http404
    told = statement(seat.stack, read_id(request.GET.get("before", "")))
    context = {
        "seat": seat,
        "currency": seat.table.currency,
        "rows": entry_rows(told.entries),
        "older": told.before,
        "paged": "before" in request.GET,
    }
    return render(request, "games/stay.html", context)
