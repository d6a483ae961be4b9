"""Chats for staff: lines to look into and to hide, and who may not speak for a while."""

import re
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from games.chat.models import ChatLine, Silence
from games.live import announce_chat
from wallets.admin import OfferedLookups


@admin.register(ChatLine)
class ChatLineAdmin(OfferedLookups, ModelAdmin):  # type: ignore[misc]
    list_display = ("said_at", "table", "player", "__str__", "hidden")
    list_filter = ("hidden", "table")
    search_fields = ("player__username", "text")
    list_select_related = ("table", "player")
    readonly_fields = ("table", "player", "text", "phrase", "said_at")
    actions = ("hide_lines",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Hide these lines"), permissions=["change"])
    def hide_lines(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        found = list(lines)
        lines.update(hidden=True)
        for line in found:
            self.log_change(request, line, "hidden")
        for table_id in {line.table_id for line in found}:
            announce_chat(table_id, found[0].pk)


@admin.register(Silence)
class SilenceAdmin(OfferedLookups, ModelAdmin):  # type: ignore[misc]
    list_display = ("player", "until", "reason")
    search_fields = ("player__username",)
    autocomplete_fields = ("player",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The address may say whom it is about; what is no player's number is left out."""
        told: dict[str, Any] = super().get_changeform_initial_data(request)
        if not re.fullmatch(r"[0-9]{1,18}", str(told.get("player", ""))):
            told.pop("player", None)
        return told
