"""Hands, moves, seats, shared links and closed days in the back office: read-only lists."""

import logging
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.forms import BooleanField, CharField, ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from games.boards.moves import MoveView, move_in_words
from games.models import ChainEntry, Day, DayResult, Hand, HandSeat, Move, Seat, SharedHand
from games.records import reversals, sharing
from games.records.record import is_auditor, record
from games.records.reversals import verb_for
from games.records.search import by_code
from games.tables.hand_state import game_from
from games.words.refusals import refused_in
from wallets.models import Currency
from wallets.office.journalled_admin import Journalled, submit_form, to_proposal
from wallets.office.lists import ReadOnly, key_in
from wallets.office.staff_pages import RECORDS, Menu
from wallets.office.whole_units import WholeUnits
from wallets.staff.permitted import money
from wallets.typed_form import TypedForm

logger = logging.getLogger(__name__)


class HandSeatInline(WholeUnits, ReadOnly, TabularInline):  # type: ignore[misc]
    model = HandSeat
    amounts: ClassVar = {"starting_stack": 0, "net": 0, "rake": 0}
    fields = ("number", "player", "starting_stack_shown", "net_shown", "rake_shown")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[HandSeat]:
        seats: QuerySet[HandSeat] = super().get_queryset(request)
        return seats.select_related("hand__table__currency", "player")

    def currency_of(self, row: HandSeat) -> Currency:
        return row.hand.table.currency


class TakeBackForm(TypedForm):
    """The reason for reversing a hand, and whether the house pays what is missing."""

    reason = CharField(
        label=_("Reason"),
        max_length=reversals.REASON_MAX,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("All who may see the hand can read this."),
    )
    field_order = ("reason", "house_pays", "typed")
    word = "VOID"
    house_pays = BooleanField(
        label=_("The house pays what is missing"),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=_("Use this if a winner no longer has the money that the hand paid."),
    )


@admin.register(Hand)
class HandAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        place=35,
        about=_("A hand is listed from its deal on, with its table and result."),
    )
    list_display = ("named", "game", "table", "status", "ended_at", "page")
    list_filter = ("status", "game", "profile_version")
    search_fields = ("seats__player__username", "table__name")
    list_select_related = ("table",)
    date_hierarchy = "ended_at"
    show_full_result_count = False
    fields = (
        "named",
        "game",
        "table",
        "profile_version",
        "status",
        "void_code",
        "void_text",
        "void_by",
        "started_at",
        "ended_at",
        "posting",
        "reversed_at",
        "reversal",
        "page",
    )
    inlines = (HandSeatInline,)
    actions_detail = ("take_back",)

    @admin.display(description=_("hand"))
    def named(self, hand: Hand) -> str:
        return hand.code

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Hand], search_term: str
    ) -> tuple[QuerySet[Hand], bool]:
        """A code as in the first column, or the name of a player or table."""
        hands = by_code(queryset, search_term.strip())
        if hands.exists():
            return hands, False
        named: tuple[QuerySet[Hand], bool] = super().get_search_results(
            request, queryset, search_term
        )
        return named

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        """No entry of the records: staff find hands by the one search, "Find a hand"."""
        return {}

    def has_take_back_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """A hand that is already void offers no button; a second submission changes nothing."""
        hand = Hand.objects.filter(pk=key_in(object_id)).first()
        if hand is not None and hand.status == Hand.Status.VOID and request.method != "POST":
            return False
        if hand is not None and hand.status == Hand.Status.FINISHED:
            return request.user.has_perm(reversals.PERMISSION)
        return request.user.has_perm(reversals.PERMISSION_LIVE)

    @action(  # type: ignore[untyped-decorator]
        description=_("Reverse this hand"), url_path="take-back", permissions=["take_back"]
    )
    def take_back(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason, and whether the house pays what is missing; then do it."""
        hands = Hand.objects.select_related("table__currency")
        hand = get_object_or_404(hands, pk=key_in(object_id))
        form = TakeBackForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            values = form.cleaned_data
            with refused_in(form, hand.table.currency):
                submitted = submit_form(
                    request,
                    form,
                    verb_for(hand),
                    {"hand": hand.pk, "house_pays": values["house_pays"]},
                )
                if submitted.proposal:
                    return to_proposal(request, submitted.proposal)
                self.message_user(request, _("The hand has been reversed."))
                return redirect("admin:games_hand_change", hand.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Reverse this hand"),
            "hand": hand,
            "seats": hand.seats.select_related("player"),
            "currency": hand.table.currency,
            "form": form,
        }
        return TemplateResponse(request, "admin/games/take_back.html", context)

    @admin.display(description=_("page"))
    def page(self, hand: Hand) -> str:
        """The hand in the back office, for staff who may reverse or audit it."""
        if hand.status == Hand.Status.LIVE:
            return ""
        return format_html(
            '<a href="{}">{}</a>', reverse("office-hand", args=[hand.code]), hand.code
        )


def _moves_shown(hand: Hand) -> dict[int, str]:
    """The moves of a finished hand by number, as a spectator sees them; none if it is damaged.

    The audit reports what is wrong with a damaged hand; here the other hands must remain readable.
    """
    try:
        moves, game = record(hand, None)["moves"], game_from(hand.game, hand.options)
        shown = [_in_words(move_in_words(game, move, {}, hand.table.currency)) for move in moves]
    except Exception:
        logger.exception("hand %s cannot be played again", hand.pk)
        return {}
    numbers = hand.moves.order_by("number").values_list("number", flat=True)
    return dict(zip(numbers, shown, strict=True))


def _in_words(move: MoveView) -> str:
    """The deed and its cards; one that the reader has not seen is a dash."""
    cards = (" ".join(card or "–" for card in row) for row in move.cards)
    return " · ".join((move.words, *cards))


@admin.register(Move)
class MoveAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS, place=60, about=_("A move is one action of a player or the house in a hand.")
    )
    list_display = ("hand", "number", "seat", "shown", "by", "at")
    list_filter = ("by",)
    # Hands are fetched for all moves together: a join would make one of each for every move.
    list_select_related = ()
    search_fields = ("hand__table__name",)
    show_full_result_count = False
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Moves of finished hands: those of a hand that runs name cards that are hidden."""
        moves: QuerySet[Move] = super().get_queryset(request)
        return moves.exclude(hand__status=Hand.Status.LIVE).prefetch_related(
            "hand__shoe", "hand__table__currency"
        )

    def get_list_display(self, request: HttpRequest) -> object:
        shown = self.list_display
        return shown if is_auditor(request.user) else [name for name in shown if name != "shown"]

    def get_fields(self, request: HttpRequest, obj: Move | None = None) -> object:
        return self.get_list_display(request)

    @admin.display(description=_("action"))
    def shown(self, move: Move) -> str:
        """The action as a spectator may read it; the page of the hand opens all cards.

        The moves of one list share their hands, so that each is replayed once.
        """
        hand: Any = move.hand
        if not hasattr(hand, "moves_shown"):
            hand.moves_shown = _moves_shown(hand)
        shown: str = hand.moves_shown.get(move.number, _("This hand cannot be played again."))
        return shown


@admin.register(Seat)
class SeatAdmin(WholeUnits, ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        "chair",
        50,
        about=_("A seat is one stay of a player at a table, from buy-in to cash-out."),
    )
    amounts: ClassVar = {"top_up": 0, "reserved_buy_in": 0}
    list_display = ("table", "number", "player", "sat_down_at", "left_at", "seen_at")
    list_filter = (("left_at", admin.EmptyFieldListFilter), "table")
    list_select_related = ("table", "player")
    search_fields = ("player__username",)

    def currency_of(self, row: Seat) -> Currency:
        return row.table.currency


@admin.register(ChainEntry)
class ChainEntryAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        "link",
        90,
        about=_("An entry of the public chain is made when a hand has ended."),
    )
    list_display = ("id", "kind", "made_at", "position", "head")
    list_filter = ("kind",)
    show_full_result_count = False


class SharedHandForm(ModelForm):  # type: ignore[type-arg]
    """The reason for revoking a link."""

    class Meta:
        model = SharedHand
        fields = ("revoked_why",)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "revoked_why" in self.fields:
            self.fields["revoked_why"].required = True


@admin.register(SharedHand)
class SharedHandAdmin(Journalled, ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Links to hands. Staff can only revoke a link here, with a reason."""

    menu = Menu(
        RECORDS,
        "share",
        100,
        about=_("A link is listed when a player shares a hand with people who have not signed in."),
    )
    form = SharedHandForm
    reason_name, writes = "revoked_why", ()
    list_display = ("hand", "player", "named", "made_at", "revoked_at", "revoked_by", "revoked_why")
    list_display_links = ("hand",)
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("hand", "player", "revoked_by")
    search_fields = ("=player__username",)
    search_help_text = _(
        "A hand's code, as the page of the link shows it, or a player's name, in full."
    )
    ordering = ("-id",)
    show_full_result_count = False
    link_fields = ("hand", "player", "named", "made_at", "revoked_at", "revoked_by")
    readonly_fields = link_fields
    fieldsets = (
        (None, {"fields": link_fields}),
        (
            _("Revoke the link"),
            {
                "fields": ("revoked_why",),
                "description": _(
                    "The player sees your reason. Saving disables the link permanently."
                ),
            },
        ),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[SharedHand], search_term: str
    ) -> tuple[QuerySet[SharedHand], bool]:
        """A hand's code as in the first column, or a name; never a link, which no list shows."""
        matches, may_repeat = super().get_search_results(request, queryset, search_term)
        coded = queryset.filter(hand__in=by_code(Hand.objects.all(), search_term))
        return (matches | coded if search_term else matches), may_repeat

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        leads_somewhere = getattr(obj, "revoked_at", None) is None
        return leads_somewhere and request.user.has_perm(sharing.REVOKE)

    def save_model(self, request: HttpRequest, obj: SharedHand, form: Any, change: bool) -> None:
        why = form.cleaned_data["revoked_why"]
        sharing.revoke_for_house(request.user, obj.pk, why, timezone.now())

    def note(self, request: HttpRequest, what: str, obj: Model, message: object) -> None:
        """Taking back is noted where it is done."""


class DayResultInline(WholeUnits, ReadOnly, TabularInline):  # type: ignore[misc]
    model = DayResult
    amounts: ClassVar = {"net": 0, "rake": 0}
    fields = ("table", "game", "player", "hands", "net_shown", "rake_shown")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[DayResult]:
        results: QuerySet[DayResult] = super().get_queryset(request)
        # Results in chips of tournaments are kept for searches, and are no money.
        money = results.exclude(currency__kind=Currency.Kind.CHIPS)
        return money.select_related("currency", "table", "player")


@admin.register(Day)
class DayAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(RECORDS, "today", 70, about=_("A day is listed once it is closed, with its sums."))
    list_display = ("day", "hands", "sums_shown", "agrees")
    fields = ("day", "closed_at", "hands", "reversed", "sums_shown", "differences")
    inlines = (DayResultInline,)

    @admin.display(description=_("agrees with the ledger"), boolean=True)
    def agrees(self, day: Day) -> bool:
        return not day.differences

    @admin.display(description=_("sums by currency"))
    def sums_shown(self, day: Day) -> str:
        """Return what the house took, and what its banks won or lost."""
        currencies = Currency.objects.in_bulk(list(day.sums))
        words = {"rake": _("rake"), "bank": _("bank")}
        return "; ".join(
            f"{words[name]} {money(amount, currencies[code])}"
            for code, of_currency in day.sums.items()
            for name, amount in of_currency.items()
        )
