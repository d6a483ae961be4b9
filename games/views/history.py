"""Finished hands as a list: a player's own, any for auditors; and the statement of one seat."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games import searching
from games.asked import Search
from games.history import is_auditor
from games.models import Hand, Seat, Table
from games.naming import GAME_NAMES, game_name
from games.searching import Edge
from wallets.amounts import read_amount
from wallets.errors import Refused
from wallets.models import Currency
from wallets.statements import statement
from wallets.views import entry_rows, near, read_id

RESULTS = [
    ("", _("All results")),
    ("won", _("Won")),
    ("lost", _("Lost")),
    ("even", _("Neither")),
    ("void", _("Taken back")),
]


def _day() -> forms.DateField:
    return forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))


class Filters(forms.Form):
    """What a list is narrowed by; it stands in the address, and what means nothing is said."""

    game = forms.ChoiceField(required=False, label=_("Game"))
    table = forms.ModelChoiceField(Table.objects.none(), required=False, label=_("Table"))
    currency = forms.ModelChoiceField(Currency.objects.none(), required=False, label=_("Currency"))
    first_day = _day()
    last_day = _day()
    result = forms.ChoiceField(choices=RESULTS, required=False, label=_("Result"))
    least = forms.CharField(required=False, max_length=24, label=_("At least won or lost"))
    code = forms.CharField(required=False, max_length=30, label=_("Hand"))

    def __init__(self, told: Any, tables: Any, currencies: Any) -> None:
        super().__init__(told)
        games = [(key, str(name)) for key, name in GAME_NAMES.items()]
        self.fields["game"].choices = [("", _("All games")), *games]  # type: ignore[attr-defined]
        for name, rows, words in (
            ("table", tables, _("All tables")),
            ("currency", currencies, _("All currencies")),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset, field.empty_label = rows, words
        self.fields["first_day"].label = _("From")
        self.fields["last_day"].label = _("To")
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
        for name, example in (("least", "100"), ("code", "T1-H20")):
            self.fields[name].widget.attrs["placeholder"] = example

    def clean_least(self) -> dict[str, int] | None:
        """The amount in the units of each currency that is asked about."""
        text = self.cleaned_data["least"]
        if not text:
            return None
        chosen = self.cleaned_data.get("currency")
        field = self.fields["currency"]
        assert isinstance(field, forms.ModelChoiceField)
        some = [chosen] if chosen else list(field.queryset or ())
        try:
            return {one.code: read_amount(text, one) for one in some}
        except Refused as refusal:
            raise forms.ValidationError(str(refusal.template).format(**refusal.values)) from None

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        first, last = told.get("first_day"), told.get("last_day")
        if first and last and first > last:
            self.add_error("last_day", _("The last day is before the first."))
        return told

    def search(self) -> Search:
        """What is asked, without what could not be read."""
        self.is_valid()
        told = self.cleaned_data
        table, currency = told.get("table"), told.get("currency")
        return Search(
            game=told.get("game", ""),
            table=table.pk if table else None,
            currency=currency.pk if currency else "",
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
    field_order = ("player",)


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
        "rows": _rows(page.hand_ids, player_id),
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


def _rows(hand_ids: list[int], player_id: int | None) -> list[dict[str, Any]]:
    """The hands of a page in its order, with the result of the player whose list it is."""
    hands = Hand.objects.select_related("table__currency").defer("settlement", "options", "draws")
    found = hands.prefetch_related("seats__player").in_bulk(hand_ids)
    return [_row(found[number], player_id) for number in hand_ids]


def _row(hand: Hand, player_id: int | None) -> dict[str, Any]:
    seats = hand.seats.all()
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    others = [seat for seat in seats if seat is not mine]
    return {"hand": hand, "game": game_name(hand.game), "mine": mine, "others": others}


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
