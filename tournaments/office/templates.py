"""Templates in the back office: their list, the page of a version, and what is done with it."""

from typing import Any, Final

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from msgspec import convert
from unfold.admin import ModelAdmin

from games.words.naming import game_name
from tournaments.mathematics.structure import Structure, write
from tournaments.models import Template
from tournaments.office import rehearsals
from tournaments.office.editor.edits import follow_game
from tournaments.office.editor.event_form import EventForm
from tournaments.office.editor.from_structure import filled
from tournaments.office.editor.outlook import as_players_see_it, level_starts, outlook
from tournaments.office.editor.pages import add_page
from tournaments.office.schedule_form import StartForm, is_part, plan_page
from tournaments.office.verb_forms import Done, carry_out, proposing, room_of
from tournaments.overview.words import entry_in_words, kind_name, lasts_in_words, stakes_in_short
from tournaments.running import control, staff_verbs
from wallets.models import Currency
from wallets.office.journalled_admin import ReasonForm
from wallets.office.lists import ReadOnly, key_in
from wallets.office.staff_pages import TOURNAMENTS, Menu

ADD: Final = "admin:tournaments_template_add"


@admin.register(Template)
class TemplateAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Templates are stored as versions: one that an event was announced by never changes."""

    menu = Menu(
        TOURNAMENTS,
        "description",
        30,
        about=_("A template holds the levels and prizes with which tournaments are announced."),
    )
    list_display = ("name", "version", "kind", "game", "entry", "events", "retired_at")
    list_filter = (("retired_at", admin.EmptyFieldListFilter),)
    list_select_related = ("currency",)
    search_fields = ("name",)
    addresses_of_its_own = (
        *("template-announce", "template-retire", "template-file", "template-shown"),
        *("template-look", "template-rehearse", "template-try", "rehearsal"),
    )

    def get_urls(self) -> list[object]:
        wrap = self.admin_site.admin_view
        urls: list[object] = super().get_urls()
        return [
            path("<int:number>/announce/", wrap(self.announce), name="template-announce"),
            path("<int:number>/retire/", wrap(self.retire), name="template-retire"),
            path("<int:number>/file/", wrap(self.file), name="template-file"),
            path("<int:number>/as-players-see-it/", wrap(self.shown), name="template-shown"),
            path("as-players-see-it/", wrap(self.look), name="template-look"),
            path("<int:number>/rehearse/", wrap(self.rehearse), name="template-rehearse"),
            path("rehearse/", wrap(self.rehearse_draft), name="template-try"),
            path("rehearsals/<int:number>/", wrap(self.rehearsal), name="rehearsal"),
            *urls,
        ]

    def has_add_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return request.user.has_perm(control.PERMISSION)

    @admin.display(description=_("kind"))
    def kind(self, template: Template) -> str:
        return kind_name(template.structure["kind"])

    @admin.display(description=_("game"))
    def game(self, template: Template) -> str:
        return str(game_name(template.structure["game"]))

    @admin.display(description=_("entry fee"))
    def entry(self, template: Template) -> str:
        return entry_in_words(convert(template.structure, Structure), template.currency)

    @admin.display(description=_("events"))
    def events(self, template: Template) -> int:
        return template.tournaments.count()

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """Make an event; it is stored as the next version of its name."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return add_page(request, {**self.admin_site.each_context(request), "opts": self.opts})

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: object = None,
    ) -> HttpResponse:
        """Show a version: its structure, a preview, and the verbs for it."""
        template = self._template(request, key_in(object_id) or 0)
        structure = convert(template.structure, Structure)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": str(template),
            "template_shown": template,
            "versions": Template.objects.filter(name=template.name).order_by("-version"),
            "may_run": request.user.has_perm(control.PERMISSION),
            "players": rehearsals.players_usual(structure),
            **described(structure, template.currency),
        }
        return TemplateResponse(request, "admin/tournaments/template.html", context)

    def file(self, request: HttpRequest, number: int) -> HttpResponse:
        """The structure file of a version, to be kept or imported elsewhere."""
        template = self._template(request, number)
        text = write(convert(template.structure, Structure))
        name = f"{slugify(template.name) or 'event'}-{template.version}.json"
        return HttpResponse(
            text,
            content_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    def shown(self, request: HttpRequest, number: int) -> HttpResponse:
        """A version as players will see its events."""
        template = self._template(request, number)
        structure = convert(template.structure, Structure)
        return _as_players(request, structure, template.currency)

    def look(self, request: HttpRequest) -> HttpResponse:
        """The form that is being filled in, as players will see its events."""
        form = self._draft(request)
        if form.structure is None or form.money is None:
            return redirect(ADD)
        return _as_players(request, form.structure, form.money)

    def rehearse(self, request: HttpRequest, number: int) -> HttpResponse:
        """Have bots play a version."""
        template = self._to_run(request, number)
        back = reverse("admin:tournaments_template_change", args=[number])
        if request.method != "POST":
            return redirect(back)
        return rehearsals.start(request, convert(template.structure, Structure), back)

    def rehearse_draft(self, request: HttpRequest) -> HttpResponse:
        """Have bots play the form that is being filled in."""
        form = self._draft(request)
        if form.structure is None:
            messages.error(request, _("Correct what is marked in the form, then rehearse it."))
            return redirect(ADD)
        return rehearsals.start(request, form.structure, reverse(ADD))

    def rehearsal(self, request: HttpRequest, number: int) -> HttpResponse:
        """How far a rehearsal is, or its result."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {**self.admin_site.each_context(request), "opts": self.opts}
        return rehearsals.page(request, number, context)

    def _draft(self, request: HttpRequest) -> EventForm:
        """The form that is being filled in, without what only storing needs."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        data = filled(request.POST.copy())
        follow_game(data)
        form = EventForm(data)
        form.is_valid()
        return form

    def announce(self, request: HttpRequest, number: int) -> HttpResponse:
        template = self._to_run(request, number)
        form = StartForm(request.POST if request.method == "POST" else None, template)
        form.initial["reason"] = staff_verbs.reason_of(request.user, template)
        answer = None
        if not is_part(request):
            arguments = form.arguments() if form.is_valid() else {}
            do = proposing(request, staff_verbs.ANNOUNCE, arguments)
            done = Done(_("Announced."), lambda event: room_of(event.pk))
            answer = carry_out(request, form, do, done, template.currency)
        says = _("Its guarantee is set aside and its shoe sealed; then players can enter.")
        context = self._asking(request, _("Announce"), template, says, _("Announce the event"))
        return answer or plan_page(request, form, context)

    def retire(self, request: HttpRequest, number: int) -> HttpResponse:
        template = self._to_run(request, number)
        form = ReasonForm(request.POST or None)

        def do(values: dict[str, Any], now: Any) -> object:
            return staff_verbs.retire(request.user, number, values["reason"], now)

        done = Done(_("Retired."), reverse("admin:tournaments_template_changelist"))
        answer = carry_out(request, form, do, done)
        says = _(
            "The template announces no further events. Events that are already announced continue."
        )
        asking = self._asking(request, _("Retire"), template, says, _("Retire the template"))
        context = {**asking, "form": form}
        return answer or TemplateResponse(request, "admin/tournaments/ask.html", context)

    def _asking(
        self,
        request: HttpRequest,
        title: str | Promise,
        template: Template,
        says: str | Promise,
        submit: str | Promise,
    ) -> dict[str, object]:
        """The context of a page that asks why before something is done with a version."""
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{title}: {template}",
            "words": says,
            "submit": submit,
            "room": reverse("admin:tournaments_template_change", args=[template.pk]),
        }

    def _template(self, request: HttpRequest, number: int) -> Template:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return get_object_or_404(Template.objects.select_related("currency"), pk=number)

    def _to_run(self, request: HttpRequest, number: int) -> Template:
        if not request.user.has_perm(control.PERMISSION):
            raise PermissionDenied
        return self._template(request, number)


def _as_players(request: HttpRequest, structure: Structure, currency: Currency) -> HttpResponse:
    context = as_players_see_it(request.user, structure, currency, timezone.now())
    return TemplateResponse(request, "admin/tournaments/editor/as_players.html", context)


def described(structure: Structure, currency: Currency) -> dict[str, object]:
    """A structure for its reader: what it costs, its levels, and what it leads to."""
    last = len(structure.levels)
    pauses = {pause.after_level: pause.seconds for pause in structure.breaks}
    levels = enumerate(zip(structure.levels, level_starts(structure), strict=True), 1)
    return {
        "structure": structure,
        "currency": currency,
        "kind": kind_name(structure.kind),
        "game": game_name(structure.game),
        "entry": entry_in_words(structure, currency),
        "levels": [
            (
                number,
                stakes_in_short(level),
                lasts_in_words(level, number == last),
                begins,
                pauses.get(number),
            )
            for number, (level, begins) in levels
        ],
        "outlook": outlook(structure, currency),
    }
