"""Money in the back office: operators edit currencies and jackpots; the ledger is read-only.

If a form moves money, the ledger records who sent it and why.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar, cast
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Model, Q, QuerySet
from django.forms import CharField, ModelChoiceField, ModelForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextInputWidget

from wallets import approvals, in_words, jackpots
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
from wallets.lists import ColumnFilter, OfferedLookups, ReadOnly, key_in
from wallets.models import Account, Book, Closing, Currency, Entry, Jackpot, Transaction, Trigger
from wallets.permitted import money
from wallets.views import KINDS
from wallets.whole_units import WholeUnits, WholeUnitsForm


@admin.register(Currency)
class CurrencyAdmin(Journalled, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    confirmed = True
    list_display = ["code", "name", "exponent", "kind"]

    def get_readonly_fields(self, request: HttpRequest, obj: Currency | None = None) -> list[str]:
        """Moving the decimal point would multiply everybody's money."""
        return [] if obj is None else ["code", "exponent", "kind"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class KindFilter(ColumnFilter):
    """By the kind of posting, as staff call it."""

    title = _("what")
    parameter_name = "posting"
    column = "kind"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        kinds = (*KINDS, *in_words.OF_THE_HOUSE)
        return [(kind, in_words.kind_in_words(kind)) for kind in kinds]


class EntryKindFilter(KindFilter):
    column = "transaction__kind"


class InWords:
    """A list whose references are names with links, read once for each page."""

    def get_changelist_instance(self, request: HttpRequest) -> object:
        shown: Any = super().get_changelist_instance(request)  # type: ignore[misc]
        shown.result_list = list(shown.result_list)
        known = in_words.named(one for row in shown.result_list for one in _references(row))
        for row in shown.result_list:
            row.names = known
        return shown


def _references(row: Account | Entry | Transaction) -> Iterator[str]:
    if isinstance(row, Account):
        yield row.owner
    elif isinstance(row, Entry):
        yield from (row.account.owner, row.transaction.reference)
    else:
        yield from (row.book_id, row.reference, row.actor)


def name_in(row: object, reference: str) -> str:
    """The name of a reference with its link, as the list has read them."""
    link = getattr(row, "names", {}).get(reference)
    if link is None:
        return in_words.words_of(reference, {})
    return format_html('<a href="{}">{}</a>', link.address, link.words)


@admin.register(Account)
class AccountAdmin(InWords, ReadOnly, ModelAdmin):  # type: ignore[misc]
    fields = ["kind", "owner", "currency", "holds"]
    readonly_fields = fields
    list_display = ["id", "kind", "whose", "holds"]
    list_filter = ["kind", "currency"]
    search_fields = ["owner"]
    list_select_related = ["currency"]
    show_full_result_count = False

    @admin.display(description=_("owner"), ordering="owner")
    def whose(self, account: Account) -> str:
        return name_in(account, account.owner)

    @admin.display(description=_("balance"), ordering="balance")
    def holds(self, account: Account) -> str:
        return money(account.balance, account.currency)


class Amounts:
    """The amount columns of an entry, in the units of its currency."""

    @admin.display(description=_("amount"))
    def moved(self, entry: Entry) -> str:
        return money(entry.amount, entry.account.currency)

    @admin.display(description=_("balance after"))
    def left(self, entry: Entry) -> str:
        return money(entry.balance_after, entry.account.currency)


class EntryInline(Amounts, ReadOnly, TabularInline):  # type: ignore[misc]
    model = Entry
    fields = ["account", "moved", "left"]
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        entries: QuerySet[Entry] = super().get_queryset(request)
        return entries.select_related("account__currency")


@admin.register(Transaction)
class TransactionAdmin(InWords, ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ["id", "time", "what", "at", "about", "reason", "by_whom"]
    list_filter = [KindFilter]
    search_fields = ["=key", "=reference", "=book__name"]
    search_help_text = _(
        "A key, a reference such as hand:12, the name of a book, of a player or a table, or an"
        " amount, or a day such as 2026-11-23."
    )
    ordering = ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Transaction], search_term: str
    ) -> tuple[QuerySet[Transaction], bool]:
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        if search_term:
            further = Entry.objects.filter(in_words.entries_of(search_term)).values("transaction")
            found = queryset.filter(Q(pk__in=found.values("pk")) | Q(pk__in=further))
        return found, may_repeat

    @admin.display(description=_("what"), ordering="kind")
    def what(self, posting: Transaction) -> str:
        return in_words.kind_in_words(posting.kind)

    @admin.display(description=_("book"), ordering="book")
    def at(self, posting: Transaction) -> str:
        return name_in(posting, posting.book_id)

    @admin.display(description=_("about"), ordering="reference")
    def about(self, posting: Transaction) -> str:
        return name_in(posting, posting.reference)

    @admin.display(description=_("by whom"), ordering="actor")
    def by_whom(self, posting: Transaction) -> str:
        return name_in(posting, posting.actor)

    inlines = [EntryInline]
    show_full_result_count = False


@admin.register(Entry)
class EntryAdmin(InWords, Amounts, ReadOnly, ModelAdmin):  # type: ignore[misc]
    fields = ["transaction", "account", "moved", "left"]
    readonly_fields = fields
    list_display = ["id", "at", "what", "whose", "moved", "left", "about"]
    list_filter = [EntryKindFilter]
    list_select_related = ["transaction", "account__currency"]
    search_fields = ["=account__owner", "=transaction__reference"]
    search_help_text = _(
        "A reference such as player:12 or hand:12, the name of a player or a table, or an amount,"
        " or a day such as 2026-11-23."
    )
    ordering = ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Entry], search_term: str
    ) -> tuple[QuerySet[Entry], bool]:
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        if search_term:
            wanted = in_words.entries_of(search_term)
            found = queryset.filter(wanted | Q(pk__in=found.values("pk")))
        return found, may_repeat

    @admin.display(description=_("time"), ordering="transaction__time")
    def at(self, entry: Entry) -> datetime:
        return entry.transaction.time

    @admin.display(description=_("what"), ordering="transaction__kind")
    def what(self, entry: Entry) -> str:
        return in_words.kind_in_words(entry.transaction.kind)

    @admin.display(description=_("whose"), ordering="account")
    def whose(self, entry: Entry) -> str:
        kind = entry.account.get_kind_display()
        return format_html("{} · {}", kind, name_in(entry, entry.account.owner))

    @admin.display(description=_("about"), ordering="transaction__reference")
    def about(self, entry: Entry) -> str:
        return name_in(entry, entry.transaction.reference)

    show_full_result_count = False


@admin.register(Book)
class BookAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ["name", "position", "head"]
    search_fields = ["=name"]
    show_full_result_count = False


@admin.register(Closing)
class ClosingAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ["time", "books", "hash"]
    ordering = ["-id"]


class JackpotForm(Keyed, WholeUnitsForm, ModelForm):  # type: ignore[type-arg]
    """A jackpot's settings and the reason for them: saving moves the house's money at once."""

    key = key_field()
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
        return values

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
