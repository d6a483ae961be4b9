"""The list of shoes, and the page of each: its table, who mixed it, its proof and its hands."""

from typing import Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from games.models import Hand, Shoe
from wallets.office.lists import ReadOnly
from wallets.office.staff_pages import RECORDS, Menu

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
