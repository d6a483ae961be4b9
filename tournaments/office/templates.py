"""Templates in the back office: a structure with its problems and its preview, and its versions."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.forms import CharField, DateTimeField
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import convert
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextareaWidget

from games.rules.errors import Unreadable
from games.words.naming import game_name
from games.words.refusals import sentence_of
from tournaments import control, staff_verbs, template_verbs
from tournaments.models import Template
from tournaments.office.submitting import Done, carry_out, proposing
from tournaments.overview.words import duration, kind_name, stakes_in_short
from tournaments.preview import previews
from tournaments.problems import problems
from tournaments.structure import Structure, read, write
from wallets.amounts import show_amount
from wallets.journalled_admin import ReasonForm
from wallets.lists import ReadOnly, key_in
from wallets.models import Currency


class StructureForm(ReasonForm):
    """A structure file, as docs/tournaments.md describes it."""

    field_order = ("structure", "reason")
    structure = CharField(
        label=_("Structure"),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 24, "spellcheck": "false"}),
        help_text=_("A structure file; its name is the name of the template."),
    )


class StartForm(ReasonForm):
    """The start of an event; a sit-and-go begins when it is full."""

    field_order = ("starts_at", "reason")
    starts_at = DateTimeField(
        label=_("Starts"), required=False, help_text=_("UTC, as 2026-03-01 19:30.")
    )


@admin.register(Template)
class TemplateAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Templates are stored as versions: one that an event was announced by never changes."""

    list_display = ("name", "version", "kind", "game", "currency", "events", "retired_at")
    list_filter = (("retired_at", admin.EmptyFieldListFilter),)
    list_select_related = ("currency",)
    search_fields = ("name",)
    addresses_of_its_own = ("template-announce", "template-retire")

    def get_urls(self) -> list[object]:
        wrap = self.admin_site.admin_view
        found: list[object] = super().get_urls()
        return [
            path("<int:number>/announce/", wrap(self.announce), name="template-announce"),
            path("<int:number>/retire/", wrap(self.retire), name="template-retire"),
            *found,
        ]

    def has_add_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return request.user.has_perm(control.PERMISSION)

    @admin.display(description=_("kind"))
    def kind(self, template: Template) -> str:
        return kind_name(template.structure["kind"])

    @admin.display(description=_("game"))
    def game(self, template: Template) -> str:
        return str(template.structure["game"])

    @admin.display(description=_("events"))
    def events(self, template: Template) -> int:
        return template.tournaments.count()

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        """Write a structure: it is looked at first, and stored as the next version of its name."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        source = Template.objects.filter(pk=key_in(request.GET.get("from")) or 0).first()
        initial = {"structure": _text(source)} if source else {}
        form = StructureForm(request.POST or None, initial=initial)
        structure, wrong = _looked_at(request.POST.get("structure", ""))
        answer = None
        if structure is not None and not wrong and "store" in request.POST:
            answer = carry_out(
                request,
                form,
                lambda values, now: template_verbs.store(
                    request.user, structure, values["reason"], now
                ),
                Done(_("Stored."), reverse("admin:tournaments_template_changelist")),
            )
        elif request.method == "POST":
            # Looking needs no reason.
            form.errors.pop("reason", None)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("A new version of {name}").format(name=source.name)
            if source
            else _("Template"),
            "form": form,
            "problems": wrong,
            **(described(structure) if structure and not wrong else {}),
        }
        return answer or TemplateResponse(request, "admin/tournaments/template_form.html", context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: object = None,
    ) -> HttpResponse:
        """Show a version: its structure, a preview, and the verbs for it."""
        template = self._template(request, key_in(object_id) or 0)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": str(template),
            "template_shown": template,
            "text": _text(template),
            "versions": Template.objects.filter(name=template.name).order_by("-version"),
            "may_run": request.user.has_perm(control.PERMISSION),
            **described(convert(template.structure, Structure)),
        }
        return TemplateResponse(request, "admin/tournaments/template.html", context)

    def announce(self, request: HttpRequest, number: int) -> HttpResponse:
        template = self._to_run(request, number)
        form = StartForm(request.POST or None)
        starts_at = form.cleaned_data.get("starts_at") if form.is_valid() else None
        arguments = {"template": number, "starts_at": starts_at and starts_at.isoformat()}
        do = proposing(request, staff_verbs.ANNOUNCE, arguments)
        done = Done(_("Announced."), reverse("admin:tournaments_tournament_changelist"))
        answer = carry_out(request, form, do, done, template.currency)
        says = _("Its guarantee is set aside and its shoe sealed; then players can enter.")
        return answer or self._page(request, _("Announce"), template, form, says)

    def retire(self, request: HttpRequest, number: int) -> HttpResponse:
        template = self._to_run(request, number)
        form = ReasonForm(request.POST or None)

        def do(values: dict[str, Any], now: Any) -> object:
            return template_verbs.retire(request.user, number, values["reason"], now)

        done = Done(_("Retired."), reverse("admin:tournaments_template_changelist"))
        answer = carry_out(request, form, do, done)
        says = _(
            "The template announces no further events. Events that are already announced continue."
        )
        return answer or self._page(request, _("Retire"), template, form, says)

    def _page(
        self,
        request: HttpRequest,
        title: str | Promise,
        template: Template,
        form: object,
        says: str | Promise,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{title}: {template}",
            "words": says,
            "form": form,
            "submit": title,
            "room": reverse("admin:tournaments_template_change", args=[template.pk]),
        }
        return TemplateResponse(request, "admin/tournaments/ask.html", context)

    def _template(self, request: HttpRequest, number: int) -> Template:
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = Template.objects.select_related("currency").filter(pk=number).first()
        if found is None:
            raise Http404
        return found

    def _to_run(self, request: HttpRequest, number: int) -> Template:
        if not request.user.has_perm(control.PERMISSION):
            raise PermissionDenied
        return self._template(request, number)


def _text(template: Template) -> str:
    """A version as its file."""
    return write(convert(template.structure, Structure)).decode()


def _looked_at(text: str) -> tuple[Structure | None, list[str]]:
    """The structure in a text, and what is wrong with it in sentences that name the place."""
    if not text:
        return None, []
    try:
        structure = read(text.encode())
    except Unreadable as wrong:
        return None, [_placed(wrong)]
    found = [_placed(one) for one in problems(structure)]
    if not Currency.objects.filter(pk=structure.currency).exists():
        found.append(str(_("The house has no such currency.")))
    return structure, found


def _placed(wrong: Unreadable) -> str:
    return f"{wrong.path}: {sentence_of(wrong)}"


def described(structure: Structure) -> dict[str, object]:
    """A structure for its reader: levels, and what 10, 50 and 200 entrants bring about."""
    currency = Currency.objects.get(pk=structure.currency)
    return {
        "structure": structure,
        "currency": currency,
        "kind": kind_name(structure.kind),
        "game": game_name(structure.game),
        "levels": [
            (number, stakes_in_short(level), level.seconds and duration(level.seconds), level.hands)
            for number, level in enumerate(structure.levels, 1)
        ],
        "previews": [
            {
                "entrants": one.entrants,
                "runs": one.runs,
                "tables": one.tables,
                "pool": show_amount(one.pool, currency),
                "added": show_amount(one.added, currency) if one.added else "",
                "fees": show_amount(one.fees, currency),
                "length": duration(one.seconds),
                "level": one.level,
                "prizes": [show_amount(prize, currency) for prize in one.prizes[:12]],
                "places": len(one.prizes),
            }
            for one in previews(structure)
        ],
    }
