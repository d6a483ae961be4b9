"""Traces of sittings and acts, sums of what was looked at, and the queue of suspicions."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from games.models import Hand, Table
from games.models.common import game_choices
from wallets.models.staff_models import REASON_MAX, REFERENCE_MAX
from wallets.values.columns import NUMBER, derived, of_record

# A keyed hash is cut to 128 bits: two of them meet by chance in no house.
HASH_LENGTH: Final = 32
KEY_MAX: Final = 64


@of_record(digested="line device", by="house:integrity.delete_old_traces player.erase", late=True)
class Trace(models.Model):
    """The origin of a player who took a seat or acted in a hand: keyed hashes, never an address.

    A player has one row for each hand and each origin, so playing on costs nothing. Auditors search
    acts by address with the index by line; those of sittings serve the questions across tables.
    """

    class Kind(models.TextChoices):
        SAT = "sat", _("sat down")
        ACTED = "acted", _("acted")
        WITHHELD = "withheld", _("did not reveal")

    kind = models.CharField(_("what"), max_length=8, choices=Kind)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    # A round without a bet is deleted, and its traces are of no use.
    table = models.ForeignKey(
        Table, models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    hand = models.ForeignKey(
        Hand, models.DO_NOTHING, null=True, related_name="+", db_index=False, db_constraint=False
    )
    line = models.CharField(max_length=HASH_LENGTH, blank=True)
    device = models.CharField(max_length=HASH_LENGTH, blank=True)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["hand", "player", "line", "device"],
                condition=Q(hand__isnull=False),
                name="one_trace_an_origin",
            ),
        ]
        indexes = [
            models.Index(fields=["line", "at"], name="sat_by_line", condition=Q(kind="sat")),
            models.Index(fields=["device", "at"], name="sat_by_device", condition=Q(kind="sat")),
            models.Index(
                fields=["line", "hand"], name="acted_by_line", condition=Q(hand__isnull=False)
            ),
            models.Index(fields=["at"], name="trace_withheld", condition=Q(kind="withheld")),
            models.Index(
                fields=["player", "at"], name="trace_of_player", condition=Q(hand__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.player_id}"


@derived("integrity", free={NUMBER: "id"})
class Tally(models.Model):
    """The sums of one detector: of a player, of a pair, or with no player those of the house.

    Results are measured in bets; these are no money, and no book depends on them.
    """

    detector = models.CharField(max_length=20)
    game = models.CharField(max_length=40, blank=True)
    player = models.PositiveBigIntegerField(default=0)
    # The second of a pair; its number is the higher one.
    other = models.PositiveBigIntegerField(default=0)
    count = models.PositiveBigIntegerField(default=0)
    # The sums of `chance.Total`, or with no player those of `chance.Shape`.
    first = models.FloatField(default=0)
    second = models.FloatField(default=0)
    third = models.FloatField(default=0)
    fourth = models.FloatField(default=0)
    # How many looks there were, and in which place this game came among the player's.
    looks = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["detector", "game", "player", "other"], name="one_tally_of_a_kind"
            ),
        ]
        indexes = [models.Index(fields=["detector", "player"], name="tally_of_player")]

    def __str__(self) -> str:
        return f"{self.detector} {self.game} {self.player} {self.other}"


@of_record(
    digested="tally_sum", free={"when the scan last ran": "ran_at"}, by="house:integrity.scan"
)
class Scan(models.Model):
    """The position of the scan; of two runs from one position, one changes it."""

    ended_at = models.DateTimeField(null=True)
    hand = models.PositiveBigIntegerField(default=0)
    # How many rows of sums there are, and the sum of their hashes (`digests.Total`).
    tallies = models.PositiveBigIntegerField(default=0)
    tally_sum = models.TextField(default="0")
    ran_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.ended_at} {self.hand}"


@of_record(by="house:integrity.scan suspicion.decide")
class Suspicion(models.Model):
    """Something that chance hardly explains, with its evidence, and what staff decided about it."""

    class State(models.TextChoices):
        OPEN = "open", _p("a case", "open")
        DECIDED = "decided", _("decided")

    class Decision(models.TextChoices):
        UNFOUNDED = "unfounded", _("unfounded")
        WATCH = "watch", _("keep watching")
        ACTED = "acted", _("acted upon")

    detector = models.CharField(_("question"), max_length=20)
    # The numbers of the suspected players; these are suspected of the same thing once. Of a group
    # that may grow it is the first alone.
    subjects = models.CharField(max_length=KEY_MAX)
    players = models.ManyToManyField(
        settings.AUTH_USER_MODEL, verbose_name=_("players"), related_name="+"
    )
    game = models.CharField(_("game"), max_length=40, choices=game_choices, blank=True)
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, verbose_name=_("table"), related_name="+"
    )
    # When what was looked at began and ended.
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"))
    score = models.FloatField(_("score"))
    bound = models.FloatField(_("bound"))
    # How much was looked at: as much again makes it new evidence.
    weight = models.PositiveBigIntegerField(default=0)
    # Codes of hands, figures of the sentence, and amounts by day; never a card.
    evidence = models.JSONField(_("evidence"), default=dict)
    opened_at = models.DateTimeField(_("opened"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    decision = models.CharField(_("decision"), max_length=10, choices=Decision, blank=True)
    note = models.CharField(_("note"), max_length=REASON_MAX, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=REFERENCE_MAX, blank=True)
    # The name at that time.
    decided_by_name = models.CharField(_("decided by"), max_length=150, blank=True)
    decided_at = models.DateTimeField(_("decided"), null=True)

    class Meta:
        verbose_name = _("suspicion")
        verbose_name_plural = _("suspicions")
        default_permissions = ()
        permissions = [
            ("see_suspicion", "Can see suspicions and their evidence"),
            ("decide_suspicion", "Can decide suspicions, with a note"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["detector", "subjects", "game"],
                condition=Q(state="open"),
                name="one_open_suspicion",
            ),
            models.CheckConstraint(
                condition=Q(state="open", decision="", decided_at__isnull=True)
                | Q(state="decided", decided_at__isnull=False) & ~Q(decision="") & ~Q(note=""),
                name="suspicion_decided_whole",
            ),
        ]
        indexes = [models.Index(fields=["state", "-opened_at"], name="suspicions_by_state")]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        return f"suspicion:{self.pk}"


of_record(by="house:integrity.scan")(Suspicion.players.through)
