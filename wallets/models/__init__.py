"""The tables of the ledger: currencies, accounts, books, transactions, entries, and closings.

Transactions, entries and closings are append-only, and a balance only follows its entries: database
triggers enforce this for every writer (`wallets/sql`). `docs/ledger.md` says why.
"""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from wallets.storage.sealed_columns import SealedField
from wallets.values import AMOUNT_MAX, house
from wallets.values.columns import NUMBER, derived, of_record

# The largest balance either way, in minor units.
BALANCE_MAX: Final = 10**18

# References to owners are short: `player:12`.
OWNER_MAX: Final = 64

# The chain of a book starts here.
FIRST_HASH: Final = "0" * 64


# The currencies whose codes readers of other languages would not understand.
_UNITS: Final = {"PLAY": pgettext_lazy("a currency", "PLAY")}


def unit_of(code: str) -> str:
    """The currency's word after an amount, in the reader's language: its name, or its code."""
    return house.current().unit(code) or str(_UNITS.get(code, code))


@of_record(
    by="command:found currency.add currency.change tournament.announce "
    "house:tournament.announce_due series.begin player:evening.open player:evening.rematch"
)
class Currency(models.Model):
    """A unit of account. Play money and tournament chips are currencies of their own."""

    class Kind(models.TextChoices):
        MONEY = "money", _("money")
        PLAY = "play", _("play money")
        CHIPS = "chips", _("tournament chips")

    code = models.CharField(_("code"), max_length=8, primary_key=True)
    name = models.CharField(_("name"), max_length=40)
    exponent = models.PositiveSmallIntegerField(
        _("exponent"), default=2, help_text=_("The number of digits after the decimal point.")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.MONEY)

    class Meta:
        verbose_name = _("currency")
        verbose_name_plural = _("currencies")
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(condition=Q(exponent__lte=8), name="currency_exponent_small"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def is_chips(self) -> bool:
        """Whether it counts only inside of a tournament, so that no sum of money has it."""
        return self.kind == Currency.Kind.CHIPS

    @property
    def unit(self) -> str:
        """The words that follow an amount."""
        return gettext("chips") if self.is_chips else unit_of(self.code)


@derived("ledger")
class Account(models.Model):
    """The money of one owner in one currency for one purpose.

    `owner` is an opaque reference such as `player:12` or `table:7`: the ledger does not know what a
    table is.
    """

    class Kind(models.TextChoices):
        PLAYER = "player", _("player's wallet")
        STACK = "stack", _("stack at a table")
        ESCROW = "escrow", _("held in escrow")
        HOUSE = "house", _("house bank")
        RAKE = "rake", _("rake")
        JACKPOT = "jackpot", _("jackpot pool")
        PRIZE = "prize", _("prize pool")
        FEE = "fee", _("fees")
        ISSUE = "issue", _("issued money")
        PROMOTION = "promotion", _("promotions")
        BONUS = "bonus", _("bonus of a player")

    # Players' money must never be negative. The house's own accounts may be.
    NEVER_OWING: Final = (Kind.PLAYER, Kind.STACK, Kind.ESCROW, Kind.PRIZE, Kind.BONUS)

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    owner = models.CharField(_("owner"), max_length=OWNER_MAX)
    currency = models.ForeignKey(
        Currency,
        models.PROTECT,
        verbose_name=_("currency"),
        related_name="accounts",
        db_index=False,
    )
    balance = models.BigIntegerField(_("balance"), default=0)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(fields=["kind", "owner", "currency"], name="account_once"),
            models.CheckConstraint(
                condition=~Q(kind__in=["player", "stack", "escrow", "prize", "bonus"])
                | Q(balance__gte=0),
                name="account_not_overdrawn",
            ),
            models.CheckConstraint(
                condition=Q(balance__range=(-BALANCE_MAX, BALANCE_MAX)),
                name="account_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.owner} {self.currency_id}"


@derived("ledger")
class Book(models.Model):
    """The scope of one chain of hashes: a table, the cashier, or a tournament.

    A posting waits only for postings to its own book and for those that touch the same accounts.
    """

    name = models.CharField(_("name"), max_length=64, primary_key=True)
    position = models.BigIntegerField(_("transactions"), default=0)
    head = models.CharField(_("head"), max_length=64, default=FIRST_HASH)

    class Meta:
        verbose_name = _("book")
        verbose_name_plural = _("books")

    def __str__(self) -> str:
        return self.name


@derived("ledger")
class Transaction(models.Model):
    """A movement of money that sums to zero, under a key that is used once."""

    key = models.UUIDField(_("key"), unique=True)
    kind = models.CharField(_("kind"), max_length=32)
    book = models.ForeignKey(Book, models.PROTECT, verbose_name=_("book"), db_index=False)
    position = models.BigIntegerField(_("position"))
    reference = models.CharField(_("reference"), max_length=64, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    actor = models.CharField(_("actor"), max_length=64, blank=True)
    time = models.DateTimeField(_("time"))
    digest = models.CharField(_("digest"), max_length=64)
    previous = models.CharField(_("previous hash"), max_length=64)
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        verbose_name = _("transaction")
        verbose_name_plural = _("transactions")
        constraints = [
            models.UniqueConstraint(fields=["book", "position"], name="transaction_in_line"),
        ]
        indexes = [
            models.Index(
                fields=["reference"], name="transaction_reference", condition=~Q(reference="")
            ),
        ]

    def __str__(self) -> str:
        return str(self.key)


@derived("ledger", free={NUMBER: "id"})
class Entry(models.Model):
    """The effect of one transaction on one account."""

    # The names of the two indexes that the foreign keys would create are below.
    transaction = models.ForeignKey(
        Transaction,
        models.PROTECT,
        verbose_name=_("transaction"),
        related_name="entries",
        db_index=False,
    )
    account = models.ForeignKey(
        Account,
        models.PROTECT,
        verbose_name=_("account"),
        related_name="entries",
        db_index=False,
    )
    amount = models.BigIntegerField(_("amount"))
    balance_after = models.BigIntegerField(_("balance after"))

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(fields=["transaction", "account"], name="entry_once"),
            models.CheckConstraint(
                condition=~Q(amount=0) & Q(amount__range=(-AMOUNT_MAX, AMOUNT_MAX)),
                name="entry_within_bounds",
            ),
        ]
        indexes = [models.Index(fields=["account", "id"], name="entry_of_account")]

    def __str__(self) -> str:
        return f"{self.amount:+d}"


@of_record(by="house:books.close")
class Closing(models.Model):
    """One published hash over all books at one moment: nothing before it can change."""

    time = models.DateTimeField(_("time"), default=timezone.now)
    books = models.BigIntegerField(_("books that moved"))
    previous = models.CharField(_("previous hash"), max_length=64)
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        verbose_name = _("closing")
        verbose_name_plural = _("closings")
        constraints = [
            # A closing has one predecessor, so two concurrent closings cannot both be written.
            models.UniqueConstraint(fields=["previous"], name="closing_in_line"),
        ]

    def __str__(self) -> str:
        return self.hash


@derived("closings", free={NUMBER: "id"})
class ClosingHead(models.Model):
    """The position of a book at a closing, if the book had moved since the previous one."""

    closing = models.ForeignKey(Closing, models.PROTECT, related_name="heads")
    book = models.ForeignKey(Book, models.PROTECT, db_index=False)
    position = models.BigIntegerField()
    head = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["book", "position"], name="closing_head_once"),
        ]


@of_record(by="jackpot.open jackpot.change jackpot.drain")
class Jackpot(models.Model):
    """A pool that bonus bets fill and that a hit, or the trigger of a mystery prize, empties."""

    class Kind(models.TextChoices):
        PROGRESSIVE = "progressive", _("progressive jackpot")
        MYSTERY = "mystery", _("mystery prize")

    name = models.CharField(_("name"), max_length=40, unique=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    pool = models.OneToOneField(
        Account, models.PROTECT, verbose_name=_("pool"), related_name="jackpot", editable=False
    )
    seed = models.BigIntegerField(
        _("seed"),
        default=0,
        help_text=_("The amount to which the house refills the pool after a hit."),
    )
    reserve = models.BigIntegerField(
        _("reserve"),
        default=0,
        help_text=_("The pool's reserve beyond the amount shown, for hits at two tables at once."),
    )
    share_bp = models.PositiveSmallIntegerField(
        _("share"),
        default=1_000,
        help_text=_(
            "The share of every bonus bet that goes into the pool, in hundredths of a percent."
        ),
    )
    lowest = models.BigIntegerField(_("lowest prize"), default=10_000)
    highest = models.BigIntegerField(_("highest prize"), default=50_000)
    active = models.BooleanField(_("active"), default=True)

    class Meta:
        verbose_name = _("jackpot")
        verbose_name_plural = _("jackpots")
        constraints = [
            models.CheckConstraint(
                condition=Q(seed__range=(0, AMOUNT_MAX)) & Q(reserve__range=(0, AMOUNT_MAX)),
                name="jackpot_seed_and_reserve",
                violation_error_message=_("Seed and reserve cannot be negative."),
            ),
            models.CheckConstraint(
                condition=Q(share_bp__lte=10_000),
                name="jackpot_share",
                violation_error_message=_("A share cannot exceed 10,000 hundredths of a percent."),
            ),
            models.CheckConstraint(
                condition=Q(lowest__gte=1, highest__lte=AMOUNT_MAX) & Q(lowest__lte=F("highest")),
                name="jackpot_prizes_in_order",
                violation_error_message=_("The lowest prize cannot exceed the highest."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


@of_record(
    digested="sealed", by="house:jackpot.commit house:jackpot.open_trigger house:secrets.reseal"
)
class Trigger(models.Model):
    """The amount at which a mystery prize is won: drawn, published as a hash, opened later.

    Only the games know what the texts mean: the ledger stores them and never changes them.
    """

    jackpot = models.ForeignKey(Jackpot, models.PROTECT, related_name="triggers")
    number = models.PositiveIntegerField(_("number"))
    published = models.CharField(_("published hash"), max_length=128)
    sealed = SealedField(
        _("sealed secret"),
        key=("jackpot_id", "number"),
        resealed=Q(opened_at=None),
        editable=False,
    )
    opened = models.CharField(_("opened"), max_length=200, blank=True)
    reference = models.CharField(_("won in"), max_length=64, blank=True)
    committed_at = models.DateTimeField(_("committed at"), default=timezone.now)
    opened_at = models.DateTimeField(_("opened at"), null=True)

    class Meta:
        verbose_name = _("trigger")
        verbose_name_plural = _("triggers")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="trigger_in_line"),
            models.UniqueConstraint(
                fields=["jackpot"], condition=Q(opened_at=None), name="trigger_one_closed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id}:{self.number}"


# The rows about staff and the record are models of this app, too.
from wallets.models.record_models import ClosingDigest, RecordedChange  # noqa: E402, F401
from wallets.models.staff_models import HouseLimit, JournalEntry, Proposal  # noqa: E402, F401
