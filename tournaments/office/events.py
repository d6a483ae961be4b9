"""Events in the back office: the list, the control room of one, and what staff do there."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.forms import CharField, ChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from games.words.naming import game_name, player_title
from tournaments.event.organiser import structure_of
from tournaments.mathematics.structure import GAMES
from tournaments.models import Entry, Tournament
from tournaments.office.control_room import Consequence, Wanted, control_room, refunds
from tournaments.office.verb_forms import Do, Done, carry_out, proposing, room_of
from tournaments.overview.words import KINDS, entry_in_words, kind_name
from tournaments.running import control, staff_verbs
from wallets.office.journalled_admin import ReasonForm
from wallets.office.lists import ColumnFilter, ReadOnly, key_in
from wallets.office.staff_pages import TOURNAMENTS, Menu
from wallets.typed_form import TypedForm
from wallets.values.amounts import show_amount
from wallets.values.days import house_time

NOTICE_MAX = 200

Verb = Callable[[Any, int, str, Any], object]
Page = Callable[..., HttpResponse]
# Verbs that only need a reason: the verb, its title, what its page says, and its button.
BY_REASON: Final[dict[str, tuple[Verb, Promise, Promise, Promise]]] = {
    "pause": (
        control.pause,
        _("Pause"),
        _("Live hands finish; then the clock stops and no new hand starts."),
        _("Pause the event"),
    ),
    "resume": (
        control.resume,
        _("Resume"),
        _("The clock continues with the time left in the level, and the tables deal again."),
        _("Resume the event"),
    ),
    "close": (
        control.close_registration,
        _("Close late registration"),
        _("Closes registration. The current entries fix the prizes."),
        _("Close late registration"),
    ),
}


class MessageForm(ReasonForm):
    field_order = ("notice", "reason")
    notice = CharField(
        label=_("Message"),
        max_length=NOTICE_MAX,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("All players see it until you send an empty one."),
    )


class DisqualifyForm(TypedForm):
    field_order = ("player", "reason", "typed")
    word = "DISQUALIFY"
    player = ChoiceField(label=_("Player"), widget=UnfoldAdminSelectWidget)

    def choose_among(self, tournament: Tournament, chosen: str) -> None:
        entries = tournament.all_entries.filter(
            state__in=(Entry.State.PLAYING, Entry.State.WAITING)
        ).select_related("player")
        self.fields["player"].choices = [  # type: ignore[attr-defined]
            (str(entry.player_id), player_title(entry.player.username, entry.player.is_bot))
            for entry in entries
        ]
        self.fields["player"].initial = chosen


class CancelForm(TypedForm):
    """The reason, and the word: a cancelled event does not come back."""

    word = "CANCEL"


class Question(NamedTuple):
    """The question before a verb: it says what will change, and asks for the reason."""

    title: Any
    says: str | Promise
    form: ReasonForm
    # The words of its button, which say what it does.
    submit: str | Promise
    # The counted effects.
    lines: Sequence[Consequence] = ()


class KindFilter(ColumnFilter):
    """Kinds of events, by their names."""

    title = _("kind")
    parameter_name = column = "kind"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return KINDS


class GameFilter(ColumnFilter):
    """Games that tournaments are played at, by their names."""

    title = _("game")
    parameter_name = column = "game"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [(key, game_name(key)) for key in GAMES]


def _words(field: str) -> Any:
    column: Any = Tournament._meta.get_field(field)
    return column.verbose_name


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """The list of events; each opens its control room."""

    menu = Menu(TOURNAMENTS, "trophy", 10, about=_("A tournament is listed once it is announced."))
    list_display = (
        *("title", "kind_shown", "game_shown", "entry", "state", "starts", "players", "pool"),
    )
    list_filter = ("state", KindFilter, GameFilter)
    list_select_related = ("currency",)
    search_fields = ("name",)
    date_hierarchy = "announced_at"
    show_full_result_count = False
    # The control room shows an event; what the list itself would show is this.
    fields = ("name", "kind", "game", "state")
    addresses_of_its_own = tuple(
        f"tournament-{name}" for name in (*BY_REASON, "message", "disqualify", "cancel")
    )

    def get_urls(self) -> list[object]:
        site = self.admin_site
        pages: dict[str, Page] = {
            **{name: self._by_reason(*words) for name, words in BY_REASON.items()},
            "message": self.message,
            "disqualify": self.disqualify,
            "cancel": self.cancel,
        }
        own = [
            path(f"<int:number>/{name}/", site.admin_view(page), name=f"tournament-{name}")
            for name, page in pages.items()
        ]
        urls: list[object] = super().get_urls()
        return [*own, *urls]

    @admin.display(description=_words("name"), ordering="name")
    def title(self, tournament: Tournament) -> str:
        return tournament.title

    @admin.display(description=_words("kind"), ordering="kind")
    def kind_shown(self, tournament: Tournament) -> str:
        return kind_name(tournament.kind)

    @admin.display(description=_words("game"), ordering="game")
    def game_shown(self, tournament: Tournament) -> str:
        return str(game_name(tournament.game))

    @admin.display(description=_("entry fee"))
    def entry(self, tournament: Tournament) -> str:
        return entry_in_words(structure_of(tournament), tournament.currency)

    @admin.display(description=_words("starts_at"), ordering="starts_at")
    def starts(self, tournament: Tournament) -> str:
        return house_time(tournament.starts_at) if tournament.starts_at else str(_("when full"))

    @admin.display(description=_("players"))
    def players(self, tournament: Tournament) -> str:
        if tournament.state in (Tournament.State.RUNNING, Tournament.State.SEATING):
            return f"{tournament.players_left}/{tournament.entrants}"
        return str(tournament.entrants)

    @admin.display(description=_("stakes"))
    def pool(self, tournament: Tournament) -> str:
        shown = show_amount(tournament.stakes, tournament.currency, is_exact=True)
        return f"{shown} {tournament.currency_id}"

    def has_add_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return request.user.has_perm(control.PERMISSION)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """An event is announced by a template, so making one begins there."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return redirect("admin:tournaments_template_add")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """The control room; `part` asks for what changes in it."""
        tournament = self._event(request, key_in(object_id) or 0)
        may_run = request.user.has_perm(control.PERMISSION)
        context = {
            **self.admin_site.each_context(request),
            **control_room(request.user, tournament, Wanted.read(request.GET)),
            "opts": self.opts,
            "title": str(tournament),
            "may_run": may_run,
            "may_disqualify": may_run and tournament.state == Tournament.State.RUNNING,
        }
        part = "part" in request.GET
        name = "control_part.html" if part else "control_room.html"
        return TemplateResponse(request, f"admin/tournaments/{name}", context)

    def _event(self, request: HttpRequest, number: int) -> Tournament:
        if not self.has_view_permission(request):
            raise PermissionDenied
        events = Tournament.objects.select_related("currency", "shoe", "template")
        return get_object_or_404(events, pk=number)

    # Each verb asks for a reason on its own page, which states the effects.

    def _by_reason(self, verb: Verb, title: Promise, says: Promise, submit: Promise) -> Page:
        def page(request: HttpRequest, number: int) -> HttpResponse:
            def do(values: dict[str, Any], now: Any) -> object:
                return verb(request.user, number, values["reason"], now)

            form = ReasonForm(request.POST or None)
            return self._ask(request, number, do, Question(title, says, form, submit))

        return page

    def message(self, request: HttpRequest, number: int) -> HttpResponse:
        def do(values: dict[str, Any], now: Any) -> object:
            return control.tell(request.user, number, values["notice"], values["reason"], now)

        says = _("Shown on the tournament's page and above each of its tables.")
        form = MessageForm(request.POST or None)
        question = Question(_("Message to players"), says, form, _("Send the message"))
        return self._ask(request, number, do, question)

    def disqualify(self, request: HttpRequest, number: int) -> HttpResponse:
        def do(values: dict[str, Any], now: Any) -> object:
            player = int(values["player"])
            return control.disqualify(request.user, number, player, values["reason"], now)

        says = _(
            "The player's hand is played to its end. Then the chips are burnt, the player has the "
            "last place and no prize, and the entry is not returned. This cannot be undone."
        )
        form = DisqualifyForm(request.POST or None)
        form.choose_among(self._event(request, number), request.GET.get("player", ""))
        question = Question(_("Disqualify"), says, form, _("Disqualify the player"))
        return self._ask(request, number, do, question)

    def cancel(self, request: HttpRequest, number: int) -> HttpResponse:
        """Cancel the event; the page shows beforehand what is refunded."""
        do = proposing(request, staff_verbs.CANCEL, {"tournament": number})
        says = _("Cancels the tournament and refunds every entry. This cannot be undone.")
        tournament = self._event(request, number)
        submit = ngettext(
            "Cancel the event and refund {count} entry",
            "Cancel the event and refund {count} entries",
            tournament.entries,
        ).format(count=tournament.entries)
        if not tournament.entries:
            submit = gettext("Cancel the event")
        form = CancelForm(request.POST or None)
        question = Question(_("Cancel"), says, form, submit, refunds(tournament))
        return self._ask(request, number, do, question)

    def _ask(self, request: HttpRequest, number: int, do: Do, question: Question) -> HttpResponse:
        """A form that asks why, and the verb that it carries out."""
        tournament = self._event(request, number)
        if not request.user.has_perm(control.PERMISSION):
            raise PermissionDenied
        room = room_of(number)
        done = Done(_("Done, and written into the journal."), room)
        answer = carry_out(request, question.form, do, done, tournament.currency)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{question.title}: {tournament}",
            "words": question.says,
            "lines": question.lines,
            "form": question.form,
            "submit": question.submit,
            "room": room,
        }
        return answer or TemplateResponse(request, "admin/tournaments/ask.html", context)
