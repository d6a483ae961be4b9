"""The rows of what happened in an event; each is inserted once and stays as it is."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from tournaments.models.entries import Entry
from tournaments.models.events import DEALING, STEP, Tournament
from wallets.values.columns import NUMBER, derived, of_record


@derived("tournaments", record="made_at", by=STEP)
class Draw(models.Model):
    """One shuffle of 0 to size-1 from the event's shoe: any reader can recompute it."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="draws")
    number = models.PositiveIntegerField(_p("a tournament", "draw"))
    # The label of the protocol, which says what was drawn for.
    label = models.CharField(_("label"), max_length=40)
    # Of what the order was drawn: numbers of entrants, tables or seats.
    things = models.JSONField(default=list)
    size = models.PositiveIntegerField(_("size"))
    # Which link of the chain of draws it opened.
    link = models.PositiveSmallIntegerField(_("round of the shoe"))
    x_m = models.CharField(max_length=64)
    order = models.JSONField(_("drawn order"))
    made_at = models.DateTimeField(_("drawn"))

    class Meta:
        verbose_name = _p("a tournament", "draw")
        verbose_name_plural = _p("a tournament", "draws")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="draw_number_once"),
            models.UniqueConstraint(fields=["tournament", "label"], name="draw_label_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.label}"


@of_record(by=STEP)
class Arrangement(models.Model):
    """Seats were planned between hands: what the plan followed from and no other row says.

    With it the audit makes the plan again, and compares the moves with it.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="arrangements")
    number = models.PositiveIntegerField(_("number"))
    # How many players had gone out, and how many tables had been opened.
    went_out = models.PositiveIntegerField()
    tables_opened = models.PositiveIntegerField()
    # The numbers of those who waited for a seat, and of those who were to have a bye.
    waiting = models.JSONField(default=list)
    resting = models.JSONField(default=list)
    # The numbers of the tables whose hand had not ended: no player could leave them.
    playing = models.JSONField(default=list)
    # The open tables with the seat of the button, or None.
    buttons = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("arrangement of seats")
        verbose_name_plural = _("arrangements of seats")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="arrangement_number_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"


@derived("tournaments", record="why draw_id arrangement_id", by=STEP)
class TableChange(models.Model):
    """A player was seated, moved, or taken from a table to wait."""

    class Why(models.TextChoices):
        START = "start", _("first seat")
        LATE = "late", _("entered late")
        AGAIN = "again", _("entered again")
        BALANCE = "balance", _("tables are balanced")
        BREAK = "break", _("the table was broken")
        FINAL = "final", _("final table")
        ROUND = "round", _("a new round")
        BYE = "bye", _p("a tournament", "bye")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="moves")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="moves")
    why = models.CharField(_("why"), max_length=8, choices=Why)
    from_table = models.ForeignKey("games.Table", models.PROTECT, null=True, related_name="+")
    from_seat = models.PositiveSmallIntegerField(null=True)
    to_table = models.ForeignKey("games.Table", models.PROTECT, null=True, related_name="+")
    to_seat = models.PositiveSmallIntegerField(null=True)
    chips = models.BigIntegerField(_("chips"))
    draw = models.ForeignKey(Draw, models.PROTECT, null=True, related_name="+")
    arrangement = models.ForeignKey(Arrangement, models.PROTECT, null=True, related_name="moves")
    at = models.DateTimeField(_("at"))

    class Meta:
        # Houses of earlier commits have the table by this name, and so have its guards.
        db_table = "tournaments_move"
        verbose_name = _p("a tournament", "move")
        verbose_name_plural = _p("a tournament", "moves")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(from_table__isnull=False) | Q(to_table__isnull=False),
                name="move_leads_somewhere",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.why}"


@derived("tournaments", record="why", by=STEP)
class Elimination(models.Model):
    """A player went out, in this order; who enters again may go out again."""

    class Why(models.TextChoices):
        CHIPS = "chips", _("out of chips")
        LINE = "line", _("below the line")
        DISQUALIFIED = "disqualified", _("disqualified")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="eliminations")
    sequence = models.PositiveIntegerField(_("order"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="eliminations")
    # Which of the player's entries it ended.
    life = models.PositiveSmallIntegerField(default=1)
    why = models.CharField(_("why"), max_length=12, choices=Why)
    hand = models.ForeignKey("games.Hand", models.PROTECT, null=True, related_name="+")
    # The player's chips at the start of that hand, and its end.
    stack = models.BigIntegerField(_("stack"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("elimination")
        verbose_name_plural = _("eliminations")
        ordering = ["tournament", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "sequence"], name="out_in_order"),
            models.UniqueConstraint(fields=["entry", "life"], name="out_once_a_life"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.sequence}"


@derived("tournaments")
class Bye(models.Model):
    """A player had no table in a round, or in one hand that all tables played in step."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="had_byes")
    round = models.PositiveSmallIntegerField(_("round"))
    # Which hand in step that was, counted from 1 among those with byes; 0: a whole round.
    step = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        ordering = ["tournament", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "round", "step"], name="one_bye_at_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.round} {self.step}"


@derived("tournaments", free={NUMBER: "id", DEALING: "at acted_at"})
class HandEnded(models.Model):
    """A hand of an event ended: inserted where it is paid, and acted on afterwards, once."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="hands_ended")
    table = models.ForeignKey("games.Table", models.PROTECT, related_name="+")
    hand = models.OneToOneField("games.Hand", models.PROTECT, related_name="tournament_row")
    level = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField(default=0)
    # Without a settlement.
    void = models.BooleanField(default=False)
    at = models.DateTimeField()
    # Set immediately where nothing follows from the hand.
    acted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("ended hand")
        verbose_name_plural = _("ended hands")
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["tournament"], name="hands_to_act_on", condition=Q(acted_at__isnull=True)
            ),
            models.Index(fields=["tournament", "level"], name="hands_of_level"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.hand_id}"
