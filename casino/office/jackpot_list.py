"""The list of jackpots, the page of each, and the forms that open, change and drain one."""

import re
from copy import copy
from typing import Any, ClassVar, Final, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.forms import CharField, Field, ModelChoiceField, ModelForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from casino.office import jackpot_figures
from games.profiles.options import share_text
from games.words.naming import jackpot_title
from games.words.refusals import sentence_of
from wallets.models import Currency, Jackpot
from wallets.money import gifts, jackpots
from wallets.office.journalled_admin import (
    Keyed,
    ReasonForm,
    key_field,
    reason_field,
    submit_form,
    to_proposal,
)
from wallets.office.lists import ReadOnly, key_in
from wallets.office.staff_pages import MONEY, Menu
from wallets.office.stale_forms import AsOpenedField, RefusesStale
from wallets.office.whole_units import AmountField, WholeUnitsForm
from wallets.staff.permitted import money
from wallets.values.amounts import as_form_error, read_amount
from wallets.values.errors import Refused
from wallets.values.player import player_of

PERCENT: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?\s*%?")
# What says nothing about a progressive jackpot: its hits share what it holds.
OF_MYSTERY_PRIZES: Final = ("lowest", "highest")


class PercentField(Field):
    """A share, typed and shown in percent and stored in hundredths of one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=UnfoldAdminTextInputWidget, **options)

    def prepare_value(self, value: object) -> object:
        return share_text(value) if isinstance(value, int) else value

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values:
            return None
        if isinstance(value, int):
            return value
        match = PERCENT.fullmatch(str(value).strip())
        share = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else -1
        if not 0 <= share <= 10_000:
            raise ValidationError(_("A share is 0 to 100 percent, with two decimals at most."))
        return share

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return self.to_python(data) != initial
        except ValidationError:
            return True


SETTINGS: Final = ("seed", "reserve", "share_bp", "lowest", "highest", "active")


class _JackpotForm(gifts.ConfirmsGifts, Keyed, WholeUnitsForm, ModelForm):  # type: ignore[type-arg]
    """A jackpot's settings and the reason for them: saving moves the house's money immediately.

    If a bet that feeds it would favour players, the form shows the edge and asks for confirmation.
    """

    seed = AmountField(least=0, label=_("Seed"), help_text=_("What it shows again after a hit."))
    reserve = AmountField(
        least=0,
        label=_("Reserve"),
        help_text=_("Not shown to players; it pays hits at two tables at once."),
    )
    share_bp = PercentField(label=_("Share of each bonus bet, in percent"))
    lowest = AmountField(label=_("Lowest prize"))
    highest = AmountField(
        label=_("Highest prize"), help_text=_("The prize is hit before it is larger than this.")
    )
    key = key_field()
    gives_away = gifts.confirmation()
    reason = reason_field(_("The ledger stores it with the posting."))

    class Meta:
        model = Jackpot
        fields: ClassVar[tuple[str, ...]] = SETTINGS
        labels: ClassVar = {"active": _("Players play for it")}
        widgets: ClassVar = {"active": UnfoldBooleanSwitchWidget}

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        currency = self._currency()
        if currency is not None and {"seed", "reserve"} <= values.keys():
            try:
                jackpots.check(Jackpot(seed=values["seed"], reserve=values["reserve"]), currency)
            except Refused as refusal:
                self.add_error("seed", refusal.sentence)
        return values

    def currency_of(self, row: Jackpot) -> Currency:
        return row.pool.currency

    def wanted(self) -> dict[str, Any]:
        """The settings that were typed."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields if name in self.fields}


class OpenForm(_JackpotForm):
    """A new jackpot also needs a name, a kind, and a currency in which its pool is opened."""

    field_order = ("name", "kind", "currency")
    currency = ModelChoiceField(
        Currency.objects.exclude(kind=Currency.Kind.CHIPS),
        label=_("Currency"),
        widget=UnfoldAdminSelectWidget,
    )

    class Meta(_JackpotForm.Meta):
        fields = ("name", "kind", *SETTINGS)
        widgets: ClassVar = {
            **_JackpotForm.Meta.widgets,
            "name": UnfoldAdminTextInputWidget,
            "kind": UnfoldAdminSelectWidget,
        }


class ChangeForm(RefusesStale, _JackpotForm):  # type: ignore[misc]
    """The settings of a jackpot that exists: its name is part of its account, and hands were
    played by the rules of its kind."""

    as_opened = AsOpenedField()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.kind == Jackpot.Kind.PROGRESSIVE:
            for name in OF_MYSTERY_PRIZES:
                del self.fields[name]

    def clean(self) -> dict[str, object]:
        values: Any = super().clean()
        if not self.errors:
            self.confirm_gifts(values, gifts.of_jackpot(self.with_settings()))
        return self.cleaned_data

    def with_settings(self) -> Jackpot:
        """The jackpot with what was typed: the instance gets it once the form is valid."""
        wanted: Jackpot = copy(self.instance)
        for name in jackpots.SETTINGS & self.cleaned_data.keys():
            setattr(wanted, name, self.cleaned_data[name])
        return wanted


class DrainForm(ReasonForm):
    """The amount to take out of a pool, and the reason."""

    field_order = ("amount", "reason")
    amount = CharField(label=_("Amount"), max_length=30, widget=UnfoldAdminTextInputWidget)

    def __init__(self, data: QueryDict | None, currency: Currency) -> None:
        super().__init__(data)
        self.currency = currency

    def clean_amount(self) -> int:
        with as_form_error():
            return read_amount(self.cleaned_data["amount"], self.currency)


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
        urls: list[object] = super().get_urls()
        return [own, *urls]

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
        rows: QuerySet[Jackpot] = Jackpot.objects.select_related("pool__currency")
        return get_object_or_404(rows, pk=key_in(object_id))

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
                "lines": jackpot_figures.cost_lines(stored, wanted),
                "puts_in": money(jackpots.lacking(wanted, stored.pool), stored.pool.currency),
                "asks": jackpot_figures.asks_a_colleague(player_of(request), arguments),
            }
        return TemplateResponse(request, "backoffice/jackpots/outlook.html", context)

    def _frame(self, request: HttpRequest, title: object) -> dict[str, object]:
        return {**self.admin_site.each_context(request), "opts": self.opts, "title": title}

    def _context(self, request: HttpRequest, jackpot: Jackpot) -> dict[str, object]:
        now, currency = timezone.now(), jackpot.pool.currency
        stands, month = jackpots.amount(jackpot), jackpot_figures.month_of(jackpot, now)
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
            "days": jackpot_figures.DAYS,
            "chart": jackpot_figures.growth(jackpot, month),
            "hits": jackpot_figures.hits(jackpot),
            "triggers": list(jackpot.triggers.order_by("-number")[: jackpot_figures.HITS_SHOWN]),
            "costs": jackpot_figures.cost_lines(jackpot),
            "ledger": f"{reverse('admin:wallets_entry_changelist')}?q={jackpot.pool.owner}",
        }
