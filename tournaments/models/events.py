"""Events: the row that organises its tables, its shoe, and what it knows of each table."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext
from django.utils.translation import pgettext_lazy as _p

from games.models import game_choices
from games.words.plain import one_line
from tournaments.models.templates import Schedule, Template
from wallets.storage.sealed_columns import SealedField
from wallets.values.columns import NUMBER, derived, of_record

DEALING: Final = "when tables deal and wait, which moves no chip; the seats and hands are compared"
SHOWN: Final = "what pages show of an event, and when the house next looks at it"
STEP: Final = "house:tournament.step"


def tournament_reference(number: int) -> str:
    """Return the reference of a tournament, for tables and ledger."""
    return f"tournament:{number}"


@of_record(
    derived={
        "tournaments": (
            "entrants entries add_ons players_left numbers_given tables_opened went_out "
            "draws_made stakes fees guarantee chips"
        )
    },
    free={
        DEALING: "hand_for_hand final_table",
        SHOWN: "likely_seconds moves_due version due_at notice",
    },
    by="tournament.announce tournament.cancel tournament.pause tournament.resume tournament.close "
    "series.begin house:tournament.announce_due house:tournament.step",
)
class Tournament(models.Model):
    """One event. Verbs that move players or money lock its row first."""

    class State(models.TextChoices):
        # Open for registration, or about to be.
        ANNOUNCED = "announced", _("announced")
        # The shoe is locked, entrants reveal, tables are being filled. Players can no longer
        # unregister.
        SEATING = "seating", _("seating")
        RUNNING = "running", _("running")
        # Nothing is played any more; prizes are being paid.
        PAYING = "paying", _("paying")
        FINISHED = "finished", _("finished")
        # Entries are being given back.
        CANCELLING = "cancelling", _("being cancelled")
        CANCELLED = "cancelled", _("cancelled")

    OVER = (State.FINISHED, State.CANCELLED)
    # In these a player who entered may still play.
    ALIVE = (State.ANNOUNCED, State.SEATING, State.RUNNING)

    class Pause(models.TextChoices):
        """The reason why no hand starts; nothing while hands start."""

        NONE = "", _("none")
        BREAK = "break", _("break")
        STAFF = "staff", _("paused")

    # Of the form that announced it: a form that is sent twice announces once.
    key = models.UUIDField(_("key"), null=True, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80)
    template = models.ForeignKey(
        Template, models.PROTECT, verbose_name=_("template"), related_name="tournaments"
    )
    schedule = models.ForeignKey(
        Schedule, models.PROTECT, null=True, verbose_name=_("schedule"), related_name="tournaments"
    )
    # A copy: a template that is changed later changes no event.
    structure = models.JSONField(_("structure"))
    kind = models.CharField(_("kind"), max_length=16, db_index=True)
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    # The currency of stakes, fees and prizes; chips have a currency of their own.
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, verbose_name=_("currency"), related_name="+"
    )
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.ANNOUNCED)
    announced_at = models.DateTimeField(_("announced"))
    # None: it starts when it is full.
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    # The likely end, by which overlapping registrations are refused.
    likely_seconds = models.PositiveIntegerField(_("likely length in seconds"), default=3_600)
    started_at = models.DateTimeField(_("started"), null=True)
    # From then on no player enters or re-enters, and the prize pool is fixed.
    registration_closed_at = models.DateTimeField(_("registration closed"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)

    # The clock. Levels count from 1; 0 before the start.
    level = models.PositiveSmallIntegerField(_("level"), default=0)
    level_began_at = models.DateTimeField(null=True)
    # None: the level is counted in hands, or the clock is stopped.
    level_ends_at = models.DateTimeField(_("level ends"), null=True)
    # The clock is stopped with so much of the level (or break) left.
    left_milliseconds = models.PositiveBigIntegerField(null=True)
    on_break = models.BooleanField(_("on a break"), default=False)
    paused_at = models.DateTimeField(_("paused"), null=True)
    # Tables wait for one another after each hand.
    hand_for_hand = models.BooleanField(_("hand for hand"), default=False)
    # A player has to be moved or seated as soon as a hand has ended.
    moves_due = models.BooleanField(default=False)
    # A knock-out's second part: 1 is the knock-out itself, 2 are its rounds.
    stage = models.PositiveSmallIntegerField(default=1)
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    final_table = models.BooleanField(_("final table"), default=False)

    # Sums, so that readers need not count entries.
    entrants = models.PositiveIntegerField(_("players entered"), default=0)
    entries = models.PositiveIntegerField(_p("a tournament", "entries"), default=0)
    add_ons = models.PositiveIntegerField(_("add-ons"), default=0)
    players_left = models.PositiveIntegerField(_("players left"), default=0)
    numbers_given = models.PositiveIntegerField(default=0)
    tables_opened = models.PositiveIntegerField(default=0)
    went_out = models.PositiveIntegerField(default=0)
    draws_made = models.PositiveIntegerField(default=0)
    # In minor units of the currency.
    stakes = models.BigIntegerField(_("stakes"), default=0)
    fees = models.BigIntegerField(_("fees"), default=0)
    guarantee = models.BigIntegerField(_("guarantee"), default=0)
    # Nobody can buy an entry: the final of a series.
    tickets_only = models.BooleanField(_("by ticket only"), default=False, db_default=False)
    # The house's part of the guarantee; known when registration has closed.
    added = models.BigIntegerField(_("added by the house"), null=True)
    # The accounts of the event: prizes, fees, what is held for the guarantee, and the counterpart
    # of its chips.
    prize_account = models.ForeignKey("wallets.Account", models.PROTECT, related_name="+")
    fee_account = models.ForeignKey("wallets.Account", models.PROTECT, related_name="+")
    guarantee_account = models.ForeignKey("wallets.Account", models.PROTECT, related_name="+")
    chip_account = models.ForeignKey("wallets.Account", models.PROTECT, related_name="+")
    # Chips issued and not burnt.
    chips = models.BigIntegerField(_("chips in play"), default=0)

    # The live page has changed.
    version = models.PositiveBigIntegerField(default=0, editable=False)
    # When the house next has something to do here.
    due_at = models.DateTimeField(null=True, editable=False)
    # The message of staff to all players; empty when there is nothing to say.
    notice = models.CharField(_("message to players"), max_length=200, blank=True)
    cancelled_why = models.CharField(_("why cancelled"), max_length=200, blank=True)
    # The member of staff who cancelled it, as an opaque reference.
    cancelled_by = models.CharField(_("cancelled by"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-pk"]
        permissions = [
            ("run_tournament", "Can announce, pause, resume and cancel tournaments"),
            ("audit_tournament", "Can see the shoes and draws of tournaments"),
        ]
        indexes = [
            models.Index("due_at", name="tournament_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["state", "starts_at"], name="tournament_listed"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["schedule", "starts_at"],
                condition=Q(starts_at__isnull=False),
                name="scheduled_once",
            ),
            models.CheckConstraint(
                condition=Q(stakes__gte=0, fees__gte=0, guarantee__gte=0, chips__gte=0),
                name="tournament_sums",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk}"

    @property
    def title(self) -> str:
        """The name; those of the demonstration house are said in the reader's language."""
        return pgettext("a tournament", one_line(self.name))

    @property
    def reference(self) -> str:
        return tournament_reference(self.pk)

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    @property
    def registration_open(self) -> bool:
        """Whether entries are open, as far as the event's row can tell."""
        return self.registration_closed_at is None and self.state in (
            self.State.ANNOUNCED,
            self.State.RUNNING,
        )


@derived("tournaments", free={NUMBER: "id", DEALING: "reveal_until"})
class EventShoe(models.Model):
    """The shoe of an event, from which its seats and places are drawn; its entrants mix it."""

    class Status(models.TextChoices):
        SEALED = "sealed", _("sealed")
        LOCKED = "locked", _("locked")
        OPEN = "open", _("in play")
        VOID = "void", _("void")

    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="shoe")
    code = models.CharField(_("shoe"), max_length=60, unique=True)
    # Encrypted; it never leaves the house.
    secret = SealedField(key=("code",), editable=False)
    decks = models.PositiveSmallIntegerField(default=1)
    jokers = models.BooleanField(default=False)
    seal = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    x_0 = models.CharField(max_length=64)
    lock = models.CharField(max_length=64, blank=True)
    mix = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.SEALED)
    sealed_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True)
    # Entrants who committed have until then to reveal; then the house mixes for those who have not.
    reveal_until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("shoe of a tournament")
        verbose_name_plural = _("shoes of tournaments")

    def __str__(self) -> str:
        return self.code


@derived("tournaments")
class Deal(models.Model):
    """One deal of duplicate rounds, which all tables of its round play.

    It is sealed with the event. Its cards follow from the secret of the event's shoe alone.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="deals")
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_p("a tournament", "deal"))
    code = models.CharField(_("shoe"), max_length=60, unique=True)
    seal = models.CharField(max_length=64)
    began_at = models.DateTimeField(_("laid"), null=True)
    # From then on its hands are settled and public: every table has finished it.
    complete_at = models.DateTimeField(_("finished by all"), null=True)
    compared_at = models.DateTimeField(_("compared"), null=True)

    class Meta:
        verbose_name = _("deal of a tournament")
        verbose_name_plural = _("deals of tournaments")
        ordering = ["tournament", "round", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "number"], name="one_deal_a_number"
            ),
        ]

    def __str__(self) -> str:
        return self.code


@derived(
    "tournaments",
    record="round",
    free={DEALING: "held hands_allowed opened_at broken_at"},
    by=STEP,
)
class EventTable(models.Model):
    """A tournament's data about one of its tables, in addition to the table's own row."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="tables")
    table = models.OneToOneField("games.Table", models.PROTECT, related_name="event_table")
    number = models.PositiveIntegerField(_("table"))
    # In which round of a knock-out or duplicate it plays; 0 elsewhere.
    round = models.PositiveSmallIntegerField(default=0)
    # It begins no further hand before people have moved.
    held = models.BooleanField(default=False)
    # So many hands it may have dealt in all; None: as many as it likes.
    hands_allowed = models.PositiveBigIntegerField(null=True)
    opened_at = models.DateTimeField(_("opened"))
    # Its players have been moved to other tables.
    broken_at = models.DateTimeField(_("broken"), null=True)

    class Meta:
        verbose_name = _("table of a tournament")
        verbose_name_plural = _("tables of tournaments")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="event_table_number"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"
