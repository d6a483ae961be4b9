"""Published and closed rows: the public chain, anchors, and closed days."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.common import game_choices
from games.models.tables import Table
from wallets.values.columns import NUMBER, derived

# Shoes and hands that were given up, and hands that were reversed: few among all entries.
GIVEN_UP = Q(kind__in=("void", "hand_void")) | Q(kind="hand", body__settlement=None)


@derived("chain", free={NUMBER: "id"})
class ChainEntry(models.Model):
    """An entry of the house's public chain.

    The linker sets position and head soon after the entry is made. If tables had to wait for one
    another's entries, one slow table would hold up all others.
    """

    kind = models.CharField(_("kind"), max_length=20)
    body = models.JSONField(_("what it says"))
    made_at = models.DateTimeField(_("made"))
    # A copy of the shoe in the body, by which all entries about a shoe are found.
    shoe = models.CharField(max_length=60, blank=True, editable=False, db_default="")
    position = models.PositiveBigIntegerField(_("position"), null=True, unique=True)
    head = models.CharField(_("head"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("entry of the public chain")
        verbose_name_plural = _("entries of the public chain")
        ordering = ["id"]
        indexes = [
            models.Index("id", name="chain_unlinked", condition=Q(position__isnull=True)),
            models.Index(fields=["shoe"], name="chain_of_shoe"),
            models.Index(fields=["-position"], name="chain_given_up", condition=GIVEN_UP),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


def shoe_of(body: object) -> str:
    """The shoe that the body of an entry names, cut to the column's length; empty without one."""
    shoe = body.get("shoe") if isinstance(body, dict) else None
    return shoe[:60] if isinstance(shoe, str) else ""


@derived("anchors", free={NUMBER: "id"})
class Anchor(models.Model):
    """Heads that were signed and written to a file outside the database (`games/shoes/anchors.py`).

    The row proves that the line was made: so the audit notices a missing file or line.
    """

    number = models.PositiveBigIntegerField(unique=True)
    made_at = models.DateTimeField()
    # The last position of the public chain at that time.
    position = models.BigIntegerField()
    line = models.TextField()
    # False until the line is in the file; it is written with the next anchor at the latest.
    written = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("anchor")
        verbose_name_plural = _("anchors")
        ordering = ["number"]

    def __str__(self) -> str:
        return str(self.number)


@derived("anchors")
class WitnessedAnchor(models.Model):
    """What an outside witness has signed of an anchor (`games/shoes/witnesses.py`)."""

    anchor = models.ForeignKey(Anchor, models.PROTECT, related_name="witnessed")
    # The public key of the witness, and the place of this among all that it has signed.
    witness = models.CharField(max_length=64)
    place = models.PositiveBigIntegerField()
    statement = models.TextField()
    signature = models.CharField(max_length=128)

    class Meta:
        default_permissions = ()
        ordering = ["witness", "place"]
        constraints = [
            models.UniqueConstraint(fields=["witness", "place"], name="witness_place"),
            models.UniqueConstraint(fields=["anchor", "witness"], name="witnessed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.witness[:8]} {self.place}"


@derived("anchors")
class AnchoredBook(models.Model):
    """The last anchored position of a book of the ledger."""

    book = models.CharField(max_length=64, primary_key=True)
    position = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.book}:{self.position}"


@derived("days", free={"when the sums of a day were made, which are compared": "closed_at"})
class Day(models.Model):
    """A day that is closed: what the house took at its tables, and whether the ledger agrees."""

    day = models.DateField(_("day"), unique=True)
    closed_at = models.DateTimeField(_("closed"))
    hands = models.PositiveBigIntegerField(_("hands"))
    # How many hands of earlier days were reversed on this one; their results are subtracted.
    reversed = models.PositiveBigIntegerField(_("earlier hands reversed"), default=0)
    # By currency: rake, and the house's own result.
    sums = models.JSONField(_("sums by currency"), default=dict)
    # One sentence for everything that did not add up.
    differences = models.JSONField(_("differences"), default=list)

    class Meta:
        verbose_name = _("day")
        verbose_name_plural = _("days")
        ordering = ["-day"]

    def __str__(self) -> str:
        return str(self.day)


@derived("days", free={NUMBER: "id"})
class DayResult(models.Model):
    """The result of one player at one table on one day.

    Searches in a long history use these rows as an index: the numbers of hands won, lost and voided
    show whether a day has hands to find.
    """

    day = models.ForeignKey(Day, models.PROTECT, related_name="results")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    currency = models.ForeignKey("wallets.Currency", models.PROTECT, related_name="+")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    # A copy of the day's date, for the index.
    on = models.DateField()
    hands = models.PositiveBigIntegerField(_("hands"))
    net = models.BigIntegerField(_("won"))
    rake = models.BigIntegerField(_("rake"))
    # Counts for lists: void hands, reversed later ones too, and the results of the others.
    voids = models.PositiveBigIntegerField()
    hands_won = models.PositiveBigIntegerField()
    hands_lost = models.PositiveBigIntegerField()
    hands_even = models.PositiveBigIntegerField()
    # The sum of all wins, and the sum of all losses.
    gains = models.BigIntegerField()
    losses = models.BigIntegerField()

    class Meta:
        verbose_name = _("result of a day")
        verbose_name_plural = _("results of days")
        indexes = [
            # All columns that lists and charts need: they read only the index.
            models.Index(
                fields=[
                    "player",
                    "-on",
                    "currency",
                    "game",
                    "table",
                    "hands",
                    "net",
                    "rake",
                    "voids",
                    "hands_won",
                    "hands_lost",
                    "hands_even",
                    "gains",
                    "losses",
                ],
                name="days_of_player",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["day", "table", "player"], name="one_result_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day_id} {self.table_id} {self.player_id}"
