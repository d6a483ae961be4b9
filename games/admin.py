"""Tables for operators; hands, moves, seats and shoes to look at, for those who may.

Nothing here shows a card of a hand that runs. What a finished hand's moves say is for auditors; its
cards are on its own page, which notes who looks.
"""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Model, Q, QuerySet
from django.forms import BooleanField, CharField, Form, ModelForm
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

from games import voiding
from games.books import sharing
from games.history import is_auditor
from games.models import (
    ChainEntry,
    Day,
    DayResult,
    Hand,
    HandSeat,
    Move,
    Seat,
    SharedHand,
    Shoe,
    Table,
)
from games.tables import changed, problems
from games.words.refusals import REFUSALS, sentence_of
from wallets.admin import ReadOnly
from wallets.amounts import show_amount


class TableForm(ModelForm):  # type: ignore[type-arg]
    """A table's settings, refused with a sentence where the game cannot be played so."""

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        if not self.errors:
            for field, sentence in problems(self.instance, told):
                self.add_error(field, sentence)
        return told


@admin.register(Table)
class TableAdmin(ModelAdmin):  # type: ignore[misc]
    form = TableForm
    list_display = ("name", "game", "stakes", "seated", "phase", "status", "hands_dealt")
    list_filter = ("status", "game", "currency", "private")
    search_fields = ("name",)
    list_select_related = ("currency",)
    filter_horizontal = ("jackpots",)
    fieldsets = (
        (None, {"fields": ("name", "game", "currency", "places", "options", "status")}),
        (_("Money"), {"fields": ("buy_in_min", "buy_in_max", "purse_min", "jackpots")}),
        (
            _("Time"),
            {
                "fields": (
                    "decision_seconds",
                    "betting_seconds",
                    "pause_seconds",
                    "grace_seconds",
                    "idle_seconds",
                )
            },
        ),
        (
            _("Company"),
            {
                "fields": (
                    "bots_max",
                    "twins_max",
                    "twin_of",
                    "hints_allowed",
                    "private",
                    "invitation_link",
                    "opened_by",
                )
            },
        ),
    )
    readonly_fields = ("invitation_link", "opened_by", "twin_of")

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> Any:
        """What is played for in which currency is what people have sat down to."""
        return self.readonly_fields if obj is None else (*self.readonly_fields, "game", "currency")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """A table is closed: its hands and its money stay on record."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """The seats of all rows are counted at once."""
        tables: QuerySet[Table] = super().get_queryset(request)
        return tables.annotate(taken=Count("seats", Q(seats__left_at__isnull=True)))

    @admin.display(description=_("buy-in"))
    def stakes(self, table: Table) -> str:
        bounds = (table.buy_in_min, table.buy_in_max)
        shown = "–".join(show_amount(bound, table.currency) for bound in bounds)
        return f"{shown} {table.currency_id}"

    @admin.display(description=_("seats"))
    def seated(self, table: Table) -> str:
        return f"{table.taken}/{table.places}"  # type: ignore[attr-defined]

    @admin.display(description=_("invitation"))
    def invitation_link(self, table: Table) -> str:
        if table.pk is None or not table.private:
            return ""
        return f"{reverse('table', args=[table.pk])}?invitation={table.invitation}"

    def save_model(self, request: HttpRequest, obj: Table, form: Any, change: bool) -> None:
        """Only what was edited: the live part of the row belongs to the clock."""
        if change:
            fields = [name for name in form.changed_data if name != "jackpots"]
            obj.save(update_fields=fields)
            changed(obj.pk, timezone.now())
        else:
            obj.save()


class HandSeatInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = HandSeat
    fields = ("number", "player", "purse", "net", "rake")
    readonly_fields = fields


class TakeBackForm(Form):
    """Why a hand is taken back, and who bears what is not there any more."""

    reason = CharField(
        label=_("Reason"),
        max_length=voiding.REASON_MAX,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Everybody who may see the hand reads it."),
    )
    house_pays = BooleanField(
        label=_("The house pays what is missing"),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=_("Where somebody no longer has what the hand had brought them."),
    )


@admin.register(Hand)
class HandAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("code", "game", "table", "status", "ended_at", "page")
    list_filter = ("status", "game")
    search_fields = ("seats__player__username", "table__name")
    list_select_related = ("table",)
    date_hierarchy = "ended_at"
    show_full_result_count = False
    fields = (
        "code",
        "game",
        "table",
        "status",
        "void_reason",
        "started_at",
        "ended_at",
        "posting",
        "reversed_at",
        "reversal",
        "page",
    )
    inlines = (HandSeatInline,)
    actions_detail = ("take_back",)

    def has_take_back_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """What is taken back already offers no button; sent a second time, it changes nothing."""
        void = Hand.objects.filter(pk=object_id or 0, status=Hand.Status.VOID)
        offered = request.method == "POST" or not void.exists()
        return request.user.has_perm(voiding.PERMISSION) and offered

    @action(  # type: ignore[untyped-decorator]
        description=_("Take this hand back"), url_path="take-back", permissions=["take_back"]
    )
    def take_back(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason, and whether the house pays what is missing; then do it."""
        hand = get_object_or_404(Hand.objects.select_related("table__currency"), pk=object_id)
        form = TakeBackForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            told = form.cleaned_data
            try:
                voiding.void(
                    request.user,
                    hand.pk,
                    told["reason"],
                    timezone.now(),
                    house_pays=told["house_pays"],
                )
            except REFUSALS as refusal:
                form.add_error(None, sentence_of(refusal, hand.table.currency))
            else:
                self.message_user(request, _("The hand has been taken back."))
                return redirect("admin:games_hand_change", hand.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Take this hand back"),
            "hand": hand,
            "seats": hand.seats.select_related("player"),
            "currency": hand.table.currency,
            "form": form,
        }
        return TemplateResponse(request, "admin/games/take_back.html", context)

    @admin.display(description=_("page"))
    def page(self, hand: Hand) -> str:
        if hand.status == Hand.Status.LIVE:
            return ""
        return format_html('<a href="{}">{}</a>', reverse("hand", args=[hand.pk]), hand.code)


@admin.register(Move)
class MoveAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("hand", "number", "seat", "told", "by", "at")
    list_filter = ("by",)
    list_select_related = ("hand",)
    search_fields = ("hand__table__name",)
    show_full_result_count = False
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Moves of finished hands: those of a hand that runs name cards that are hidden."""
        moves: QuerySet[Move] = super().get_queryset(request)
        return moves.exclude(hand__status=Hand.Status.LIVE)

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = self.list_display
        return shown if is_auditor(request.user) else [name for name in shown if name != "told"]

    def get_fields(self, request: HttpRequest, obj: Move | None = None) -> Any:
        return self.get_list_display(request)

    @admin.display(description=_("action"))
    def told(self, move: Move) -> str:
        return str(move.action)


@admin.register(Seat)
class SeatAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("table", "number", "player", "sat_down_at", "left_at", "seen_at")
    list_filter = (("left_at", admin.EmptyFieldListFilter), "table")
    list_select_related = ("table", "player")
    search_fields = ("player__username",)


@admin.register(Shoe)
class ShoeAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("code", "table", "status", "rounds_played", "cards_dealt", "sealed_at")
    list_filter = ("status",)
    list_select_related = ("table",)
    search_fields = ("code",)
    fields = (*list_display, "seal", "lock", "mix", "void_reason", "locked_at")


@admin.register(ChainEntry)
class ChainEntryAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("id", "kind", "made_at", "position", "head")
    list_filter = ("kind",)
    show_full_result_count = False


class SharedHandForm(ModelForm):  # type: ignore[type-arg]
    """Why a link is taken back."""

    class Meta:
        model = SharedHand
        fields = ("revoked_why",)

    def __init__(self, *args: Any, **told: Any) -> None:
        super().__init__(*args, **told)
        if "revoked_why" in self.fields:
            self.fields["revoked_why"].required = True


@admin.register(SharedHand)
class SharedHandAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Links to hands. The one thing to be done here is to take a link back, and to say why."""

    form = SharedHandForm
    list_display = ("hand", "player", "named", "made_at", "revoked_at", "revoked_by", "revoked_why")
    list_display_links = ("hand",)
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("hand", "player", "revoked_by")
    search_fields = ("=token", "=player__username")
    search_help_text = _("The last part of a link, or a player's name, in full.")
    ordering = ("-id",)
    show_full_result_count = False
    told = ("hand", "player", "named", "made_at", "revoked_at", "revoked_by")
    readonly_fields = told
    fieldsets = (
        (None, {"fields": told}),
        (
            _("Take the link back"),
            {
                "fields": ("revoked_why",),
                "description": _(
                    "The player reads your reason. Once saved, the link leads nowhere for good."
                ),
            },
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        leads_somewhere = getattr(obj, "revoked_at", None) is None
        return leads_somewhere and request.user.has_perm("games.revoke_sharedhand")

    def save_model(self, request: HttpRequest, obj: SharedHand, form: Any, change: bool) -> None:
        why = form.cleaned_data["revoked_why"]
        sharing.revoke_for_house(request.user, obj.pk, why, timezone.now())

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        """Taking back is noted where it is done."""


class DayResultInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = DayResult
    fields = ("table", "game", "player", "hands", "net", "rake")
    readonly_fields = fields


@admin.register(Day)
class DayAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("day", "hands", "sums", "agrees")
    fields = ("day", "closed_at", "hands", "reversed", "sums", "differences")
    inlines = (DayResultInline,)

    @admin.display(description=_("agrees with the ledger"), boolean=True)
    def agrees(self, day: Day) -> bool:
        return not day.differences
