"""Lists that concern the whole site: locked sign-ins, and changes by staff."""

from typing import Final

from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.accounts.sign_ins import locked_until
from casino.office import jackpot_list  # noqa: F401 - registers the list of jackpots
from games.models import Hand, Shoe
from wallets.models.holders import player_reference
from wallets.office.journalled_admin import Journalled
from wallets.office.lists import ReadOnly
from wallets.office.staff_pages import PEOPLE, RECORDS, Menu
from wallets.values.days import house_time

# `casino.accounts.staff` defines the permissions of groups.
admin.site.unregister(Group)
admin.site.index_title = _("Overview")
# A dash, as in the columns of the office itself.
admin.site.empty_value_display = "–"
# Names that other packages give rows and columns without Chinese for them: it is found in ours.
NAMED_BY_OTHERS: Final = (
    _("access attempt"),
    _("access attempts"),
    _("IP Address"),
    _("User Agent"),
    _("Failed Logins"),
    _("Attempt Time"),
    _("object repr"),
)


@admin.register(AccessAttempt)
class AccessAttemptAdmin(Journalled, ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Failed sign-ins. Deleting one removes the lock of that name from that address."""

    menu = Menu(
        PEOPLE,
        "lock_clock",
        40,
        _("Failed sign-ins"),
        about=_("A failed sign-in is listed with the name that was typed and its address."),
    )
    reason_required, writes = False, ("delete",)
    list_display = ("who", "ip_address", "failures_since_start", "attempt_time", "locked")
    search_fields = ("username", "ip_address")
    # The input may contain a password that was typed into the wrong field.
    fields = ("username", "ip_address", "user_agent", "failures_since_start", "attempt_time")

    @admin.display(description=_("Who"), ordering="username")
    def who(self, row: AccessAttempt) -> str:
        """The account; a name without one is shown as it was typed."""
        number: int | None = getattr(row, "account", None)
        return f"{row.username} P-{number}" if number else row.username or "–"

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[AccessAttempt]:
        """Names are stored as keys, by which each attempt's account is found in the same query."""
        accounts = Player.objects.filter(username_key=OuterRef("username")).values("pk")
        attempts: models.QuerySet[AccessAttempt] = super().get_queryset(request)
        named: models.QuerySet[AccessAttempt] = attempts.annotate(account=Subquery(accounts[:1]))
        return named

    @admin.display(description=_("locked until"))
    def locked(self, row: AccessAttempt) -> str:
        """The end of a lock that holds; once it is over, that it is."""
        until = locked_until(row)
        if until is None:
            return "–"
        return house_time(until) if until > timezone.now() else str(_("no longer locked"))

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return request.user.has_perm("axes.delete_accessattempt")

    def deleted_values(self, row: AccessAttempt) -> dict[str, object]:
        """Return whose sign-in it was: the typed name may be a password, and is not journalled."""
        known = Player.objects.filter(username_key=name_key(row.username or "")).first()
        return {
            "player": known and player_reference(known.pk),
            "failures": row.failures_since_start,
            "at": row.attempt_time,
        }


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """The changes by staff from before the journal; read-only."""

    menu = Menu(
        RECORDS,
        "history",
        130,
        _("Changes before the journal"),
        about=_("Changes by staff are in the journal; this list has only those from before it."),
    )
    list_display = ("action_time", "user", "content_type", "object_repr", "summary")
    list_filter = ("content_type",)
    list_select_related = ("user", "content_type")
    search_fields = ("user__username", "object_repr")
    date_hierarchy = "action_time"
    fields = ("action_time", "user", "content_type", "object_id", "object_repr", "summary")

    @admin.display(description=_("change"))
    def summary(self, entry: LogEntry) -> str:
        message: str = entry.get_change_message()
        return message


HANDS_SHOWN: Final = 200
CODE_MAX: Final = 60


@admin.register(Shoe)
class ShoeAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(RECORDS, place=80, about=_("A shoe is a sealed deck from which hands are dealt."))
    list_display = ("code", "table", "status", "rounds_played", "cards_dealt", "sealed_at")
    list_filter = ("status",)
    list_select_related = ("table",)
    search_fields = ("code",)
    # The page shows a shoe; what the list itself would show is this.
    fields = ("code", "table", "status")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: object = None,
    ) -> HttpResponse:
        """The page of a shoe: nothing of it that `/fairness/` does not publish."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        fits = "\0" not in object_id and len(object_id) <= CODE_MAX
        shoe = Shoe.objects.select_related("table").filter(pk=object_id).first() if fits else None
        if shoe is None:
            raise Http404
        hands = Hand.objects.filter(shoe=shoe).order_by("number")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": shoe.code,
            # The frame's path ends in it.
            "original": shoe,
            "shoe": shoe,
            "subject": f"shoe:{shoe.pk}",
            "seats": shoe.seats.select_related("player"),
            "hands": list(hands[:HANDS_SHOWN]),
        }
        return TemplateResponse(request, "backoffice/shoe.html", context)
