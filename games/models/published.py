"""What the house publishes and closes: the chain of entries, and its days."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.common import game_choices
from games.models.tables import Table


class ChainEntry(models.Model):
    """An entry of the house's public chain.

    It gets its position and the head behind it soon after it was made: if tables had to wait for
    one another's entries, one slow table would hold up all.
    """

    kind = models.CharField(max_length=20)
    body = models.JSONField()
    made_at = models.DateTimeField()
    position = models.PositiveBigIntegerField(null=True, unique=True)
    head = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("entry of the public chain")
        verbose_name_plural = _("entries of the public chain")
        ordering = ["id"]
        indexes = [models.Index("id", name="chain_unlinked", condition=Q(position__isnull=True))]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Day(models.Model):
    """A day that is closed: what the house took at its tables, and whether the ledger agrees."""

    day = models.DateField(_("day"), unique=True)
    closed_at = models.DateTimeField(_("closed"))
    hands = models.PositiveBigIntegerField(_("hands"))
    # Hands of earlier days that were taken back on this one, and what they brought taken off.
    reversed = models.PositiveBigIntegerField(_("earlier hands taken back"), default=0)
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


class DayResult(models.Model):
    """What one player won and lost at one table on one day.

    Whoever looks through a long history asks these rows where to look: how many hands of a day were
    won, lost and taken back says whether the day holds what is looked for.
    """

    day = models.ForeignKey(Day, models.PROTECT, related_name="results")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    currency = models.ForeignKey("wallets.Currency", models.PROTECT, related_name="+")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    # The day's date once more, for the index.
    on = models.DateField()
    hands = models.PositiveBigIntegerField(_("hands"))
    net = models.BigIntegerField(_("won"))
    rake = models.BigIntegerField(_("rake"))
    # What lists find: how many were taken back since then too, and how the others ended.
    voids = models.PositiveBigIntegerField()
    hands_won = models.PositiveBigIntegerField()
    hands_lost = models.PositiveBigIntegerField()
    hands_even = models.PositiveBigIntegerField()
    # What was won in the hands that were won, and lost in those that were lost.
    gains = models.BigIntegerField()
    losses = models.BigIntegerField()

    class Meta:
        verbose_name = _("result of a day")
        verbose_name_plural = _("results of days")
        indexes = [
            # All that lists and charts ask for: they read no row.
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
