"""Chat in the back office: lines to read and hide, and who may not speak for a while."""

import re

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from games.chat.models import ChatLine, Silence
from games.live.announcing import announce_chat
from wallets.of_record.verbs import under
from wallets.office.journalled_admin import Journalled
from wallets.office.lists import OfferedLookups
from wallets.office.staff_pages import PEOPLE, Menu


@admin.register(ChatLine)
class ChatLineAdmin(Journalled, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        PEOPLE, "chat", 20, about=_("A message is listed once a player has written at a table.")
    )
    # Hiding a line is undone at a click, and its text says why.
    reason_required, writes = False, ("change",)
    list_display = ("said_at", "table", "player", "__str__", "hidden")
    list_filter = ("hidden", "table")
    search_fields = ("player__username", "text")
    list_select_related = ("table", "player")
    readonly_fields = ("table", "player", "text", "phrase", "said_at")
    actions = ("hide_lines",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    @under("chatline.change")
    @admin.action(description=_("Hide these messages"), permissions=["change"])
    def hide_lines(self, request: HttpRequest, lines: QuerySet[ChatLine]) -> None:
        chat_lines = list(lines)
        with transaction.atomic():
            for line in chat_lines:
                lines.filter(pk=line.pk).update(hidden=True)
                hiding = {"before": {"hidden": line.hidden}, "after": {"hidden": True}}
                self.log_change(request, line, hiding | {"reason": ""})
        for table_id in {line.table_id for line in chat_lines}:
            announce_chat(table_id, chat_lines[0].pk)


@admin.register(Silence)
class SilenceAdmin(Journalled, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        PEOPLE, "volume_off", 30, about=_("A silence keeps a player from writing until it ends.")
    )
    writes = ("add", "change", "delete")
    list_display = ("player", "until", "reason")
    search_fields = ("player__username",)
    autocomplete_fields = ("player",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, object]:
        """Take only the number of a player from the address."""
        player = request.GET.get("player", "")
        return {"player": player} if re.fullmatch(r"[0-9]{1,18}", player) else {}

    def deleted_values(self, row: Silence) -> dict[str, object]:
        return {"player": f"player:{row.player_id}", "until": row.until, "reason": row.reason}
