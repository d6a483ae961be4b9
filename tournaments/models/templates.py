"""Templates of events with their versions, schedules that announce by them, and rehearsals."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallets.values.columns import free, of_record


@of_record(by="template.store template.retire")
class Template(models.Model):
    """One version of a named structure. An event keeps a copy of the structure it was made by."""

    name = models.CharField(_("name"), max_length=80)
    version = models.PositiveIntegerField(_("version"), default=1)
    # The structure as `structure.read` reads it.
    structure = models.JSONField(_("structure"))
    # The currency of stakes, fees and prizes.
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, verbose_name=_("currency"), related_name="+"
    )
    made_at = models.DateTimeField(_("made"))
    # The author, as an opaque reference.
    made_by = models.CharField(_("made by"), max_length=64)
    # From then on no event is announced by it.
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)

    class Meta:
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="template_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def reference(self) -> str:
        return f"template:{self.pk}"


@of_record(
    free={"follows from what the schedule has announced": "next_at"},
    by="tournament.schedule tournament.unschedule series.begin series.end "
    "house:tournament.announce_due",
)
class Schedule(models.Model):
    """Announces events by itself: one every so often, or always so many that wait for players."""

    class Kind(models.TextChoices):
        RECURRING = "recurring", _("recurring")
        ALWAYS_OPEN = "always_open", _("always open")

    template = models.ForeignKey(
        Template, models.PROTECT, verbose_name=_("template"), related_name="schedules"
    )
    # Of the form that made it: a form that is sent twice makes one.
    key = models.UUIDField(_("key"), null=True, unique=True, editable=False)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    active = models.BooleanField(_("active"), default=True)
    # A recurring one: when the next event that is not announced yet starts.
    next_at = models.DateTimeField(_("next start"), null=True, blank=True)
    every_seconds = models.PositiveIntegerField(_("seconds from start to start"), default=86_400)
    # Instead of every so many seconds: the days of the week in the house's zone on which an event
    # starts, one bit each from Monday on, and the time of day there.
    weekdays = models.PositiveSmallIntegerField(_("days of the week"), null=True, blank=True)
    house_time = models.TimeField(_("time of day in the house"), null=True, blank=True)
    # How long before its start an event is announced.
    ahead_seconds = models.PositiveIntegerField(_("seconds announced ahead"), default=86_400)
    # One that is always open: how many events wait for players.
    open_count = models.PositiveSmallIntegerField(_("open events"), default=1)
    # Bots of the house take the seats that are left so long after the first person has entered.
    # None: no bots.
    bots_after_seconds = models.PositiveIntegerField(_("seconds until bots"), null=True, blank=True)

    class Meta:
        verbose_name = _("schedule")
        verbose_name_plural = _("schedules")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="always_open", open_count__range=(1, 20))
                | Q(kind="recurring", next_at__isnull=False, every_seconds__gte=60),
                name="schedule_says_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.template}, {self.kind}"

    @property
    def reference(self) -> str:
        return f"schedule:{self.pk}"


@free("of bots in a database of their own, and nothing of the house follows from it")
class Rehearsal(models.Model):
    """One event played by bots in a separate database. Nothing of it touches the house."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    BUSY = (State.WAITING, State.RUNNING)

    name = models.CharField(_("name"), max_length=80)
    structure = models.JSONField(_("structure"))
    players = models.PositiveIntegerField(_("players"))
    # The same seed plays the same hands.
    seed = models.CharField(_("seed"), max_length=40)
    # As an opaque reference.
    requested_by = models.CharField(_("requested by"), max_length=64)
    requested_at = models.DateTimeField(_("requested"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    # When the worker last said how far it is; by that it holds its claim.
    seen_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    # The present or the final result: `rehearsal/summary.py` says what is in it.
    result = models.JSONField(_("result"), default=dict)
    error = models.CharField(_("error"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("rehearsal")
        verbose_name_plural = _("rehearsals")
        ordering = ["-pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name}, {self.players}"

    @property
    def is_busy(self) -> bool:
        return self.state in self.BUSY
