"""Players in the back office: find, view and freeze, with a few figures of each.

Each figure is one statement for the whole page; the sums of closed days make the net result.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, cast

from django.contrib import admin
from django.db.models import Max, Model, Q, QuerySet, Sum
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import action, display
from unfold.views import ChangeList

from casino.accounts import freezing
from casino.accounts.code_pages import places_of
from casino.accounts.models import AccessToken, Device, Player
from casino.care import own_data
from casino.care.models import ErasureRequest
from casino.office.players.models import Flag
from casino.office.players.permissions import SEE as SEE_FILE
from casino.office.players.permissions import SEE_HANDS, SEE_WALLETS
from games.models import DayResult, Hand, HandSeat
from games.records import day_index
from games.words.refusals import refused_in
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import Journalled, ReasonForm, submit_form, to_proposal
from wallets.office.lists import ColumnFilter, OfferedLookups, key_in
from wallets.office.staff_pages import PEOPLE, Menu
from wallets.typed_form import FinalForm
from wallets.values.amounts import show_amount, show_signed
from wallets.values.days import day_of, house_time, start_of

DAYS: Final = 30


class ListFigures:
    """The figures of the players on one page of the list."""

    def __init__(self, players: Collection[Player], now: datetime) -> None:
        self._players, self._now = players, now
        self._numbers = [player.pk for player in players]
        self._currencies = Currency.objects.in_bulk()

    def balances(self) -> dict[int, str]:
        """Wallets with money in them; tournament chips are in none."""
        owners = {player_reference(number): number for number in self._numbers}
        held = Account.objects.filter(kind=Account.Kind.PLAYER, owner__in=owners, balance__gt=0)
        rows = held.values_list("owner", "currency_id", "balance")
        return self._in_words(
            (owners[owner], code, show_amount(amount, self._currencies[code], is_exact=True))
            for owner, code, amount in rows.order_by("currency_id")
        )

    def last_seen(self) -> dict[int, datetime]:
        """The last request of a browser or a program, else the last sign-in."""
        times = {player.pk: player.last_login for player in self._players if player.last_login}
        model: Any
        for model in (Device, AccessToken):
            seen = model.objects.filter(player__in=self._numbers).order_by().values("player")
            for number, at in seen.annotate(at=Max("seen_at")).values_list("player", "at"):
                if at is not None and (number not in times or times[number] < at):
                    times[number] = at
        return times

    def net(self) -> dict[int, str]:
        """What the hands of the last days brought, after rake."""
        since = day_of(self._now) - timedelta(days=DAYS)
        opened = day_index.open_since()
        sums: dict[tuple[int, str], int] = defaultdict(int)
        closed = DayResult.objects.filter(player__in=self._numbers, on__gte=since).order_by()
        hands = HandSeat.objects.filter(
            player__in=self._numbers,
            status=Hand.Status.FINISHED,
            ended_at__gte=start_of(max(since, opened or since)),
        ).order_by()
        for rows, net in ((closed, day_index.NET[""]), (hands, "net")):
            by_player = rows.values("player", "currency").annotate(sum=Sum(net))
            for number, code, amount in by_player.values_list("player", "currency", "sum"):
                sums[number, code] += amount or 0
        return self._in_words(
            (number, code, show_signed(amount, self._currencies[code], is_exact=True))
            for (number, code), amount in sorted(sums.items())
            if amount and not self._currencies[code].is_chips
        )

    def flags(self) -> dict[int, str]:
        """The flags that are up, in words."""
        labels: dict[int, list[str]] = defaultdict(list)
        for flag in Flag.objects.filter(player__in=self._numbers, lowered_at=None).order_by("pk"):
            labels[flag.player_id].append(flag.get_kind_display())
        return {number: ", ".join(words) for number, words in labels.items()}

    def _in_words(self, amounts: Iterable[tuple[int, str, str]]) -> dict[int, str]:
        texts: dict[int, list[str]] = defaultdict(list)
        for number, code, amount in amounts:
            texts[number].append(f"{amount} {self._currencies[code].unit}")
        return {number: " · ".join(words) for number, words in texts.items()}


class WhoFilter(ColumnFilter):
    """People alone, unless the reader asks for others or searches for a name."""

    title = _("who")
    parameter_name = "who"
    column = "is_bot"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [
            ("guests", _("Guests")),
            ("staff", _("Staff")),
            ("bots", _("Bots")),
            ("all", pgettext_lazy("people", "All")),
        ]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The choice without a value is that of people."""
        first, *others = super().choices(changelist)
        yield first | {"display": _("Players")}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        staff = Q(is_staff=True) | Q(is_superuser=True)
        chosen = self.value() or ("all" if request.GET.get("q") else "")
        wanted = {
            "": Q(is_bot=False) & ~staff,
            "guests": Q(is_guest=True),
            "staff": staff,
            "bots": Q(is_bot=True),
        }
        return queryset.filter(wanted[chosen]) if chosen in wanted else queryset


class PlayerList(ChangeList):  # type: ignore[misc]
    """One page of the list, with the figures of its players."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        figures = ListFigures(list(self.result_list), timezone.now())
        columns = {name: getattr(figures, name)() for name in figures_for(request)}
        for player in self.result_list:
            player.listed = {name: column.get(player.pk) for name, column in columns.items()}


# The columns with figures, and who may see each.
FIGURES: Final = {
    "balances": (_("balance"), SEE_WALLETS),
    "last_seen": (_("last seen"), SEE_FILE),
    "net": (_("net of 30 days"), SEE_HANDS),
    "flags": (_("flags"), SEE_FILE),
}


def figures_for(request: HttpRequest) -> list[str]:
    return [name for name, (_words, right) in FIGURES.items() if request.user.has_perm(right)]


def _figure(name: str) -> Callable[[Any], object]:
    """A column of the list: a figure of its players."""

    @admin.display(description=FIGURES[name][0], empty_value="–")
    def shown(player: Any) -> object:
        return player.listed[name]

    shown.__name__ = name
    return shown


@admin.register(Player)
class PlayerAdmin(Journalled, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        PEOPLE,
        "person",
        10,
        about=_("A player is listed from sign-up on; guests and bots are, too."),
    )
    # The form only shows; what operators may do has its own buttons.
    writes = ()
    actions_detail = ("freeze", "unfreeze", "end_sessions", "forget_codes", "erase")
    list_display = ("username", "kind", "is_active")
    list_display_links = None
    list_filter = (WhoFilter, "is_active", "groups")
    show_full_result_count = False
    search_fields = ("username", "username_key")
    ordering = ("username_key",)
    fields = (
        "username",
        "file",
        "kind_in_words",
        "is_active",
        "groups",
        "language",
        "date_joined",
        "last_login",
    )
    readonly_fields = fields

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, **options: object
    ) -> "type[ModelForm[Any]]":
        """Django's help texts below these fields are about typing, and these are read-only."""
        silent = {"is_active": "", "groups": ""}
        return super().get_form(request, obj, help_texts=silent, **options)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).prefetch_related("groups")  # type: ignore[no-any-return]

    def get_list_display(self, request: HttpRequest) -> Sequence[Any]:
        """A name leads to the player's file; for readers who may not open it, to this form."""
        sees = request.user.has_perm(SEE_FILE)

        @admin.display(description=_("name"), ordering="username_key")
        def name(player: Player) -> str:
            page = "player-file" if sees else "admin:players_player_change"
            address = reverse(page, args=[player.pk])
            return format_html('<a class="underline" href="{}">{}</a>', address, player.username)

        return (name, *map(_figure, figures_for(request)), *self.list_display[1:])

    def get_changelist(self, request: HttpRequest, **_options: object) -> type[ChangeList]:
        return PlayerList

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> object:
        return self._as_seen_by(request, super().get_fields(request, obj))

    def _as_seen_by(self, request: HttpRequest, names: Iterable[str]) -> list[str]:
        """Show the link to a player's file only to readers who may open it."""
        sees = request.user.has_perm(SEE_FILE)
        return [name for name in names if sees or name != "file"]

    @admin.display(description=_("file"))
    def file(self, player: Player) -> str:
        """The page with all that the house knows of this player."""
        address = reverse("player-file", args=[player.pk])
        return format_html('<a class="underline" href="{}">P-{}</a>', address, player.pk)

    @display(  # type: ignore[untyped-decorator]
        description=_("kind"),
        label={
            "bot": "info",
            "guest": "info",
            "staff": "warning",
            "superuser": "danger",
            "player": "success",
        },
    )
    def kind(self, player: Player) -> tuple[str, str]:
        """Show the kind as a coloured label."""
        if player.is_bot:
            return "bot", str(_("Bot"))
        if player.is_guest:
            return "guest", str(_("Guest"))
        if player.is_superuser:
            return "superuser", str(_("Superuser"))
        if player.is_staff:
            return "staff", ", ".join(group.name for group in player.groups.all())
        return "player", str(_("Player"))

    @admin.display(description=_("kind"))
    def kind_in_words(self, player: Player) -> str:
        return str(self.kind(player)[1])

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False

    def has_freeze_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self._is_offered(request, object_id, active=True)

    def has_unfreeze_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self._is_offered(request, object_id, active=False)

    def _is_offered(self, request: HttpRequest, object_id: str | None, *, active: bool) -> bool:
        """Show each button only if it does something; the verbs check who may press it."""
        row = Player.objects.filter(pk=key_in(object_id), is_active=active, is_bot=False)
        there = request.method == "POST" or row.exists()
        return there and request.user.has_perm(freezing.PERMISSION)

    @action(description=_("Freeze this player"), url_path="freeze", permissions=["freeze"])  # type: ignore[untyped-decorator]
    def freeze(self, request: HttpRequest, object_id: str) -> HttpResponse:
        form = ReasonForm(request.POST or None)
        player = get_object_or_404(Player, pk=key_in(object_id))
        if request.method == "POST" and form.is_valid():
            with refused_in(form):
                freezing.freeze(request.user, player.pk, form.cleaned_data["reason"])
                self.message_user(request, _("The player is frozen."))
                return self._back(request, player)
        return self._ask_why(request, player, form, _("Freeze this player"))

    @action(description=_("Unfreeze this player"), url_path="unfreeze", permissions=["unfreeze"])  # type: ignore[untyped-decorator]
    def unfreeze(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._propose(request, object_id, freezing.UNFREEZE, _("Unfreeze this player"))

    def has_erase_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """The button is shown for a player who has asked for it; the verb checks the right."""
        row = ErasureRequest.objects.filter(player=key_in(object_id), done_at=None)
        there = request.method == "POST" or row.exists()
        return there and request.user.has_perm(freezing.PERMISSION)

    @action(description=_("Erase personal data"), url_path="erase", permissions=["erase"])  # type: ignore[untyped-decorator]
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._propose(
            request, object_id, own_data.ERASE, _("Erase personal data"), FinalForm
        )

    def _propose(
        self,
        request: HttpRequest,
        object_id: str,
        verb: str,
        title: str | Promise,
        kind: type[ReasonForm] = ReasonForm,
    ) -> HttpResponse:
        """Ask for the reason; a second person then decides."""
        form = kind(request.POST or None)
        player = get_object_or_404(Player, pk=key_in(object_id))
        if request.method == "POST" and form.is_valid():
            with refused_in(form):
                submitted = submit_form(request, form, verb, {"player": player.pk})
                return to_proposal(request, cast(Proposal, submitted.proposal))
        return self._ask_why(request, player, form, title)

    def has_end_sessions_permission(
        self, request: HttpRequest, object_id: str | None = None
    ) -> bool:
        return request.user.has_perm(freezing.MAY_END)

    def has_forget_codes_permission(
        self, request: HttpRequest, object_id: str | None = None
    ) -> bool:
        """The button is shown for a player who has codes; the verb checks who may press it."""
        there = request.method == "POST" or freezing.has_codes_or_passkeys(key_in(object_id))
        return there and request.user.has_perm(freezing.MAY_FORGET)

    @action(  # type: ignore[untyped-decorator]
        description=_("End all sessions"), url_path="end-sessions", permissions=["end_sessions"]
    )
    def end_sessions(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = get_object_or_404(Player, pk=key_in(object_id))
        words = [
            f"{place.words} · {place.address} · {house_time(place.since)}"
            for place in places_of(player)
        ]
        return self._with_reason(
            request, player, freezing.end_sessions, _("End all sessions"), words
        )

    @action(  # type: ignore[untyped-decorator]
        description=_("Reset codes"), url_path="forget-codes", permissions=["forget_codes"]
    )
    def forget_codes(self, request: HttpRequest, object_id: str) -> HttpResponse:
        player = get_object_or_404(Player, pk=key_in(object_id))
        consequence = _("All sessions end, and new codes are set up at the next sign-in.")
        return self._with_reason(
            request, player, freezing.forget_codes, _("Reset codes"), [consequence]
        )

    def _with_reason(
        self,
        request: HttpRequest,
        player: Player,
        verb: Callable[[Any, int, str], object],
        title: Any,
        lines: list[Any],
    ) -> HttpResponse:
        """Ask for the reason, and say what follows; then do it."""
        form = ReasonForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            with refused_in(form):
                verb(request.user, player.pk, form.cleaned_data["reason"])
                self.message_user(request, _("Done: {what}.").format(what=title))
                return self._back(request, player)
        return self._ask_why(request, player, form, title, lines)

    def _back(self, request: HttpRequest, player: Player) -> HttpResponse:
        """Return to the player's file, or to this form for readers who may not open it."""
        if request.user.has_perm(SEE_FILE):
            return redirect("player-file", player.pk)
        return redirect("admin:players_player_change", player.pk)

    def _ask_why(
        self,
        request: HttpRequest,
        player: Player,
        form: ReasonForm,
        title: str | Promise,
        lines: Iterable[object] = (),
    ) -> HttpResponse:
        context = {
            "lines": lines,
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "words": player.username,
            "form": form,
            "submit": title,
        }
        return TemplateResponse(request, "admin/reasoned_page.html", context)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """A player's hands and money are never deleted, so neither is the player."""
        return False
