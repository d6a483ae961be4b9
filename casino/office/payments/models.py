"""Payments from outside and back, and where a provider's list differs from the ledger.

The money itself is in the ledger: what a provider keeps for the house is what its issue account
owes. A row says what was asked for, how far it is, and which posting it came to.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.utils.translation import pgettext_lazy as _p

from wallets.models import Currency
from wallets.models.staff_models import REASON_MAX
from wallets.storage.sealed_columns import SealedField, SealedText
from wallets.values import AMOUNT_MAX
from wallets.values.columns import of_record

NAME_MAX: Final = 20
REFERENCE_MAX: Final = 255
ADDRESS_MAX: Final = 2_000
ERROR_MAX: Final = 200
DESTINATION_MAX: Final = 200
# Why a deposit was not opened, as its player reads it.
NOT_OPENED: Final = _n("The provider did not answer in time.")


@of_record(
    by="player:payment.start player:payment.ask player:payment.cancel house:payment.advance "
    "house:payment.dispute payment.receive payment.book payment.pay payment.refund payment.refuse "
    "payment.take_back payment.bear payment.give_back",
    free={
        "when a provider is asked next": "next_at attempts last_error",
        "a page of the provider, which ends with the payment": "address",
        "sealed for its row by a key of the house": "sealed_destination",
    },
)
class Payment(models.Model):
    """Money that comes in from outside, or goes out, also because a payer's bank took it back."""

    class Way(models.TextChoices):
        IN = "in", _("deposit")
        OUT = "out", _("withdrawal")
        CHARGEBACK = "cb", _("chargeback")

    class Status(models.TextChoices):
        # In.
        STARTED = "started", _p("payment", "started")
        CONFIRMED = "confirmed", _p("payment", "paid in")
        FAILED = "failed", _p("payment", "not paid")
        DIFFERS = "differs", _p("payment", "paid otherwise than asked")
        REFUNDING = "refunding", _p("payment", "being returned")
        REFUNDED = "refunded", _p("payment", "returned to the payer")
        # Out.
        ASKED = "asked", _p("payment", "waiting")
        SENDING = "sending", _p("payment", "on its way")
        PAID = "paid", _p("payment", "paid out")
        RETURNED = "returned", _p("payment", "not possible, returned to the wallet")
        # Of a chargeback: at first a bank may only ask. The provider pays it as soon as it is
        # disputed, and a person says who bears it.
        INQUIRED = "inquired", _p("payment", "asked about by the payer's bank")
        DISPUTED = "disputed", _p("payment", "disputed by the payer")
        TAKEN = "taken", _p("payment", "taken back from the wallet")
        BORNE = "borne", _p("payment", "borne by the house")
        WON = "won", _p("payment", "decided for the house")
        # By a person.
        REFUSED = "refused", _p("payment", "refused")
        CANCELLED = "cancelled", _p("payment", "cancelled")

    way = models.CharField(_("kind"), max_length=3, choices=Way)
    provider = models.CharField(_("provider"), max_length=NAME_MAX)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    currency = models.ForeignKey(Currency, models.PROTECT, related_name="+")
    amount = models.BigIntegerField(_("amount"))
    status = models.CharField(
        _("status"), max_length=10, choices=Status, default=Status.STARTED.value
    )
    made_at = models.DateTimeField(_("made"))
    decided_at = models.DateTimeField(_("decided at"), null=True)
    # The provider's name of it; of a refund, the refund's.
    provider_reference = models.CharField(
        _("reference of the provider"), max_length=REFERENCE_MAX, blank=True
    )
    # Of a deposit that was not posted: the provider's name of its return.
    refund_reference = models.CharField(max_length=REFERENCE_MAX, blank=True)
    # Of money that goes back where it came from, or was taken back: that payment.
    source = models.ForeignKey("self", models.PROTECT, null=True, related_name="refunds")
    # Of a transfer: where to, as the player wrote it.
    sealed_destination = SealedField(_("destination"), key=("key",), editable=False, blank=True)
    destination = SealedText("sealed_destination")
    # Why it was refused or not possible, as the player reads it.
    words = models.CharField(_("reason"), max_length=REASON_MAX, blank=True)
    # What the provider says was paid, if that is not what was asked for.
    paid_amount = models.BigIntegerField(_("paid"), null=True)
    paid_currency = models.CharField(_("paid in"), max_length=16, blank=True)
    # In the ledger: the deposit, or the withdrawal.
    posting = models.BigIntegerField(_("ledger transaction"), null=True)
    # Of the form, of the posting that sets money aside, and at the provider.
    key = models.UUIDField(_("key"), unique=True)
    posting_key = models.UUIDField(_("key"), null=True, unique=True)
    address = models.CharField(max_length=ADDRESS_MAX, blank=True)
    next_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=ERROR_MAX, blank=True)

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        ordering = ["-pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "provider_reference"],
                condition=~Q(provider_reference=""),
                name="payment_of_a_reference",
            ),
            models.CheckConstraint(
                condition=Q(amount__range=(1, AMOUNT_MAX)), name="payment_of_an_amount"
            ),
        ]
        indexes = [
            models.Index("next_at", name="payment_due", condition=Q(next_at__isnull=False)),
            models.Index(fields=["player", "-id"], name="payment_of_player"),
        ]

    def __str__(self) -> str:
        return f"P{self.pk}"

    @property
    def reference(self) -> str:
        """The name in journal and ledger."""
        return f"payment:{self.pk}"

    @property
    def came(self) -> int:
        """What its posting moves: what was asked for, or what came instead."""
        return self.amount if self.paid_amount is None else self.paid_amount

    @property
    def is_owed(self) -> bool:
        """Whether a chargeback was posted whose dispute the house has won."""
        return self.status == self.Status.WON and self.posting_key is not None

    @property
    def is_open_transfer(self) -> bool:
        """Whether it is a transfer that has not arrived, which no provider will confirm."""
        return self.status == self.Status.STARTED and self.provider == "transfer"

    @property
    def target(self) -> str:
        """Where a transfer goes to; empty if the provider knows it."""
        return self.destination if self.sealed_destination else ""


@of_record(by="house:payments.reconcile payment.explain")
class Difference(models.Model):
    """A payment about which a provider's list and the ledger do not say the same."""

    class What(models.TextChoices):
        NOT_HERE = "not_here", _("the provider has it, the ledger does not")
        NOT_THERE = "not_there", _("the ledger has it, the provider does not")
        AMOUNT = "amount", _("the amounts or currencies differ")

    provider = models.CharField(_("provider"), max_length=NAME_MAX)
    provider_reference = models.CharField(_("reference of the provider"), max_length=REFERENCE_MAX)
    what = models.CharField(_("what differs"), max_length=10, choices=What)
    payment = models.ForeignKey(Payment, models.PROTECT, null=True, related_name="+")
    # Both sides in minor units, each with its currency; empty where one side has nothing.
    here = models.CharField(_("in the ledger"), max_length=40, blank=True)
    there = models.CharField(_("at the provider"), max_length=40, blank=True)
    found_at = models.DateTimeField(_("found"))
    # Since when both say the same again, or a member of staff has said why they do not.
    closed_at = models.DateTimeField(_("settled"), null=True)
    closed_by_name = models.CharField(_("settled by"), max_length=150, blank=True)
    words = models.CharField(_("reason"), max_length=REASON_MAX, blank=True)

    class Meta:
        verbose_name = _("difference")
        verbose_name_plural = _("differences")
        ordering = ["-pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "provider_reference", "what"], name="difference_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.provider_reference}"

    @property
    def reference(self) -> str:
        return f"difference:{self.pk}"
