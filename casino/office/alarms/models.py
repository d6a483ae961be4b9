"""Alarms, their deliveries, and what is remembered between two checks."""

from typing import Final
from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallets.models.staff_models import REASON_MAX, REFERENCE_MAX
from wallets.storage.sealed_columns import DigestField, SealedField, SealedText
from wallets.values.columns import free, of_record

ERROR_MAX: Final = 300


@of_record(free={"measured again at each look": "figures"}, by="house:alarms.look alarm.take")
class Alarm(models.Model):
    """A state that a condition has found; the database holds one open row for a state at most.

    `figures` fill in the sentence of the condition, so every reader has it in their own language.
    """

    kind = models.CharField(_("condition"), max_length=40)
    # The opaque reference of what it is about, as in the journal.
    subject = models.CharField(_("object"), max_length=REFERENCE_MAX)
    figures = models.JSONField(_("figures"), default=dict)
    raised_at = models.DateTimeField(_("raised"))
    cleared_at = models.DateTimeField(_("cleared"), null=True)
    taken_by = models.CharField(_("taken by"), max_length=REFERENCE_MAX, blank=True)
    # The name at that time.
    taken_by_name = models.CharField(_("taken by"), max_length=150, blank=True)
    taken_at = models.DateTimeField(_("taken"), null=True)
    note = models.CharField(_("note"), max_length=REASON_MAX, blank=True)

    class Meta:
        verbose_name = _("alarm")
        verbose_name_plural = _("alarms")
        default_permissions = ()
        permissions = [
            ("see_alarm", "Can see the alarms of the role"),
            ("take_alarm", "Can take an alarm, with a note"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(cleared_at__isnull=True),
                name="one_open_alarm_a_state",
            ),
        ]
        indexes = [
            models.Index(fields=["kind", "subject"], name="alarm_of_state"),
            models.Index("raised_at", name="alarm_open", condition=Q(cleared_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"

    @property
    def reference(self) -> str:
        return f"alarm:{self.pk}"


@free("the way of an alarm or anchor to its addresses")
class Delivery(models.Model):
    """An alarm or an anchor on its way to one address.

    `next_at` is empty once it arrived or was given up.
    """

    class Channel(models.TextChoices):
        EMAIL = "email", _("e-mail")
        WEBHOOK = "webhook", _("webhook")
        WITNESS = "witness", _("outside witness")

    alarm = models.ForeignKey(Alarm, models.CASCADE, related_name="deliveries", null=True)
    anchor = models.ForeignKey("games.Anchor", models.CASCADE, related_name="deliveries", null=True)
    channel = models.CharField(_("channel"), max_length=8, choices=Channel)
    # Webhooks are often addresses that only those may know who may write there.
    sealed_address = SealedField(
        _("address"),
        key=("channel", "address_digest", "alarm_id", "anchor_id"),
        editable=False,
    )
    address_digest = DigestField(of="sealed_address")
    address = SealedText("sealed_address")
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), null=True)
    delivered_at = models.DateTimeField(_("delivered"), null=True)
    last_error = models.CharField(_("last error"), max_length=ERROR_MAX, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["alarm", "channel", "address_digest"], name="one_delivery_an_address"
            ),
            models.UniqueConstraint(
                fields=["anchor", "channel", "address_digest"], name="one_delivery_of_an_anchor"
            ),
            models.CheckConstraint(
                condition=Q(alarm__isnull=True) ^ Q(anchor__isnull=True),
                name="delivery_of_alarm_or_anchor",
            ),
        ]
        indexes = [
            models.Index("next_at", name="delivery_due", condition=Q(next_at__isnull=False)),
        ]

    def __str__(self) -> str:
        what = f"anchor {self.anchor_id}" if self.alarm_id is None else f"alarm {self.alarm_id}"
        return f"{what} by {self.channel}"

    @property
    def place(self) -> str:
        """The address, as staff may read it: of a webhook the machine, not what opens it."""
        if self.channel == self.Channel.EMAIL:
            return self.address
        parts = urlsplit(self.address)
        return parts.netloc.rpartition("@")[2]


@free("when an alarm was last looked for")
class Look(models.Model):
    """The time of the last check of a condition; a process locks the row while it checks."""

    kind = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.kind


@free("the last run of a check, which runs again")
class CheckResult(models.Model):
    """The finding of the last run of a periodic check of the ledger or the records."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()
    found = models.PositiveIntegerField()
    first = models.TextField(blank=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
