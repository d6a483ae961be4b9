"""The ledger in the back office: operators edit currencies, and only read all else."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline

from wallets.models import Account, Book, Closing, Currency, Entry, Transaction
from wallets.office import ledger_words
from wallets.office.journalled_admin import Journalled
from wallets.office.lists import ColumnFilter, OfferedLookups, ReadOnly
from wallets.office.staff_pages import RECORDS, Menu
from wallets.pages.views import KINDS
from wallets.staff.permitted import money


@admin.register(Currency)
class CurrencyAdmin(Journalled, OfferedLookups, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        "currency_exchange",
        40,
        about=_("A currency is money of the house, play money, or the chips of tournaments."),
    )
    confirmed = True
    list_display = ["code", "name", "exponent", "kind"]

    def get_readonly_fields(self, request: HttpRequest, obj: Currency | None = None) -> list[str]:
        """Moving the decimal point would multiply all balances."""
        return [] if obj is None else ["code", "exponent", "kind"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class KindFilter(ColumnFilter):
    """By the kind of posting, as staff call it."""

    title = _("what")
    parameter_name = "posting"
    column = "kind"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        kinds = (*KINDS, *ledger_words.OF_THE_HOUSE)
        return [(kind, ledger_words.kind_in_words(kind)) for kind in kinds]


class EntryKindFilter(KindFilter):
    column = "transaction__kind"


class InWords:
    """A list whose references are names with links, read once for each page."""

    def get_changelist_instance(self, request: HttpRequest) -> object:
        shown: Any = super().get_changelist_instance(request)  # type: ignore[misc]
        shown.result_list = list(shown.result_list)
        known = ledger_words.named(
            reference for row in shown.result_list for reference in _references(row)
        )
        for row in shown.result_list:
            row.names = known
        return shown


# The accounts of players, which all who see money may read.
OF_PLAYERS: Final = (Account.Kind.PLAYER, Account.Kind.STACK, Account.Kind.ESCROW)


class OfPlayersAlone:
    """The house's accounts are for readers of the journal: cashiers count their tills blind."""

    kind_of_account = "account__kind"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        if request.user.has_perm("wallets.read_journal"):
            return rows
        return rows.filter(**{f"{self.kind_of_account}__in": OF_PLAYERS})


def _references(row: Account | Book | Entry | Transaction) -> Iterator[str]:
    if isinstance(row, Account):
        yield row.owner
    elif isinstance(row, Book):
        yield row.name
    elif isinstance(row, Entry):
        yield from (row.account.owner, row.transaction.reference)
    else:
        yield from (row.book_id, row.reference, row.actor)


def name_in(row: object, reference: str) -> str:
    """The name of a reference with its link, as the list has read them."""
    link = getattr(row, "names", {}).get(reference)
    if link is None:
        return ledger_words.words_of(reference, {})
    return format_html('<a href="{}">{}</a>', link.address, link.words)


@admin.register(Account)
class AccountAdmin(InWords, OfPlayersAlone, ReadOnly, ModelAdmin):  # type: ignore[misc]
    kind_of_account = "kind"
    menu = Menu(
        RECORDS,
        "account_balance_wallet",
        10,
        about=_("An account holds the money of a player, a seat, a till, a jackpot or the house."),
    )
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


class EntryInline(Amounts, OfPlayersAlone, ReadOnly, TabularInline):  # type: ignore[misc]
    model = Entry
    fields = ["account", "moved", "left"]
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        entries: QuerySet[Entry] = super().get_queryset(request)
        return entries.select_related("account__currency")


@admin.register(Transaction)
class TransactionAdmin(InWords, ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        "receipt_long",
        20,
        about=_("A transaction is one balanced posting: a hand, a deposit, a buy-in or a grant."),
    )
    list_display = ["id", "time", "what", "at", "about", "why", "by_whom"]
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
        transactions, may_repeat = super().get_search_results(request, queryset, search_term)
        if search_term:
            further = Entry.objects.filter(ledger_words.entries_of(search_term)).values(
                "transaction"
            )
            transactions = queryset.filter(Q(pk__in=transactions.values("pk")) | Q(pk__in=further))
        return transactions, may_repeat

    @admin.display(description=_("what"), ordering="kind")
    def what(self, posting: Transaction) -> str:
        return ledger_words.kind_in_words(posting.kind)

    @admin.display(description=_("book"), ordering="book")
    def at(self, posting: Transaction) -> str:
        return name_in(posting, posting.book_id)

    @admin.display(description=_("about"), ordering="reference")
    def about(self, posting: Transaction) -> str:
        return name_in(posting, posting.reference)

    @admin.display(description=_("reason"), ordering="reason")
    def why(self, posting: Transaction) -> str:
        """A reason of the house in the reader's language, and one of a person as it was written."""
        return gettext(posting.reason) if posting.reason else ""

    @admin.display(description=_("by whom"), ordering="actor")
    def by_whom(self, posting: Transaction) -> str:
        return name_in(posting, posting.actor)

    inlines = [EntryInline]
    show_full_result_count = False


@admin.register(Entry)
class EntryAdmin(InWords, Amounts, OfPlayersAlone, ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS, place=30, about=_("An entry is what one transaction moved on one account.")
    )
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
        entries, may_repeat = super().get_search_results(request, queryset, search_term)
        if search_term:
            wanted = ledger_words.entries_of(search_term)
            entries = queryset.filter(wanted | Q(pk__in=entries.values("pk")))
        return entries, may_repeat

    @admin.display(description=_("time"), ordering="transaction__time")
    def at(self, entry: Entry) -> datetime:
        return entry.transaction.time

    @admin.display(description=_("what"), ordering="transaction__kind")
    def what(self, entry: Entry) -> str:
        return ledger_words.kind_in_words(entry.transaction.kind)

    @admin.display(description=_("whose"), ordering="account")
    def whose(self, entry: Entry) -> str:
        kind = entry.account.get_kind_display()
        return format_html("{} · {}", kind, name_in(entry, entry.account.owner))

    @admin.display(description=_("about"), ordering="transaction__reference")
    def about(self, entry: Entry) -> str:
        return name_in(entry, entry.transaction.reference)

    show_full_result_count = False


@admin.register(Book)
class BookAdmin(InWords, ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        place=110,
        about=_("A book is a chain of transactions: that of a table, a tournament or the cashier."),
    )
    list_display = ["title", "position", "head"]
    fields = ["name", "position", "head"]
    search_fields = ["=name"]
    show_full_result_count = False

    @admin.display(description=_("name"), ordering="name")
    def title(self, book: Book) -> str:
        return name_in(book, book.name)


@admin.register(Closing)
class ClosingAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    menu = Menu(
        RECORDS,
        place=120,
        about=_("A closing is made each day when the ledger adds up: one hash over all books."),
    )
    list_display = ["time", "books", "hash"]
    ordering = ["-id"]
