"""Closed days in the back office, read-only, with the results of their players."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline

from games.models import Day, DayResult
from wallets.models import Currency
from wallets.office.lists import ReadOnly
from wallets.office.staff_pages import RECORDS, Menu
from wallets.office.whole_units import WholeUnits
from wallets.staff.permitted import money


class DayResultInline(WholeUnits, ReadOnly, TabularInline):  # type: ignore[misc]
    model = DayResult
    amounts: ClassVar = {"net": 0, "rake": 0}
    fields = ("table", "game", "player", "hands", "net_shown", "rake_shown")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[DayResult]:
        results: QuerySet[DayResult] = super().get_queryset(request)
        # Results in chips of tournaments are kept for searches, and are no money.
        money = results.exclude(currency__kind=Currency.Kind.CHIPS)
        return money.select_related("currency", "table", "player")


@admin.register(Day)
class DayAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(RECORDS, "today", 70, about=_("A day is listed once it is closed, with its sums."))
    list_display = ("day", "hands", "sums_shown", "agrees")
    fields = ("day", "closed_at", "hands", "reversed", "sums_shown", "differences")
    inlines = (DayResultInline,)

    @admin.display(description=_("agrees with the ledger"), boolean=True)
    def agrees(self, day: Day) -> bool:
        return not day.differences

    @admin.display(description=_("sums by currency"))
    def sums_shown(self, day: Day) -> str:
        """Return what the house took, and what its banks won or lost."""
        currencies = Currency.objects.in_bulk(list(day.sums))
        words = {"rake": _("rake"), "bank": _("bank")}
        return "; ".join(
            f"{words[name]} {money(amount, currencies[code])}"
            for code, of_currency in day.sums.items()
            for name, amount in of_currency.items()
        )
