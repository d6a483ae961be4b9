"""Series: events whose places bring points, the standings, and the tickets to events."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from games.words.plain import one_line
from tournaments.models.entries import Entry
from tournaments.models.events import STEP, Tournament
from tournaments.models.templates import Schedule
from wallets.values.columns import NUMBER, derived, of_record

ANNOUNCED: Final = "house:tournament.announce_due"


@of_record(by=f"series.begin series.end {STEP}")
class Series(models.Model):
    """A league over events: its rules, its final, and whether it is over."""

    # Of the form that began it: a form that is sent twice begins one.
    key = models.UUIDField(_("key"), null=True, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80, unique=True)
    # As `series_points.SeriesRules` reads them; they stay as they were when it began.
    rules = models.JSONField(_("rules"))
    # It announces the events; without one, staff add events that are announced.
    schedule = models.OneToOneField(
        Schedule, models.PROTECT, null=True, verbose_name=_("schedule"), related_name="series"
    )
    # Its finalists get tickets to this event.
    final = models.OneToOneField(
        Tournament, models.PROTECT, null=True, verbose_name=_("final"), related_name="final_of"
    )
    began_at = models.DateTimeField(_("began"))
    # From then on no event is added, and the finalists have their tickets.
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """The name; those of the demonstration house are said in the reader's language."""
        return pgettext("a tournament", one_line(self.name))

    @property
    def reference(self) -> str:
        return f"series:{self.pk}"


@of_record(by=f"series.begin series.add {ANNOUNCED}", derived={"tournaments": "counted_at"})
class SeriesEvent(models.Model):
    series = models.ForeignKey(Series, models.PROTECT, related_name="events")
    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="in_series")
    number = models.PositiveSmallIntegerField(_("number"))
    # When its places went into the standings.
    counted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("event of a series")
        verbose_name_plural = _("events of series")
        ordering = ["series", "number"]
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="series_event_number"),
        ]

    def __str__(self) -> str:
        return f"{self.series_id} {self.number}"


@derived("tournaments", free={NUMBER: "id"})
class SeriesStanding(models.Model):
    """A player's place in a series after the last event that was counted."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="standings", db_index=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    place = models.PositiveIntegerField(_("place"))
    points = models.PositiveIntegerField(_("points"))
    events = models.PositiveSmallIntegerField(_("events"))

    class Meta:
        verbose_name = _("standing in a series")
        verbose_name_plural = _("standings in series")
        constraints = [
            models.UniqueConstraint(fields=["series", "player"], name="standing_once"),
        ]
        indexes = [
            models.Index(fields=["series", "place"], name="standings_by_place"),
            models.Index(fields=["player"], name="standings_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.series_id} {self.player_id}"


@derived(
    "tournaments",
    record="player_id tournament_id name currency_id worth given_at expires_at source",
    by=f"ticket.give house:ticket.give series.end {STEP}",
)
class Ticket(models.Model):
    """An entry that the house has paid for: to one event, or to any event of a name.

    The promotions' account pays the entry when the ticket is used, and gets the money back when the
    player unregisters or the event is cancelled.
    """

    # From what it is given for, so that nothing gives two.
    key = models.UUIDField(_("key"), unique=True, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tickets", db_index=False
    )
    tournament = models.ForeignKey(
        Tournament, models.PROTECT, null=True, verbose_name=_("event"), related_name="tickets"
    )
    # Of the event or of the template by which events are announced.
    name = models.CharField(_("name"), max_length=80)
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, related_name="+", db_index=False
    )
    # The most that it pays, stake and fee.
    worth = models.BigIntegerField(_("worth"))
    given_at = models.DateTimeField(_("given"))
    expires_at = models.DateTimeField(_("valid until"), null=True)
    # What it was given for, as a reference: a series, a promotion, or a member of staff.
    source = models.CharField(max_length=64)
    entry = models.OneToOneField(Entry, models.PROTECT, null=True, related_name="ticket")

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        default_permissions = ("view",)
        constraints = [
            models.CheckConstraint(condition=Q(worth__gte=0), name="ticket_worth"),
        ]
        indexes = [models.Index(fields=["player", "-id"], name="tickets_of_player")]

    def __str__(self) -> str:
        return f"{self.name} {self.pk}"

    @property
    def title(self) -> str:
        return pgettext("a tournament", one_line(self.name))

    @property
    def reference(self) -> str:
        return f"ticket:{self.pk}"
