"""Jackpots in the back office: their settings, and draining a pool.

If a form moves money, the ledger records who sent it and why.
"""

from copy import copy
from typing import Any, ClassVar, cast
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Model
from django.forms import CharField, ModelChoiceField, ModelForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextInputWidget

from wallets import approvals, gifts, jackpots
from wallets.amounts import as_form_error, read_amount
from wallets.approvals import Submitted
from wallets.errors import Refused
from wallets.journalled_admin import (
    Journalled,
    Keyed,
    ReasonForm,
    key_field,
    reason_field,
    to_proposal,
)
from wallets.lists import OfferedLookups, ReadOnly, key_in
from wallets.models import Currency, Jackpot, Trigger
from wallets.permitted import money
from wallets.whole_units import WholeUnits, WholeUnitsForm


class JackpotForm(gifts.ConfirmsGifts, Keyed, WholeUnitsForm, ModelForm):  # type: ignore[type-arg]
    """A jackpot's settings and the reason for them: saving moves the house's money at once.

    If a bet that feeds it would favour players, the form shows the edge and asks for confirmation.
    """

    key = key_field()
    gives_away = gifts.confirmation()
    reason = reason_field(_("The ledger stores it with the posting."))

    class Meta:
        model = Jackpot
        fields = ["name", "kind", "seed", "reserve", "share_bp", "lowest", "highest", "active"]

    def clean(self) -> dict[str, object]:
        values = super().clean() or self.cleaned_data
        currency = (
            values.get("currency") if self.instance.pk is None else self.instance.pool.currency
        )
        if currency is not None and {"seed", "reserve"} <= values.keys():
            try:
                jackpots.check(Jackpot(seed=values["seed"], reserve=values["reserve"]), currency)
            except Refused as refusal:
                self.add_error("seed", refusal.sentence)
        if self.instance.pk is not None and not self.errors:
            self.confirm_gifts(values, gifts.of_jackpot(self._wanted(values)))
        return values

    def _wanted(self, values: dict[str, Any]) -> Jackpot:
        """The jackpot with these settings: the instance gets them once the form is valid."""
        wanted: Jackpot = copy(self.instance)
        for name in jackpots.SETTINGS & values.keys():
            setattr(wanted, name, values[name])
        return wanted

    def currency_of(self, row: Jackpot) -> Currency:
        return row.pool.currency


class NewJackpotForm(JackpotForm):
    """A new jackpot also needs a currency, in which its pool is opened."""

    currency = ModelChoiceField(
        Currency.objects.exclude(kind=Currency.Kind.CHIPS), label=_("currency")
    )


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


class TriggerInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Trigger
    fields = ["number", "committed_at", "published", "opened_at", "opened", "reference"]
    readonly_fields = fields


@admin.register(Jackpot)
class JackpotAdmin(Journalled, WholeUnits, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    amounts: ClassVar = {"seed": 0, "reserve": 0, "lowest": 1, "highest": 1}
    # Its forms submit verbs, which write the journal themselves.
    writes = ()
    unstored = ("key", gifts.GIVES_AWAY)
    list_display = ["name", "kind", "shown", "active"]
    list_select_related = ["pool__currency"]
    inlines = [TriggerInline]
    actions_detail = ["drain"]

    def currency_of(self, row: Jackpot) -> Currency:
        return row.pool.currency

    @admin.display(description=_("pool"))
    def shown(self, jackpot: Jackpot) -> str:
        return money(jackpots.amount(jackpot), jackpot.pool.currency)

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, **options: object
    ) -> "type[ModelForm[Any]]":
        form = NewJackpotForm if obj is None else JackpotForm
        return super().get_form(request, obj, form=form, **options)

    def get_readonly_fields(self, request: HttpRequest, obj: Jackpot | None = None) -> list[str]:
        """The name is part of the pool's account; hands were played by the rules of this kind."""
        return [] if obj is None else ["name", "kind"]

    def save_model(
        self, request: HttpRequest, obj: Jackpot, form: JackpotForm, change: bool
    ) -> None:
        """Submit the settings: they are stored at once, or wait for a second person."""
        values = dict(form.cleaned_data)
        reason, currency = values.pop("reason"), values.pop("currency", None)
        key = values.pop("key")
        del values[gifts.GIVES_AWAY]
        if change:
            verb, values = "jackpot.change", values | {"jackpot": obj.pk}
        else:
            verb, values = "jackpot.open", values | {"currency": currency.code}
        submitted = self._submit(request, verb, values, reason, key)
        obj.submitted = submitted  # type: ignore[attr-defined]
        if not change and submitted.proposal is None:
            created = cast(Jackpot, submitted.result)
            obj.pk, obj.pool = created.pk, created.pool

    def _submit(
        self,
        request: HttpRequest,
        verb: str,
        values: dict[str, object],
        reason: str,
        key: UUID,
    ) -> Submitted:
        now = timezone.now()
        return approvals.submit(request.user, verb, values, reason=reason, key=key, now=now)

    def note(self, request: HttpRequest, what: str, obj: Model, message: object) -> None:
        """The verbs write the journal themselves."""

    def save_related(
        self, request: HttpRequest, form: object, formsets: object, change: bool
    ) -> None:
        """Nothing else is saved with a jackpot."""

    def changeform_view(
        self, request: HttpRequest, *rest: object, **options: object
    ) -> HttpResponse:
        """Show the form's page, with a refusal of the verbs on it and nothing stored."""
        try:
            answer: HttpResponse = super().changeform_view(request, *rest, **options)
        except Refused as refusal:
            self.message_user(request, refusal.sentence, messages.ERROR)
            return redirect(request.path)
        return answer

    def response_add(self, request: HttpRequest, obj: Jackpot, *rest: object) -> HttpResponse:
        return self._waiting(request, obj) or super().response_add(request, obj, *rest)

    def response_change(self, request: HttpRequest, obj: Jackpot) -> HttpResponse:
        return self._waiting(request, obj) or super().response_change(request, obj)

    def _waiting(self, request: HttpRequest, obj: Jackpot) -> HttpResponse | None:
        """If a proposal was made, say so and show it."""
        proposal = obj.submitted.proposal  # type: ignore[attr-defined]
        return proposal and to_proposal(request, proposal)

    def has_drain_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Offer the button only if nobody plays for the pool any more."""
        rests = Jackpot.objects.filter(pk=key_in(object_id), active=False)
        return self.has_change_permission(request) and (request.method == "POST" or rests.exists())

    @action(description=_("Drain this pool"), url_path="drain", permissions=["drain"])  # type: ignore[untyped-decorator]
    def drain(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the amount and the reason, then move the money back to the house."""
        found = Jackpot.objects.select_related("pool__currency")
        jackpot = get_object_or_404(found, pk=key_in(object_id))
        currency = jackpot.pool.currency
        form = DrainForm(request.POST or None, currency)
        if request.method == "POST" and form.is_valid():
            taken, reason = form.cleaned_data["amount"], form.cleaned_data["reason"]
            values = {"jackpot": jackpot.pk, "amount": taken}
            try:
                submitted = self._submit(
                    request, "jackpot.drain", values, reason, form.cleaned_data["key"]
                )
            except Refused as refusal:
                form.add_error(None, refusal.sentence)
            else:
                if submitted.proposal:
                    return to_proposal(request, submitted.proposal)
                self.message_user(request, _("The money is back with the house."))
                return redirect("admin:wallets_jackpot_change", jackpot.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Drain this pool"),
            "jackpot": jackpot,
            "holds": money(jackpot.pool.balance, currency),
            "form": form,
        }
        return TemplateResponse(request, "admin/wallets/drain.html", context)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
