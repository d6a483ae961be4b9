"""Rehearsals that staff have asked for: a structure, how far its bots are, and the result."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from wallets.values.columns import free


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
