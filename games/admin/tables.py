"""Tables in the back office: managers set them up, and the floor opens and closes them."""

from typing import Any, Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Model, Q, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from games.models import Table
from games.profiles.table_history import rules_in_words
from games.tables.formats import format_of
from games.tables.settings import changed
from wallets.office.journalled_admin import Journalled
from wallets.office.lists import OfferedLookups
from wallets.office.staff_pages import GAMES, Menu
from wallets.office.stale_forms import AS_OPENED
from wallets.staff import journal
from wallets.values.amounts import show_amount

RUN_TABLE: Final = "games.run_table"
TABLE_RUN: Final = journal.register(
    "table.run", _("Opened or closed a table"), permission=RUN_TABLE
)


# What one manager sets, with a reason: no player relies on it. All else is a rule, which a second
# person approves (`games/profiles/setting_up.py`).
FREE: Final = ("name", "status", "overflow_max", "private")


class TableForm(ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Table
        fields = FREE


class RunTableForm(ModelForm):  # type: ignore[type-arg]
    """Whether a table is open: all that the floor sets."""

    class Meta:
        model = Table
        fields = ("status",)


@admin.register(Table)
class TableAdmin(Journalled, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        GAMES,
        "table_restaurant",
        10,
        about=_("A table is listed as soon as it is set up, open or closed."),
    )
    form = TableForm
    # A table is added on a page of its own, which its verb journals.
    writes = ("change",)
    list_display = ("name", "game", "stakes", "seated", "phase", "status", "hands_dealt")
    list_filter = ("status", "game", "currency", "private")
    search_fields = ("name",)
    list_select_related = ("currency",)
    fieldsets = (
        (None, {"fields": ("name", "game", "currency", "status", "overflow_max", "private")}),
        (_("Rules"), {"fields": ("profile_version", "rules_shown", "rules_page")}),
        (_("Company"), {"fields": ("overflow_of", "invitation_link", "opened_by", "organiser")}),
    )
    readonly_fields = (
        *("game", "currency", "profile_version", "rules_shown", "rules_page"),
        *("overflow_of", "invitation_link", "opened_by", "organiser"),
    )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponseBase:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return redirect("table-new")

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, **options: object
    ) -> "type[ModelForm[Any]]":
        """The floor opens and closes a table, and sets nothing else."""
        form = RunTableForm if self._only_runs(request, obj) else TableForm
        return super().get_form(request, obj, form=form, **options)

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> object:
        if not self._only_runs(request, obj):
            return super().get_fieldsets(request, obj)
        fields = ("name", "game", "currency", "places", "status", "reason", AS_OPENED)
        return [(None, {"fields": fields})]

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> object:
        if self._only_runs(request, obj):
            return ("name", "game", "currency", "places")
        return self.readonly_fields

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Operators cannot edit a table that an organiser sets up."""
        by_hand = not isinstance(obj, Table) or format_of(obj).set_by_operators
        return by_hand and (self._sets_up(request) or self._runs(request))

    def _sets_up(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_table")

    def _runs(self, request: HttpRequest) -> bool:
        return request.user.has_perm(RUN_TABLE)

    def _only_runs(self, request: HttpRequest, obj: Model | None) -> bool:
        return obj is not None and self._runs(request) and not self._sets_up(request)

    def verb_of(self, request: HttpRequest, what: str) -> str:
        runs = what == "change" and not self._sets_up(request)
        return TABLE_RUN if runs else super().verb_of(request, what)

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

    @admin.display(description=_("rules"))
    def rules_shown(self, table: Table) -> str:
        return format_html_join("", "<p>{}: <b>{}</b></p>", rules_in_words(table))

    @admin.display(description=_("change of the rules"))
    def rules_page(self, table: Table) -> str:
        words = _("A colleague approves each change of the rules; the players read it first.")
        address = reverse("office-table-rules", args=[table.pk])
        return format_html('<a class="underline" href="{}">{}</a>', address, words)

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
        obj.save(update_fields=[name for name in form.changed_data if name in FREE])
        changed(obj.pk, timezone.now())
