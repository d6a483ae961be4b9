"""Shoes of the protocol, and what each seat gives to one."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table
from games.words.refusals import reason_in_words
from wallets.storage.sealed_columns import SealedField
from wallets.values.columns import NUMBER, derived


@derived("hands", free={"how long the deal waits for reveals": "reveal_until"})
class Shoe(models.Model):
    """A shoe of the protocol. Its secret is encrypted, and never leaves the house."""

    class Status(models.TextChoices):
        SEALED = "sealed", _("sealed")
        LOCKED = "locked", _("locked")
        OPEN = "open", _("in play")
        SPENT = "spent", _("spent")
        VOID = "void", _("void")

    code = models.CharField(_("shoe"), max_length=60, primary_key=True)
    table = models.ForeignKey(Table, models.PROTECT, verbose_name=_("table"), related_name="shoes")
    # The deal of an event, if several tables play it: its cards are sealed under this name, and its
    # results are hidden until the organiser has its hands settled.
    deal = models.CharField(max_length=60, blank=True, default="", db_default="", editable=False)
    # The version of the protocol by which its seats mix it (`VERSION` in `games/rules/shoe.py`).
    version = models.PositiveSmallIntegerField(default=2, editable=False)
    decks = models.PositiveSmallIntegerField()
    jokers = models.BooleanField()
    secret = SealedField(key=("code",), editable=False)
    seal = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    x_0 = models.CharField(max_length=64)
    lock = models.CharField(max_length=64, blank=True)
    mix = models.CharField(max_length=64, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.SEALED
    )
    cards_dealt = models.PositiveSmallIntegerField(_("cards dealt"), default=0)
    rounds_played = models.PositiveSmallIntegerField(_("rounds played"), default=0)
    sealed_at = models.DateTimeField(_("sealed at"))
    locked_at = models.DateTimeField(null=True)
    # How long the deal waits for reveals, if it has to.
    reveal_until = models.DateTimeField(null=True, editable=False)
    # Why the shoe was taken away before it was spent; public.
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("shoe")
        verbose_name_plural = _("shoes")
        ordering = ["-sealed_at"]

    def __str__(self) -> str:
        return self.code

    @property
    def sealed_as(self) -> str:
        """The name in the formulas of its cards."""
        return self.deal or self.code

    @property
    def why_void(self) -> str:
        """Return why it was taken away, as its reader says it."""
        return reason_in_words(self.void_reason)


@derived("hands", free={NUMBER: "id"})
class ShoeSeat(models.Model):
    shoe = models.ForeignKey(Shoe, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    by_house = models.BooleanField()
    commit = models.CharField(max_length=64)
    reveal = models.CharField(max_length=64, blank=True)
    # Whether the bytes came only after the shoe had been voided.
    late = models.BooleanField(default=False, db_default=False, editable=False)
    # The house's signed receipt for the reveal; none for a seat that the house plays.
    receipt = models.JSONField(null=True, editable=False)

    class Meta:
        verbose_name = _("seat of a shoe")
        verbose_name_plural = _("seats of a shoe")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["shoe", "number"], name="one_part_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.shoe_id} {self.number}"
