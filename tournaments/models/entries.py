"""The entrants of an event: their seats, what they paid, and what they are paid."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from tournaments.models.events import SHOWN, STEP, Tournament
from wallets.values.columns import derived

# As many as a number of two bytes counts: the shoe knows an entrant by it.
NUMBER_MAX: Final = 65_535


@derived(
    "tournaments",
    record="registered_at",
    free={SHOWN: "place_before disqualify_due"},
    by="player:tournament.register",
)
class Entry(models.Model):
    """A player in an event: one row, however often the player re-enters."""

    class State(models.TextChoices):
        REGISTERED = "registered", _("registered")
        # Entered late or again, between two tables, or with a bye: without a seat for the moment.
        WAITING = "waiting", _("waits for a seat")
        PLAYING = "playing", _p("a tournament", "plays")
        OUT = "out", _("out")
        # Still in when the event ended.
        PLACED = "placed", _("placed")
        DISQUALIFIED = "disqualified", _("disqualified")
        # Unregistered before the start; may register again.
        WITHDRAWN = "withdrawn", _("unregistered")
        REFUNDED = "refunded", _("returned")

    LEFT = (State.REGISTERED, State.WAITING, State.PLAYING)

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="all_entries")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournament_entries"
    )
    # By this number the event's shoe knows the entrant.
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.REGISTERED)
    registered_at = models.DateTimeField(_("registered"))
    # How often they entered, and whether they bought the add-on.
    entries = models.PositiveSmallIntegerField(_p("a tournament", "entries"), default=1)
    added_on = models.BooleanField(_("add-on"), default=False)
    # The sum of their payments, and the number of postings; each has its key by its number.
    stake_paid = models.BigIntegerField(_("stake paid"), default=0)
    fee_paid = models.BigIntegerField(_("fee paid"), default=0)
    # What of both a ticket has paid.
    ticket_paid = models.BigIntegerField(_("paid by ticket"), default=0, db_default=0)
    payments = models.PositiveSmallIntegerField(default=0)
    # Where their chips are while they have no seat.
    account = models.ForeignKey("wallets.Account", models.PROTECT, related_name="+")
    # The one seat they have: no player sits at two tables of an event.
    seat = models.OneToOneField(
        "games.Seat", models.PROTECT, null=True, related_name="tournament_entry"
    )
    # The number drawn for the first seats, or on entering late: it decides among equals.
    drawn = models.PositiveIntegerField(_("number drawn"), null=True)
    byes = models.PositiveSmallIntegerField(_("byes"), default=0)
    # In duplicate rounds: the match points, and the chips of all deals, as far as deals are over.
    points = models.BigIntegerField(_("points"), default=0)
    chips_won = models.BigIntegerField(_("chips won"), default=0)
    # Disqualified as soon as the hand that runs has ended.
    disqualify_due = models.BooleanField(default=False)
    # The order in which players went out; the place follows from it once entries are closed.
    out_sequence = models.PositiveIntegerField(null=True)
    out_at = models.DateTimeField(_("out"), null=True)
    place = models.PositiveIntegerField(_("place"), null=True)
    # Their place when the level, round or deal began, while they were still in (`ranked.py`).
    place_before = models.PositiveIntegerField(null=True, editable=False)
    prize = models.BigIntegerField(_("prize"), default=0)

    # The entrant's part in the event's shoe.
    commit = models.CharField(max_length=64, blank=True)
    reveal = models.CharField(max_length=64, blank=True)
    by_house = models.BooleanField(default=True)

    class Meta:
        verbose_name = _p("a tournament", "entry")
        verbose_name_plural = _p("a tournament", "entries")
        ordering = ["tournament", "number"]
        indexes = [
            models.Index(fields=["player", "-id"], name="entries_of_player"),
            models.Index(fields=["tournament", "state"], name="entries_by_state"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_a_player"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(
                fields=["tournament", "drawn"],
                condition=Q(drawn__isnull=False),
                name="one_entry_a_drawn_number",
            ),
            models.CheckConstraint(
                condition=Q(number__range=(1, NUMBER_MAX), stake_paid__gte=0, fee_paid__gte=0),
                name="entry_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"

    @property
    def reference(self) -> str:
        return f"entry:{self.tournament_id}-{self.player_id}"

    @property
    def own_cost(self) -> int:
        """What the player has paid, without what a ticket did."""
        return self.stake_paid + self.fee_paid - self.ticket_paid


@derived("tournaments", record="made_at paid_at", by=STEP)
class Payout(models.Model):
    """A debt of an event to a player: one prize per place, or the refund of an entry.

    The row is inserted with the places; it is paid once, by `finish.pay`, and never changed else.
    """

    class Kind(models.TextChoices):
        PRIZE = "prize", _("prize")
        REFUND = "refund", _("refund")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="payouts")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="payouts")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    place = models.PositiveIntegerField(_("place"), null=True)
    amount = models.BigIntegerField(_("amount"))
    made_at = models.DateTimeField(_("made"))
    # The posting that paid it.
    posting = models.UUIDField(null=True)
    paid_at = models.DateTimeField(_("paid"), null=True)

    class Meta:
        verbose_name = _("payout")
        verbose_name_plural = _("payouts")
        ordering = ["tournament", "place"]
        indexes = [
            models.Index(fields=["tournament"], name="payouts_unpaid", condition=Q(paid_at=None)),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "place"],
                condition=Q(place__isnull=False),
                name="one_payout_a_place",
            ),
            models.UniqueConstraint(fields=["entry", "kind"], name="one_payout_an_entry"),
            models.CheckConstraint(
                condition=Q(kind="prize", place__isnull=False) | Q(kind="refund", place=None),
                name="payout_has_its_place",
            ),
            models.CheckConstraint(
                condition=Q(posting=None, paid_at=None)
                | Q(posting__isnull=False, paid_at__isnull=False),
                name="payout_paid_by_a_posting",
            ),
            models.CheckConstraint(condition=Q(amount__gte=1), name="payout_amount"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.kind} {self.place}"
