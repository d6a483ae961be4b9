"""Tables in the back office: managers set them up, and the floor opens and closes them."""

from typing import Any, ClassVar, Final

from django.contrib import admin
from django.db.models import Count, Model, Q, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from games.boards.table_form import FOLLOWED, TableForm, options_in_words
from games.models import Table
from games.tables.formats import format_of
from games.tables.settings import changed
from wallets.office.journalled_admin import Journalled
from wallets.office.lists import OfferedLookups
from wallets.office.staff_pages import GAMES, Menu
from wallets.office.stale_forms import AS_OPENED
from wallets.office.whole_units import WholeUnits
from wallets.staff import journal
from wallets.values.amounts import show_amount

RUN_TABLE: Final = "games.run_table"
TABLE_RUN: Final = journal.register(
    "table.run", _("Opened or closed a table"), permission=RUN_TABLE
)


class RunTableForm(ModelForm):  # type: ignore[type-arg]
    """Whether a table is open: all that the floor sets."""

    class Meta:
        model = Table
        fields = ("status",)


def _follows(table: Model | None) -> bool:
    return isinstance(table, Table) and table.profile_id is not None


def _with_options_shown(sets: Any) -> object:
    """The options as people read them, in place of their inputs."""
    shown = {"options": ["options_shown"], "gives_away": []}
    found = []
    for title, parts in sets:
        names = [new for name in parts["fields"] for new in shown.get(name, [name])]
        found.append((title, {**parts, "fields": names}))
    return found


@admin.register(Table)
class TableAdmin(Journalled, WholeUnits, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        GAMES,
        "table_restaurant",
        10,
        about=_("A table is listed as soon as it is set up, open or closed."),
    )
    amounts: ClassVar = {"buy_in_min": 1, "buy_in_max": 1, "stack_min": 1}
    form = TableForm
    list_display = ("name", "game", "stakes", "seated", "phase", "status", "hands_dealt")
    list_filter = ("status", "game", "currency", "private")
    search_fields = ("name",)
    list_select_related = ("currency",)
    filter_horizontal = ("jackpots",)
    fieldsets = (
        (
            None,
            {"fields": ("name", "game", "currency", "places", "profile", "status")},
        ),
        (_("Options"), {"fields": ("options", "gives_away")}),
        (_("Money"), {"fields": ("buy_in_min", "buy_in_max", "stack_min", "jackpots")}),
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
                    "overflow_max",
                    "overflow_of",
                    "hints_allowed",
                    "private",
                    "invitation_link",
                    "opened_by",
                    "organiser",
                )
            },
        ),
    )
    readonly_fields = ("invitation_link", "opened_by", "overflow_of", "organiser", "options_shown")

    class Media:
        js = ("games/table_options.js",)

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, **options: object
    ) -> "type[ModelForm[Any]]":
        """The floor opens and closes a table, and sets nothing else."""
        form = RunTableForm if self._only_runs(request, obj) else TableForm
        return super().get_form(request, obj, form=form, **options)

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> object:
        if not self._only_runs(request, obj):
            sets = super().get_fieldsets(request, obj)
            reads = obj is not None and not self.has_change_permission(request, obj)
            return _with_options_shown(sets) if reads or _follows(obj) else sets
        fields = ("name", "game", "currency", "places", "status", "reason", AS_OPENED)
        return [(None, {"fields": fields})]

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> object:
        """Return what is played for in which currency is what people have sat down to."""
        if self._only_runs(request, obj):
            return ("name", "game", "currency", "places")
        if obj is None:
            return self.readonly_fields
        followed = FOLLOWED if _follows(obj) else ()
        return (*self.readonly_fields, "game", "currency", *followed)

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

    def note(self, request: HttpRequest, what: str, obj: Model, message: Any) -> None:
        if what == "change" and not self._sets_up(request):
            journal.write(
                journal.by(request.user),
                TABLE_RUN,
                journal.reference_of(obj),
                before=message["before"],
                after=message["after"],
                reason=message["reason"],
            )
            return
        super().note(request, what, obj, message)

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

    @admin.display(description=_("options"))
    def options_shown(self, table: Table) -> str:
        return format_html_join("", "<p>{}: <b>{}</b></p>", options_in_words(table))

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
            apart = ("jackpots", "gives_away", "reason")
            fields = [name for name in form.changed_data if name not in apart]
            obj.save(update_fields=fields)
            changed(obj.pk, timezone.now())
        else:
            obj.save()
