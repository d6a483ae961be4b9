"""Finished hands as a list: a player's own, any for auditors; and the statement of one seat."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from uuid import UUID

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.lobby.filters import game_choices
from games.models import Hand, HandSeat, Profile, Seat, Table
from games.models.combined import read_together
from games.models.prepared import Prepared, Query
from games.records import card_index, search_filters
from games.records import search as records_search
from games.records.card_index import CardTerms
from games.records.record import is_auditor
from games.records.search import Edge
from games.records.search_filters import Search, read_option
from games.tables.formats import format_of
from games.web.pages import choice, set_choices
from games.words.naming import game_name, player_title, table_title
from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.money.accounts import statement
from wallets.money.references import Link
from wallets.office.whole_units import NumberField
from wallets.pages.views import Days, entry_rows, near, read_id
from wallets.storage.replica import from_replica
from wallets.values.amounts import as_form_error, read_amount, show_amount, show_signed
from wallets.values.errors import Refused
from wallets.values.player import player_of

RESULTS = [
    ("", _("All results")),
    ("won", _("Won")),
    ("lost", _("Lost")),
    ("even", _("Neither")),
    ("void", _("Void or reversed")),
]
FLAGS = [
    ("", _("All hands")),
    ("timeout", _("A turn timed out")),
    ("bot", _("A bot played")),
    ("foul", _("Foul")),
    ("natural", _("Natural")),
    ("jackpot", _("Jackpot paid")),
    ("mystery", _("Mystery prize paid")),
]


def _tables_of(player: int) -> QuerySet[Table]:
    return Table.objects.filter(pk__in=Seat.objects.filter(player=player).values("table"))


# What a player can choose among in the filters.
_TABLES: Final = Prepared(lambda player: _tables_of(player).values_list("pk", "name"))
_CURRENCIES: Final = Query(
    lambda player: Currency.objects.filter(pk__in=_tables_of(player).values("currency"))
)


class Filters(Days):
    """The filters of a list, kept in its address; unreadable values are reported."""

    game = choice(_("Game"))
    table = choice(_("Table"))
    currency = choice(_("Currency"))
    result = choice(_("Result"), RESULTS)
    least = forms.CharField(required=False, max_length=24, label=_("At least won or lost"))
    code = forms.CharField(required=False, max_length=30, label=_("Hand"))
    field_order: tuple[str, ...] = ("game", "table", "currency")

    def __init__(self, data: Any, tables: Iterable[Any], currencies: Iterable[Currency]) -> None:
        super().__init__(data)
        self.currencies = {currency.pk: currency for currency in currencies}
        set_choices(
            self,
            game=[("", _("All games")), *game_choices()],
            table=[
                ("", _("All tables")),
                *((number, table_title(name)) for number, name in tables),
            ],
            currency=[
                ("", _("All currencies")),
                *((currency.pk, currency.unit) for currency in self.currencies.values()),
            ],
        )
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
        for name, example in (("least", "100"), ("code", "T1-H20")):
            self.fields[name].widget.attrs["placeholder"] = example

    def clean_least(self) -> dict[str, int] | None:
        """The amount in the units of each currency in question."""
        text = self.cleaned_data["least"]
        if not text:
            return None
        chosen = self.currencies.get(self.cleaned_data.get("currency", ""))
        money = [currency for currency in self.currencies.values() if not currency.is_chips]
        some = [chosen] if chosen else money
        with as_form_error():
            return {currency.code: read_amount(text, currency) for currency in some}

    def search(self) -> Search:
        """The search, without filters that could not be read."""
        self.is_valid()
        values = self.cleaned_data
        return Search(
            game=values.get("game", ""),
            table=int(values["table"]) if values.get("table") else None,
            currency=values.get("currency", ""),
            first_day=near(values.get("first_day")),
            last_day=near(values.get("last_day")),
            result=values.get("result", ""),
            least=values.get("least"),
            code=values.get("code", ""),
        )


PLAYERS_MAX: Final = 4
_SEPARATORS: Final = re.compile(r"[\s,，、]+")


class StaffFilters(Filters):
    """The filters of staff: also players, cards, and what the record says.

    With several players, the hands are those that all of them played.
    """

    player = forms.CharField(required=False, max_length=120, label=_("Players"))
    cards = forms.CharField(
        required=False, max_length=card_index.TEXT_MAX, label=pgettext_lazy("a hand", "Cards")
    )
    flag = choice(_("Flag"), FLAGS)
    option = forms.CharField(required=False, max_length=80, label=_("Option"))
    profile = choice(_("Profile"))
    chain = NumberField(
        required=False, min_value=0, max_value=10**18, label=_("Number in the public chain")
    )
    address = forms.GenericIPAddressField(required=False, label=_("Address of a device"))
    field_order = ("player", *Filters.field_order)

    def __init__(self, data: object, tables: Iterable[Any], currencies: Iterable[Currency]) -> None:
        super().__init__(data, tables, currencies)
        profiles = [
            (str(number), name) for number, name in Profile.objects.values_list("pk", "name")
        ]
        set_choices(self, profile=[("", _("All profiles")), *profiles])
        examples = (
            ("player", "alice bob"),
            ("cards", "jokers 2, sevens 4"),
            ("option", "point=100"),
        )
        for name, example in examples:
            self.fields[name].widget.attrs["placeholder"] = example

    def clean_player(self) -> list[int]:
        """The numbers of the named players, as typed: names contain neither spaces nor commas."""
        names = [name for name in _SEPARATORS.split(self.cleaned_data["player"].strip()) if name]
        if len(names) > PLAYERS_MAX:
            raise forms.ValidationError(
                _("Name at most {count} players.").format(count=PLAYERS_MAX)
            )
        numbers = []
        for name in names:
            try:
                player = get_user_model()._default_manager.get_by_natural_key(name)
            except ObjectDoesNotExist:
                raise forms.ValidationError(
                    _("There is no player {name}.").format(name=name[:40])
                ) from None
            numbers.append(player.pk)
        return list(dict.fromkeys(numbers))

    def clean_cards(self) -> CardTerms | None:
        text = self.cleaned_data["cards"].strip()
        with _as_form_error():
            return card_index.read(text) if text else None

    def clean_option(self) -> tuple[str, object] | None:
        text = self.cleaned_data["option"].strip()
        with _as_form_error():
            return read_option(text) if text else None

    def search(self) -> Search:
        search, values = super().search(), self.cleaned_data
        first, *partners = values.get("player") or [None]
        return search._replace(
            player_id=first,
            partners=tuple(partners),
            cards=values.get("cards"),
            flag=values.get("flag", ""),
            option=values.get("option"),
            profile=int(values["profile"]) if values.get("profile") else None,
            chain=values.get("chain"),
            address=values.get("address", ""),
        )


@contextmanager
def _as_form_error() -> Iterator[None]:
    """Show the refusal next to the field."""
    try:
        yield
    except Refused as refusal:
        raise forms.ValidationError(sentence_of(refusal), code=refusal.code) from None


class HandRow(NamedTuple):
    """A hand in a list, as text: a template takes long to make it."""

    address: str
    code: str
    game: str
    # The table, and who played there.
    where: str
    # When it ended, for programs and for people.
    moment: str
    when: str
    void: bool
    reversed: bool
    # The result of the player whose list it is, its sign, and their starting stack.
    result: str
    tone: str
    unit: str
    brought: str
    belongs_to: Link | None


@require_safe
@login_required
def hands(request: HttpRequest) -> HttpResponse:
    """A player's own hands; auditors search all hands in the back office."""
    if is_auditor(request.user):
        return redirect(f"{reverse('office-hands')}?{request.GET.urlencode()}")
    player = player_of(request).pk
    with read_together([(_TABLES, (player,)), (_CURRENCIES, (player,))]):
        form = Filters(request.GET, _TABLES.read(player), _CURRENCIES(player))
    return render(request, "games/history.html", _context(request, form, player))


def staff_context(request: HttpRequest) -> dict[str, object]:
    """The search of staff over the hands of all players; the journal notes a search by cards.

    Only auditors find hands for chips: those of a running event may be secret.
    """
    form = StaffFilters(
        request.GET, Table.objects.values_list("pk", "name"), Currency.objects.all()
    )
    search = form.search()
    if form.is_valid():
        search_filters.note(request.user, search, timezone.now())
    without_chips = not is_auditor(request.user)
    return _context(request, form, search.player_id, without_chips=without_chips)


def _context(
    request: HttpRequest, form: Filters, player_id: int | None, *, without_chips: bool = False
) -> dict[str, object]:
    if form.is_valid():
        results = _found(player_id, form.search(), _edge(request), form.currencies, without_chips)
    else:
        # Without a filter that was typed, the list would answer another question.
        results = Found(records_search.Page([], None, None), [], [])
    page = results.page
    filters = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
    return {
        "form": form,
        "player": player_id,
        "rows": results.rows,
        "sums": results.sums,
        "filtered": bool(filters),
        "older": urlencode(filters | {"before": page.older}) if page.older else "",
        "newer": urlencode(filters | {"after": page.newer}) if page.newer else "",
        "newest": f"?{urlencode(filters)}" if page.newer else "",
    }


class Found(NamedTuple):
    """The result of a search: one page of it with its rows, and the sums of all of it."""

    page: records_search.Page
    rows: list[HandRow]
    sums: list[records_search.CurrencySum]


@from_replica
def _found(
    player_id: int | None,
    search: Search,
    edge: Edge,
    currencies: dict[str, Currency],
    without_chips: bool,
) -> Found:
    sums: list[records_search.CurrencySum] = []
    if player_id is None or search.has_further or without_chips:
        hands = records_search.all_hands(search)
        if without_chips:
            hands = hands.exclude(table__currency__kind=Currency.Kind.CHIPS)
        page = records_search.page_of(hands, edge, "pk")
    else:
        page = records_search.page_of_player(player_id, search, edge)
        sums = records_search.sums_of(player_id, search, currencies)
    return Found(page, list(_rows(page.hand_ids, player_id, currencies)), sums)


def _edge(request: HttpRequest) -> Edge:
    before, after = (read_id(request.GET.get(name, "")) for name in ("before", "after"))
    return Edge(after, newer=True) if after is not None else Edge(before)


def _rows(
    hand_ids: list[int], player_id: int | None, currencies: dict[str, Currency]
) -> Iterator[HandRow]:
    """The hands of a page in its order, with the result of the player whose list it is.

    One statement reads all of it, and no more of a hand than the list shows; a second one finds
    what hands for chips belong to.
    """
    seats: dict[int, list[Any]] = defaultdict(list)
    brought = gettext("of %(stack)s")
    rows = HandSeat.objects.filter(hand__in=hand_ids).order_by("hand", "number")
    for seat in rows.values_list(
        "hand_id",
        "hand__number",
        "game",
        "table_id",
        "table__name",
        "currency_id",
        "status",
        "hand__reversed_at",
        "ended_at",
        "player_id",
        "player__username",
        "player__is_bot",
        "net",
        "starting_stack",
        named=True,
    ):
        seats[seat.hand_id].append(seat)
    for_chips = {
        some[0].table_id for some in seats.values() if currencies[some[0].currency_id].is_chips
    }
    belong = _belong_to(for_chips)
    for hand_id in hand_ids:
        some = seats[hand_id]
        first, mine = (
            some[0],
            next((hand_seat for hand_seat in some if hand_seat.player_id == player_id), None),
        )
        currency = currencies[first.currency_id]
        ended = timezone.localtime(first.ended_at)
        others = ", ".join(
            player_title(hand_seat.player__username, hand_seat.player__is_bot)
            for hand_seat in some
            if hand_seat is not mine
        )
        yield HandRow(
            address=reverse("hand", args=[hand_id]),
            code=Hand(table_id=first.table_id, number=first.hand__number).code,
            game=str(game_name(first.game)),
            where=" · ".join(filter(None, (str(table_title(first.table__name)), others))),
            moment=ended.isoformat(timespec="seconds"),
            when=date_format(ended, "SHORT_DATETIME_FORMAT"),
            void=first.status == Hand.Status.VOID,
            reversed=first.hand__reversed_at is not None,
            result=show_signed(mine.net, currency, is_exact=True)
            if mine and mine.net is not None
            else "",
            tone=_tone(mine.net) if mine else "",
            unit=currency.unit,
            brought=brought % {"stack": show_amount(mine.starting_stack, currency)} if mine else "",
            belongs_to=belong.get(first.table_id),
        )


def _tone(net: int | None) -> str:
    return "good" if net and net > 0 else "bad" if net else ""


def _belong_to(table_ids: set[int]) -> dict[int, Link | None]:
    tables = Table.objects.filter(pk__in=table_ids) if table_ids else ()
    return {table.pk: format_of(table).belongs_to() for table in tables}


@require_safe
@login_required
def stay(request: HttpRequest, code: UUID) -> HttpResponse:
    """Every movement of one seat's stack, from the buy-in to the last hand.

    Chips of a tournament are no money, so only auditors read of them here.
    """
    seat = get_object_or_404(Seat.objects.select_related("table__currency", "stack"), code=code)
    mine = seat.player_id == request.user.pk and not seat.table.currency.is_chips
    if not mine and not is_auditor(request.user):
        raise Http404
    page = statement(seat.stack, read_id(request.GET.get("before", "")))
    context = {
        "seat": seat,
        "currency": seat.table.currency,
        "rows": entry_rows(page.entries),
        "older": page.before,
        "paged": "before" in request.GET,
    }
    return render(request, "games/stay.html", context)
