"""Lists that concern the whole site: locked sign-ins, and changes by staff."""

from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from casino.players.models import Player
from casino.players.names import name_key
from wallets.holders import player_reference
from wallets.journalled_admin import Journalled
from wallets.lists import ReadOnly

# `casino.players.staff` defines the permissions of groups.
admin.site.unregister(Group)
admin.site.index_title = _("Overview")


@admin.register(AccessAttempt)
class AccessAttemptAdmin(Journalled, ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Failed sign-ins. Deleting one removes the lock of that name from that address."""

    reason_required, writes = False, ("delete",)
    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")
    # The input may contain a password that was typed into the wrong field.
    fields = ("username", "ip_address", "user_agent", "failures_since_start", "attempt_time")

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
