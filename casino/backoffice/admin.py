"""What concerns the house as a whole: locked sign-ins, and what staff have changed."""

from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from wallets.admin import ReadOnly

# What groups may do is written in `casino.players.staff`.
admin.site.unregister(Group)
admin.site.index_title = _("Overview")


@admin.register(AccessAttempt)
class AccessAttemptAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Failed sign-ins. Deleting one opens the lock of that name from that address."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")
    # What was sent may hold a password typed into the wrong field.
    fields = ("username", "ip_address", "user_agent", "failures_since_start", "attempt_time")

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return request.user.has_perm("axes.delete_accessattempt")


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Who changed what in the back office, and when."""

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
