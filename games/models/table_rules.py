"""The rules of a table in versions: what its players rely on, from one of its hands on.

A table is set up with the first version. Each later one waits until the players have been told, and
is in force from the next hand (`games/tables/table_rules.py`).
"""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import SETS_UP
from wallets.values.columns import of_record

# The columns of a table that a version of its rules decides, besides options, seats and jackpots.
AMOUNTS: Final = ("buy_in_min", "buy_in_max", "stack_min")
SECONDS: Final = (
    "decision_seconds",
    "betting_seconds",
    "pause_seconds",
    "grace_seconds",
    "idle_seconds",
)
COUNTS: Final = ("bots_max",)
SWITCHES: Final = ("hints_allowed",)
SETTINGS: Final = (*AMOUNTS, *SECONDS, *COUNTS, *SWITCHES)


@of_record(by=f"{SETS_UP} table.rules house:table.tick")
class TableRules(models.Model):
    """One version of a table's rules, whole: profile and settings need not be looked up."""

    table = models.ForeignKey("Table", models.PROTECT, related_name="rules")
    number = models.PositiveIntegerField(_("number"))
    profile_version = models.ForeignKey(
        "ProfileVersion", models.PROTECT, null=True, related_name="+"
    )
    options = models.JSONField(_("options"))
    table_settings = models.JSONField(_("settings of the table"))
    places = models.PositiveSmallIntegerField(_("seats"))
    # The numbers of the jackpots, ascending.
    jackpots = models.JSONField(_("jackpots"), default=list)
    # The proposal that a second person approved, if the version has one of its own.
    cause = models.CharField(max_length=64, blank=True, default="")
    # When the players at the table could first read of it.
    announced_at = models.DateTimeField(_("told to the players"))
    # None while it waits for the next hand.
    applied_at = models.DateTimeField(_("in force since"), null=True)

    class Meta:
        verbose_name = _("version of a table's rules")
        verbose_name_plural = _("versions of tables' rules")
        ordering = ["table", "-number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_rules_a_number"),
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(applied_at__isnull=True),
                name="one_coming_rules_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"
