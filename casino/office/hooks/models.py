"""Subscriptions of other programs, the events of the house, and the delivery of each message."""

from typing import Final
from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallets.storage.sealed_columns import SealedField, SealedText
from wallets.values.columns import free, of_record

NAME_MAX: Final = 40
ADDRESS_MAX: Final = 500
KEY_MAX: Final = 100


@of_record(
    by="hook.subscribe hook.end",
    free={"sealed for its row by a key of the house": "sealed_secret"},
)
class Endpoint(models.Model):
    """A program outside the house, and the kinds of events that it receives."""

    name = models.CharField(_("name"), max_length=NAME_MAX, unique=True)
    # It holds no password: what proves the sender is the signature.
    address = models.CharField(_("address"), max_length=ADDRESS_MAX)
    kinds = models.JSONField(_("events"))
    sealed_secret = SealedField(_("secret"), key=("name",), editable=False)
    secret = SealedText("sealed_secret")
    made_at = models.DateTimeField(_("made"))
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["pk"]
        default_permissions = ()
        permissions = [
            ("see_hooks", "Can see webhooks and what was sent"),
            ("manage_hooks", "Can add webhooks, end them and send again"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def reference(self) -> str:
        """The name in the journal."""
        return f"endpoint:{self.pk}"

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc


@free("a copy of what other rows of record say")
class Happening(models.Model):
    """Something that has happened, found in the rows of its own transaction, once."""

    # The id of the message, by which its receivers know a repeated one.
    code = models.UUIDField(unique=True)
    kind = models.CharField(_("event"), max_length=40)
    # The row that says so.
    key = models.CharField(max_length=KEY_MAX)
    data = models.JSONField(_("what it says"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="happening_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


@free("the way of an event to a program")
class Sending(models.Model):
    """An event on its way to an endpoint; `next_at` is empty once it arrived or was given up."""

    endpoint = models.ForeignKey(Endpoint, models.CASCADE, related_name="sendings")
    happening = models.ForeignKey(Happening, models.CASCADE, related_name="sendings")
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), null=True)
    delivered_at = models.DateTimeField(_("delivered"), null=True)
    # Of the last answer; 0 if there was none.
    status = models.PositiveSmallIntegerField(_("answer"), default=0)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "happening"], name="sending_once"),
        ]
        indexes = [
            models.Index("next_at", name="sending_due", condition=Q(next_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} {self.happening_id}"

    @property
    def is_given_up(self) -> bool:
        return self.next_at is None and self.delivered_at is None


@free("how far the search for events came")
class Found(models.Model):
    """Since when events of a kind are looked for; a process locks the row while it looks."""

    kind = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.kind
