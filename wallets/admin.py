"""Money for operators: currencies and jackpots can be set, the ledger can only be read."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.forms import ModelChoiceField, ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline

from wallets import jackpots
from wallets.amounts import show_amount
from wallets.models import Account, Book, Closing, Currency, Entry, Jackpot, Transaction, Trigger


def money(amount: int, currency: Currency) -> str:
    """An amount and its currency."""
    return f"{show_amount(amount, currency)} {currency.code}"


class OfferedLookups:
    """A list is narrowed by what it offers as a filter, and by nothing else.

    A column that no page shows could be read all the same by asking for its values in the address,
    one after the other, and looking what is found.
    """

    list_filter: Any = ()
    date_hierarchy: Any = None

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        offered = [one if isinstance(one, str) else one[0] for one in self.list_filter]
        return lookup.split("__", maxsplit=1)[0] in (*offered, self.date_hierarchy)


class ReadOnly(OfferedLookups):
    """Nobody adds, changes or deletes here, whatever rights they have been given."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Currency)
class CurrencyAdmin(OfferedLookups, ModelAdmin):  # type: ignore[misc]
    list_display = ["code", "name", "exponent", "kind"]

    def get_readonly_fields(self, request: HttpRequest, obj: Currency | None = None) -> list[str]:
        """A point that moves would multiply everybody's money."""
        return [] if obj is None else ["code", "exponent", "kind"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Account)
class AccountAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ["id", "kind", "owner", "holds"]
    list_filter = ["kind", "currency"]
    search_fields = ["owner"]
    list_select_related = ["currency"]
    show_full_result_count = False

    @admin.display(description=_("balance"), ordering="balance")
    def holds(self, account: Account) -> str:
        return money(account.balance, account.currency)


class Amounts:
    """The columns of an entry that are money, in the units of its currency."""

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
class TransactionAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ["id", "time", "kind", "book", "position", "reference", "reason", "actor"]
    search_fields = ["=key", "=reference", "=book__name"]
    search_help_text = _("A key, a reference such as hand:12, or the name of a book, in full.")
    ordering = ["-id"]
    inlines = [EntryInline]
    show_full_result_count = False


@admin.register(Entry)
class EntryAdmin(Amounts, ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ["id", "transaction", "account", "moved", "left"]
    list_select_related = ["transaction", "account__currency"]
    search_fields = ["=account__owner", "=transaction__reference"]
    ordering = ["-id"]
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


class JackpotForm(ModelForm):  # type: ignore[type-arg]
    """A jackpot's currency is asked for once, when its pool is opened."""

    class Meta:
        model = Jackpot
        fields = ["name", "kind", "seed", "reserve", "share_bp", "lowest", "highest", "active"]


class NewJackpotForm(JackpotForm):
    currency = ModelChoiceField(Currency.objects.all(), label=_("currency"))


class TriggerInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Trigger
    fields = ["number", "committed_at", "published", "opened_at", "opened", "reference"]
    readonly_fields = fields


@admin.register(Jackpot)
class JackpotAdmin(OfferedLookups, ModelAdmin):  # type: ignore[misc]
    list_display = ["name", "kind", "shown", "active"]
    list_select_related = ["pool__currency"]
    inlines = [TriggerInline]

    @admin.display(description=_("pool"))
    def shown(self, jackpot: Jackpot) -> str:
        return money(jackpots.amount(jackpot), jackpot.pool.currency)

    def get_form(
        self, request: HttpRequest, obj: Jackpot | None = None, **options: Any
    ) -> type[JackpotForm]:
        form = NewJackpotForm if obj is None else JackpotForm
        found: type[JackpotForm] = super().get_form(request, obj, form=form, **options)
        return found

    def get_readonly_fields(self, request: HttpRequest, obj: Jackpot | None = None) -> list[str]:
        """The name is part of the pool's account, the kind of the rules that were played by."""
        return [] if obj is None else ["name", "kind"]

    def save_model(
        self, request: HttpRequest, obj: Jackpot, form: JackpotForm, change: bool
    ) -> None:
        if change:
            super().save_model(request, obj, form, change)
            return
        told = dict(form.cleaned_data)
        name, kind, currency = told.pop("name"), told.pop("kind"), told.pop("currency")
        actor = f"player:{request.user.pk}"
        created = jackpots.create(name, kind, currency, actor=actor, **told)
        obj.pk, obj.pool = created.pk, created.pool

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
