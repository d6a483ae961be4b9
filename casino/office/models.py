"""The floor's decisions about the house and its tables, audits on request, the tour; and versions
of what the house is called, says and looks like.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallets.models.staff_models import REASON_MAX, REFERENCE_MAX, VersionState
from wallets.storage.sealed_columns import DigestField, SealedField, SealedText
from wallets.values.columns import free, of_record
from wallets.values.house import DIGITS

NAME_MAX: Final = 150
WALL_NAME_MAX: Final = 40


@of_record(
    free={"counts the changes of this row": "version"},
    by="house.halt house.lift house.confirm_halt house.close house.open house:floor.begin",
)
class HouseState(models.Model):
    """The row of the whole house; its version rises with each change on the floor."""

    version = models.PositiveBigIntegerField(default=0)
    # Since when no new hand begins anywhere, and who has stopped them.
    halted_at = models.DateTimeField(null=True)
    halted_by = models.CharField(max_length=REFERENCE_MAX, blank=True)
    halted_by_name = models.CharField(max_length=NAME_MAX, blank=True)
    halted_why = models.CharField(max_length=REASON_MAX, blank=True)
    # The second member of staff, who confirmed it.
    confirmed_by_name = models.CharField(max_length=NAME_MAX, blank=True)
    # Since when no player may take a seat, because the house closes.
    closed_at = models.DateTimeField(null=True)
    closed_by_name = models.CharField(max_length=NAME_MAX, blank=True)
    closed_why = models.CharField(max_length=REASON_MAX, blank=True)

    class Meta:
        verbose_name = _("state of the house")
        default_permissions = ()
        permissions = [
            ("see_floor", "Can see the live floor"),
            ("close_house", "Can close and open the house"),
            ("halt_house", "Can stop all new hands at once"),
            ("message_players", "Can send messages to tables"),
        ]

    def __str__(self) -> str:
        return f"version {self.version}"


@of_record(by="table.close table.open game.close game.open house.close house.open")
class Closure(models.Model):
    """A table that staff have closed, alone or with others, so that they open the same again."""

    class Scope(models.TextChoices):
        TABLE = "table", _("the table")
        GAME = "game", _("the game")
        HOUSE = "house", _("the house")

    table = models.OneToOneField("games.Table", models.CASCADE, related_name="closure")
    scope = models.CharField(max_length=5, choices=Scope)
    at = models.DateTimeField()
    by_name = models.CharField(max_length=NAME_MAX)
    reason = models.CharField(max_length=REASON_MAX)

    class Meta:
        verbose_name = _("closure of a table")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.scope} {self.table_id}"


@of_record(
    free={
        "the course of an audit, which may be run again": (
            "state wanted done wrong findings seen_at ended_at"
        )
    },
    by="hands.audit",
)
class AuditRun(models.Model):
    """Hands that an auditor has had settled again, and what was found; a worker audits them.

    The days are those on which the hands ended, in UTC as those of closed days.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being audited")
        DONE = "done", _("audited")
        FAILED = "failed", _("failed")

    first_day = models.DateField(_("from"))
    last_day = models.DateField(_("to"))
    table = models.ForeignKey("games.Table", models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    wanted = models.PositiveBigIntegerField(default=0)
    done = models.PositiveBigIntegerField(default=0)
    # How many sentences were found, and the first of them, each with the code of its hand.
    wrong = models.PositiveBigIntegerField(default=0)
    findings = models.JSONField(default=list)
    requested_by = models.CharField(max_length=NAME_MAX)
    reason = models.CharField(max_length=REASON_MAX)
    requested_at = models.DateTimeField()
    # When the worker last said how far it is: one that has died says nothing any more.
    seen_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("audit of hands")
        default_permissions = ()
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.first_day} – {self.last_day}"

    @property
    def reference(self) -> str:
        return f"audit:{self.pk}"

    @property
    def is_busy(self) -> bool:
        return self.state in (self.State.WAITING, self.State.RUNNING)

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.wanted) if self.wanted else 0


@free("how far a manager is in the tour of the office")
class Tour(models.Model):
    """How far a manager is in the tour of the back office: a step, or 0 once it has ended."""

    member = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    step = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("tour of the office")
        default_permissions = ()

    def __str__(self) -> str:
        return f"step {self.step}"


@of_record(
    by="wall.make wall.end", free={"sealed for its row by a key of the house": "sealed_code"}
)
class WallLink(models.Model):
    """A secret link to the wall screen, which needs no sign-in; the address is encrypted."""

    name = models.CharField(_("name"), max_length=WALL_NAME_MAX)
    language = models.CharField(_("language"), max_length=10)
    with_money = models.BooleanField(_("with amounts"), default=False)
    sealed_code = SealedField(key=("code_digest",), editable=False)
    code_digest = DigestField(of="sealed_code", unique=True)
    code = SealedText("sealed_code")
    made_at = models.DateTimeField(_("made"))
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("link to the wall screen")
        default_permissions = ()
        permissions = [("manage_wall", "Can make and end links to the wall screen")]

    def __str__(self) -> str:
        return self.name

    @property
    def reference(self) -> str:
        return f"wall:{self.pk}"


@of_record(
    by="house.draft house.discard house.publish proposal.propose proposal.reject proposal.expire "
    "proposal.withdraw"
)
class HouseVersion(models.Model):
    """One version of the house's name, look and texts: a draft until it is proposed."""

    State = VersionState

    number = models.PositiveIntegerField(_("number"), unique=True)
    # As `wallets.values.house.HouseContent` has it.
    content = models.JSONField(_("content"))
    # Counts the changes of a draft, so that no author overwrites unseen changes.
    revision = models.PositiveIntegerField(default=1)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    based_on = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, verbose_name=_("made by"), related_name="+"
    )
    made_at = models.DateTimeField(_("made"))
    proposal = models.CharField(max_length=REFERENCE_MAX, blank=True, default="")
    published_at = models.DateTimeField(_("published"), null=True)

    class Meta:
        verbose_name = _("version of the house")
        verbose_name_plural = _("versions of the house")
        ordering = ("-number",)
        default_permissions = ("view",)
        permissions = [("publish_house", "Can change the house's name, look and texts")]
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="published"), name="one_house_in_force"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["published", "retired"]) | Q(published_at__isnull=False),
                name="house_published_at_some_time",
            ),
        ]

    def __str__(self) -> str:
        return str(_("Version {number}")).format(number=self.number)

    @property
    def reference(self) -> str:
        return f"houseversion:{self.pk}"


@of_record(digested="data", by="house.draft")
class HouseMark(models.Model):
    """An uploaded picture, as it was written anew; it never changes, and versions name it."""

    class Kind(models.TextChoices):
        SVG = "svg", "SVG"
        PNG = "png", "PNG"

    # The hash of what was written.
    name = models.CharField(max_length=DIGITS, primary_key=True)
    kind = models.CharField(max_length=3, choices=Kind)
    # In base64.
    data = models.TextField()

    class Meta:
        verbose_name = _("mark of the house")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name}.{self.kind}"
