"""Tills, shifts, counts, receipts, and the withdrawals that players ask for.

The money itself is in the ledger: a till and the vault hold what their issue accounts owe
(`casino/office/desk/cash.py`). These rows say who was at the till, what was counted, and what was
printed.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from wallets.models import Currency
from wallets.models.staff_models import REASON_MAX
from wallets.values import AMOUNT_MAX
from wallets.values.columns import of_record

NAME_MAX: Final = 40
NUMBER_MAX: Final = 20


@of_record(by="till.add house:desk.open_vault")
class Till(models.Model):
    """A drawer of cash, or the vault, of which there is one."""

    name = models.CharField(_("name"), max_length=NAME_MAX, unique=True)
    is_vault = models.BooleanField(_("vault"), default=False)

    class Meta:
        verbose_name = _("till")
        verbose_name_plural = _("tills")
        ordering = ["pk"]
        default_permissions = ()
        permissions = [
            ("work_till", "Can work at a till, in shifts of their own"),
            ("see_every_till", "Can see the tills, shifts and receipts of everybody"),
            ("manage_tills", "Can add tills, and move cash into the house and out of it"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["is_vault"], condition=Q(is_vault=True), name="till_one_vault"
            ),
        ]

    def __str__(self) -> str:
        return str(_("Vault")) if self.is_vault else self.name

    @property
    def reference(self) -> str:
        """The name in journal and ledger."""
        return f"till:{self.pk}"


@of_record(by="shift.open shift.close")
class Shift(models.Model):
    """One cashier at one till, from the opening count to the closing count."""

    till = models.ForeignKey(Till, models.PROTECT, related_name="shifts")
    cashier = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    # As it was at that time.
    cashier_name = models.CharField(_("cashier"), max_length=150)
    opened_at = models.DateTimeField(_("opened"))
    closed_at = models.DateTimeField(_("closed"), null=True)
    # A form that is sent twice opens one shift.
    key = models.UUIDField(unique=True)

    class Meta:
        verbose_name = _("shift")
        verbose_name_plural = _("shifts")
        ordering = ["-pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["till"], condition=Q(closed_at=None), name="shift_one_open_a_till"
            ),
            models.UniqueConstraint(
                fields=["cashier"], condition=Q(closed_at=None), name="shift_one_open_a_cashier"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(closed_at__gte=F("opened_at")),
                name="shift_closed_after_opened",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.till} {self.pk}"

    @property
    def reference(self) -> str:
        return f"shift:{self.pk}"


@of_record(by="shift.open shift.close shift.count")
class Count(models.Model):
    """A count of a till in one currency, and the ledger's amount at that moment."""

    class Kind(models.TextChoices):
        OPENING = "opening", _("opening count")
        BETWEEN = "between", _("count in between")
        CLOSING = "closing", _("closing count")

    shift = models.ForeignKey(Shift, models.PROTECT, related_name="counts")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    currency = models.ForeignKey(Currency, models.PROTECT, related_name="+")
    counted = models.BigIntegerField(_("counted"))
    expected = models.BigIntegerField(_("should be there"))
    # How many of each note and coin, by minor units; empty if the sum was typed.
    pieces = models.JSONField(_("notes and coins"), default=dict)
    words = models.CharField(_("explanation"), max_length=REASON_MAX, blank=True)
    at = models.DateTimeField(_("time"))
    # Of the form: a count that is sent twice is stored once.
    key = models.UUIDField()

    class Meta:
        verbose_name = _("count")
        verbose_name_plural = _("counts")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["key", "currency"], name="count_once"),
            models.CheckConstraint(
                condition=Q(counted__range=(0, AMOUNT_MAX), expected__gte=0),
                name="count_not_below_zero",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.shift} {self.kind}"

    @property
    def variance(self) -> int:
        return self.counted - self.expected


@of_record(
    by="desk.deposit desk.withdrawal desk.pay desk.correct desk.transfer shift.open shift.close "
    "receipt.print"
)
class Receipt(models.Model):
    """A receipt as it was printed: one for each posting of the desk."""

    class Kind(models.TextChoices):
        DEPOSIT = "deposit", _("Deposit")
        WITHDRAWAL = "withdrawal", _("Withdrawal")
        CORRECTION = "correction", _("Correction")
        TRANSFER = "transfer", _("Transfer")
        VARIANCE = "variance", _("Variance")

    number = models.CharField(_("receipt"), max_length=NUMBER_MAX, unique=True)
    day = models.DateField(_("gaming day"))
    serial = models.PositiveIntegerField()
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    # The till and the shift; a correction after a shift has neither.
    till = models.ForeignKey(Till, models.PROTECT, null=True, related_name="receipts")
    shift = models.ForeignKey(Shift, models.PROTECT, null=True, related_name="receipts")
    # Of a transfer, where the cash went; none is outside the house.
    to_till = models.ForeignKey(Till, models.PROTECT, null=True, related_name="+")
    to_shift = models.ForeignKey(Shift, models.PROTECT, null=True, related_name="+")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    corrects = models.ForeignKey("self", models.PROTECT, null=True, related_name="corrections")
    currency = models.ForeignKey(Currency, models.PROTECT, related_name="+")
    # The cash paid into the till; negative if it was paid out.
    amount = models.BigIntegerField(_("amount"))
    wallet_after = models.BigIntegerField(_("wallet after"), null=True)
    till_after = models.BigIntegerField(_("till after"), null=True)
    cashier = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    cashier_name = models.CharField(_("cashier"), max_length=150)
    second_name = models.CharField(_("second person"), max_length=150, blank=True)
    reason = models.CharField(_("reason"), max_length=REASON_MAX)
    # Of the posting in the ledger.
    key = models.UUIDField(_("key"), unique=True)
    posting = models.BigIntegerField(_("ledger transaction"))
    at = models.DateTimeField(_("time"))
    prints = models.PositiveSmallIntegerField(_("printed"), default=0)

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        ordering = ["-pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["day", "serial"], name="receipt_in_line"),
            models.CheckConstraint(condition=~Q(amount=0), name="receipt_moves_something"),
        ]
        indexes = [
            models.Index(fields=["player", "-id"], name="receipt_of_player"),
            models.Index(fields=["amount", "-id"], name="receipt_of_amount"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def reference(self) -> str:
        return f"receipt:{self.pk}"

    @property
    def way(self) -> str:
        """Of a transfer, from where cash went to where."""
        ends = [str(self.till), str(self.to_till or _("Outside the house"))]
        # A receipt is about the till that cash leaves; from outside, about the one that it enters.
        return " → ".join(ends if self.amount < 0 else reversed(ends))


@of_record(by="player:withdrawal.ask player:withdrawal.cancel withdrawal.refuse desk.pay")
class WithdrawalRequest(models.Model):
    """A player asks for money at the desk; it is set aside until it is paid, or refused."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        PAID = "paid", _("paid out")
        REFUSED = "refused", _("refused")
        CANCELLED = "cancelled", _("cancelled")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    currency = models.ForeignKey(Currency, models.PROTECT, related_name="+")
    amount = models.BigIntegerField(_("amount"))
    made_at = models.DateTimeField(_("made"))
    status = models.CharField(
        _("status"), max_length=10, choices=Status, default=Status.WAITING.value
    )
    decided_at = models.DateTimeField(_("decided at"), null=True)
    # Why it was refused, as the player reads it.
    words = models.CharField(_("reason"), max_length=REASON_MAX, blank=True)
    receipt = models.OneToOneField(Receipt, models.PROTECT, null=True, related_name="request")
    # Of the player's form, and of the posting that set the money aside.
    key = models.UUIDField(_("key"), unique=True)

    class Meta:
        verbose_name = _("request for a withdrawal")
        verbose_name_plural = _("requests for withdrawals")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["player", "currency"],
                condition=Q(status="waiting"),
                name="request_one_waiting",
            ),
            models.CheckConstraint(
                condition=Q(amount__range=(1, AMOUNT_MAX)), name="request_of_an_amount"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.amount}"

    @property
    def reference(self) -> str:
        return f"withdrawalrequest:{self.pk}"
