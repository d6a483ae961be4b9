"""Profiles: the options of a game and the settings of a table in versions; the rules of a table."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.common import game_choices
from games.models.tables import SETS_UP
from wallets.models.staff_models import VersionState
from wallets.values.columns import free, of_record

# The longest error of a computation that is stored.
ERROR_MAX: Final = 200


@of_record(by="profile.add")
class Profile(models.Model):
    """A name under which tables of one game, in one currency, are set up."""

    name = models.CharField(_("name"), max_length=60, unique=True)
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, verbose_name=_("currency"), related_name="+"
    )
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")
        ordering = ["name"]
        default_permissions = ("view",)
        permissions = [("publish_profile", "Can draft, propose and approve profiles")]

    def __str__(self) -> str:
        return self.name

    @property
    def reference(self) -> str:
        return f"profile:{self.pk}"


@of_record(
    by="profile.add profile.draft profile.change profile.discard profile.publish proposal.propose "
    "proposal.reject proposal.expire proposal.withdraw"
)
class ProfileVersion(models.Model):
    """One version: a draft until it is proposed, then as it was proposed."""

    State = VersionState

    profile = models.ForeignKey(Profile, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    # As the rules read them: amounts in minor units, shares in basis points.
    options = models.JSONField(_("options"))
    # Columns of a table, by name.
    table_settings = models.JSONField(_("settings of the table"))
    # Counts the changes of a draft, so that no author overwrites unseen changes.
    revision = models.PositiveIntegerField(default=1)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    based_on = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, verbose_name=_("made by"), related_name="+"
    )
    made_at = models.DateTimeField(_("made"))
    # The answer to each warning, by its code.
    answers = models.JSONField(default=dict)
    proposal = models.CharField(max_length=64, blank=True, default="")
    # From when tables follow it.
    published_from = models.DateTimeField(_("published from"), null=True)

    class Meta:
        verbose_name = _("version of a profile")
        verbose_name_plural = _("versions of profiles")
        ordering = ["profile", "-number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["profile", "number"], name="one_version_a_number"),
            models.UniqueConstraint(
                fields=["profile"],
                condition=Q(state__in=["draft", "proposed"]),
                name="one_draft_a_profile",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["published", "retired"]) | Q(published_from__isnull=False),
                name="published_from_some_time",
            ),
        ]

    def __str__(self) -> str:
        return str(_("{profile}, version {number}")).format(
            profile=self.profile, number=self.number
        )

    @property
    def reference(self) -> str:
        return f"profileversion:{self.pk}"


@free("a simulation, which anybody may run again")
class Reckoning(models.Model):
    """The effects of a game's options: computed once for each content, by a separate worker."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being computed")
        DONE = "done", _("computed")
        FAILED = "failed", _("failed")

    # Of everything that decides the figures.
    digest = models.CharField(max_length=64, unique=True)
    game = models.CharField(max_length=40, choices=game_choices)
    options = models.JSONField()
    stack = models.BigIntegerField()
    seed = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    wanted = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    figures = models.JSONField(default=list)
    error = models.CharField(max_length=ERROR_MAX, blank=True, default="")
    requested_at = models.DateTimeField()
    # When the worker last said how far it is: one that has died says nothing any more.
    seen_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.game} {self.digest[:8]}"


# A table is set up with the first version. Each later one waits until the players have been told,
# and is in force from the next hand (`games/tables/table_rules.py`).

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
