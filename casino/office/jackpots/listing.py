"""The list of jackpots, the page of each, and the forms that open, change and drain one."""

from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from casino.office.jackpots import figures
from casino.office.jackpots.forms import ChangeForm, DrainForm, OpenForm
from games.profiles.options import share_text
from games.words.naming import jackpot_title
from games.words.refusals import sentence_of
from wallets.models import Currency, Jackpot
from wallets.money import jackpots
from wallets.office.journalled_admin import submit_form, to_proposal
from wallets.office.lists import ReadOnly, key_in
from wallets.office.staff_pages import MONEY, Menu
from wallets.staff.permitted import money
from wallets.values.errors import Refused
from wallets.values.player import player_of

OPEN, CHANGE = "wallets.add_jackpot", "wallets.change_jackpot"


@admin.register(Jackpot)
class JackpotAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """The list; each row opens the jackpot's page."""

    menu = Menu(
        MONEY,
        "emoji_events",
        20,
        about=_("A jackpot is a pool that bonus bets fill and a hit empties."),
    )
    list_display = ("title", "kind", "shown", "played_for")
    list_select_related = ("pool__currency",)
    # The page shows a jackpot; what the list itself would show is this.
    fields = ("name", "kind", "active")
    addresses_of_its_own = ("wallets_jackpot_drain",)

    def get_urls(self) -> list[object]:
        drain = self.admin_site.admin_view(self.drain)
        own = path("<path:object_id>/drain/", drain, name="wallets_jackpot_drain")
        found: list[object] = super().get_urls()
        return [own, *found]

    @admin.display(description=_("name"), ordering="name")
    def title(self, jackpot: Jackpot) -> str:
        return jackpot_title(jackpot.name)

    @admin.display(description=_("amount now"))
    def shown(self, jackpot: Jackpot) -> str:
        return money(jackpots.amount(jackpot), jackpot.pool.currency)

    @admin.display(description=_("Players play for it"), boolean=True, ordering="active")
    def played_for(self, jackpot: Jackpot) -> bool:
        return jackpot.active

    def has_add_permission(self, request: HttpRequest, _obj: Model | None = None) -> bool:
        return request.user.has_perm(OPEN)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.has_perm(CHANGE) or bool(super().has_view_permission(request, obj))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: object = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = OpenForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            currency: Currency = form.cleaned_data["currency"]
            values = form.wanted() | {"currency": currency.code}
            if answer := self._submit(request, "jackpot.open", values, form):
                return answer
        context = self._frame(request, _("Open a jackpot")) | {"form": form}
        return TemplateResponse(request, "backoffice/jackpots/open.html", context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: object = None,
    ) -> HttpResponse:
        """The page of a jackpot; `part` asks for what other settings would change."""
        jackpot = self._jackpot(request, object_id)
        may_change = request.user.has_perm(CHANGE)
        form = ChangeForm(request.POST or None, instance=jackpot) if may_change else None
        if request.method == "POST":
            if form is None:
                raise PermissionDenied
            if form.is_valid():
                values = form.wanted() | {"jackpot": jackpot.pk}
                # The form has written what was typed into its row, which is read anew.
                jackpot = self._jackpot(request, object_id)
                if answer := self._submit(request, "jackpot.change", values, form, jackpot):
                    return answer
        if "part" in request.GET and may_change:
            return self._outlook(request, jackpot)
        context = self._context(request, jackpot) | {"form": form}
        return TemplateResponse(request, "backoffice/jackpots/page.html", context)

    def drain(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the amount and the reason, then move the money back to the house."""
        jackpot = self._jackpot(request, object_id)
        if not request.user.has_perm(CHANGE):
            raise PermissionDenied
        form = DrainForm(request.POST or None, jackpot.pool.currency)
        if request.method == "POST" and form.is_valid():
            values = {"jackpot": jackpot.pk, "amount": form.cleaned_data["amount"]}
            if answer := self._submit(request, "jackpot.drain", values, form, jackpot):
                return answer
        context = self._frame(request, _("Drain this pool")) | {
            "jackpot": jackpot,
            "name": jackpot_title(jackpot.name),
            "holds": money(jackpot.pool.balance, jackpot.pool.currency),
            "form": form,
        }
        return TemplateResponse(request, "backoffice/jackpots/drain.html", context)

    def _jackpot(self, request: HttpRequest, object_id: str) -> Jackpot:
        if not self.has_view_permission(request):
            raise PermissionDenied
        found: QuerySet[Jackpot] = Jackpot.objects.select_related("pool__currency")
        return get_object_or_404(found, pk=key_in(object_id))

    def _submit(
        self,
        request: HttpRequest,
        verb: str,
        values: dict[str, Any],
        form: Any,
        jackpot: Jackpot | None = None,
    ) -> HttpResponse | None:
        """Submit a verb with the form's reason and key; a refusal is shown in the form."""
        try:
            submitted = submit_form(request, form, verb, values)
        except Refused as refusal:
            form.add_error(None, sentence_of(refusal))
            return None
        if submitted.proposal:
            return to_proposal(request, submitted.proposal)
        self.message_user(request, _("Done, and written into the journal."))
        changed = jackpot or cast(Jackpot, submitted.result)
        return redirect("admin:wallets_jackpot_change", changed.pk)

    def _outlook(self, request: HttpRequest, jackpot: Jackpot) -> HttpResponse:
        """What the typed settings would change, before they are sent."""
        form = ChangeForm(request.GET, instance=jackpot)
        # The form writes what was typed into its row, so the stored one is read anew.
        stored = self._jackpot(request, str(jackpot.pk))
        context: dict[str, object] = {"typed": not form.errors.keys() & jackpots.SETTINGS}
        if context["typed"]:
            wanted, arguments = form.with_settings(), form.wanted() | {"jackpot": jackpot.pk}
            context |= {
                "lines": figures.cost_lines(stored, wanted),
                "puts_in": money(jackpots.lacking(wanted, stored.pool), stored.pool.currency),
                "asks": figures.asks_a_colleague(player_of(request), arguments),
            }
        return TemplateResponse(request, "backoffice/jackpots/outlook.html", context)

    def _frame(self, request: HttpRequest, title: object) -> dict[str, object]:
        return {**self.admin_site.each_context(request), "opts": self.opts, "title": title}

    def _context(self, request: HttpRequest, jackpot: Jackpot) -> dict[str, object]:
        now, currency = timezone.now(), jackpot.pool.currency
        stands, month = jackpots.amount(jackpot), figures.month_of(jackpot, now)
        mystery = jackpot.kind == Jackpot.Kind.MYSTERY
        return self._frame(request, jackpot_title(jackpot.name)) | {
            "jackpot": jackpot,
            "subject": f"jackpot:{jackpot.pk}",
            "currency": currency,
            "stands": stands,
            "share": share_text(jackpot.share_bp),
            "percent": min(100, 100 * stands // jackpot.highest) if mystery else None,
            "left": max(0, jackpot.highest - stands),
            "month": month.sums,
            "days": figures.DAYS,
            "chart": figures.growth(jackpot, month),
            "hits": figures.hits(jackpot),
            "triggers": list(jackpot.triggers.order_by("-number")[: figures.HITS_SHOWN]),
            "costs": figures.cost_lines(jackpot),
            "ledger": f"{reverse('admin:wallets_entry_changelist')}?q={jackpot.pool.owner}",
        }
