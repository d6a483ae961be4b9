"""Players in the back office: found, looked at, shut out, appointed. Nobody types a password."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.decorators import display

from casino.players.models import Player
from casino.players.staff import appoint
from wallets.admin import OfferedLookups


@admin.register(Player)
class PlayerAdmin(OfferedLookups, ModelAdmin):  # type: ignore[misc]
    list_display = ("username", "kind", "is_active", "date_joined", "last_login")
    list_filter = ("is_active", "is_bot", "groups")
    search_fields = ("username", "username_key")
    ordering = ("username_key",)
    fields = (
        "username",
        "kind_in_words",
        "is_active",
        "groups",
        "language",
        "date_joined",
        "last_login",
    )
    readonly_fields = ("username", "kind_in_words", "language", "date_joined", "last_login")
    filter_horizontal = ("groups",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).prefetch_related("groups")  # type: ignore[no-any-return]

    @display(  # type: ignore[untyped-decorator]
        description=_("kind"),
        label={"bot": "info", "staff": "warning", "superuser": "danger", "player": "success"},
    )
    def kind(self, player: Player) -> tuple[str, str]:
        """In the list, as a coloured label."""
        if player.is_bot:
            return "bot", str(_("Bot"))
        if player.is_superuser:
            return "superuser", str(_("Superuser"))
        if player.is_staff:
            return "staff", ", ".join(group.name for group in player.groups.all())
        return "player", str(_("Player"))

    @admin.display(description=_("kind"))
    def kind_in_words(self, player: Player) -> str:
        return str(self.kind(player)[1])

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Only a superuser appoints staff: or an operator could appoint themselves."""
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, "groups")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """An operator shuts out players, not colleagues."""
        may: bool = super().has_change_permission(request, obj)
        return may and (obj is None or request.user.is_superuser or not obj.is_staff)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """A player's hands and money stay, so the player does."""
        return False

    def save_related(
        self, request: HttpRequest, form: "ModelForm[Player]", formsets: Any, change: bool
    ) -> None:
        super().save_related(request, form, formsets, change)
        if "groups" in form.cleaned_data:
            names = [group.name for group in form.cleaned_data["groups"]]
            appoint(form.instance, *names)
