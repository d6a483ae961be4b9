"""Tables, and who sits at them."""

from typing import Any, Final
from uuid import uuid4

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.common import (
    AMOUNT,
    game_choices,
    new_sealed_token,
    new_token,
    seat_reference,
)
from games.words.naming import table_title
from wallets.storage.sealed_columns import DigestField, SealedField, SealedText, digest_of
from wallets.values.columns import free, of_record

_LIVE: Final = "the state of a hand that runs, which its record and the ledger prove when it ends"
SEALED: Final = "the encrypted text of a link whose digest is of record"
_MIXING: Final = "how seats take part in mixing, which their shoes prove"
SETS_UP: Final = (
    "command:found table.add table.change player:table.open_private player:evening.open "
    "player:evening.rematch house:table.open_overflow house:tournament.step"
)
_CLOSES: Final = (
    "table.close table.open game.close game.open house.close house.open player:table.close_private "
    "house:table.close_deserted tournament.cancel"
)

# The length limit of a message to a table, in characters.
NOTICE_MAX: Final = 200


@of_record(
    derived={"hands": "hands_dealt shoes_sealed"},
    free={
        SEALED: "sealed_invitation",
        _LIVE: (
            "version phase shoe_id next_shoe_id hand_id button redeals moves_made turns "
            "turn_began_at deadline due_at"
        ),
        _MIXING: "locked_ahead late_locks",
    },
    by=f"{SETS_UP} {_CLOSES} table.run table.rules players.message table.retry player.erase "
    "player:table.invite_anew house:table.tick",
)
class Table(models.Model):
    """A table: its game, options and stakes, and its live state.

    Everything from `version` on is changed by the verbs of `seating`, `play` and `clock`: under the
    row's lock, or by a statement that names the version it replaces.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        # The hand that runs is played to its end, and no other begins.
        CLOSING = "closing", _("closing")
        CLOSED = "closed", _("closed")

    class Phase(models.TextChoices):
        WAITING = "waiting", _("waiting for players")
        # Between two hands.
        PAUSE = "pause", _("between two hands")
        # The shoe is locked, and the deal waits for links of its seats.
        REVEAL = "reveal", _("mixing the shoe")
        PLAY = "play", _("playing")

    name = models.CharField(_("name"), max_length=60, unique=True)
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    options = models.JSONField(_("options"), default=dict, blank=True)
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, verbose_name=_("currency"), related_name="+"
    )
    places = models.PositiveSmallIntegerField(_("seats"), validators=[MinValueValidator(1)])
    buy_in_min = models.BigIntegerField(_("smallest buy-in"), validators=AMOUNT)
    buy_in_max = models.BigIntegerField(_("largest buy-in"), validators=AMOUNT)
    # A seat with a smaller stack is not dealt in until its player tops up.
    stack_min = models.BigIntegerField(_("smallest stack to play on"), validators=AMOUNT)
    decision_seconds = models.PositiveSmallIntegerField(_("seconds per decision"), default=20)
    betting_seconds = models.PositiveSmallIntegerField(_("seconds to bet"), default=15)
    pause_seconds = models.PositiveSmallIntegerField(_("seconds between hands"), default=5)
    # How long a player may be offline before the house plays on and the seat is given up.
    grace_seconds = models.PositiveSmallIntegerField(_("grace period in seconds"), default=60)
    # How long a player who sits out, or does not top up, keeps the seat.
    idle_seconds = models.PositiveSmallIntegerField(
        _("seconds before an idle seat is lost"), default=600
    )
    bots_max = models.PositiveSmallIntegerField(_("maximum number of bots"), default=0)
    overflow_max = models.PositiveSmallIntegerField(
        _("maximum number of overflow tables"),
        default=0,
        help_text=_(
            "How many overflow tables the house may open when people have taken every seat. An "
            "overflow table that stays empty closes by itself."
        ),
    )
    # The table that the house has opened this one beside.
    overflow_of = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        editable=False,
        verbose_name=_("opened beside"),
        related_name="overflow_tables",
    )
    private = models.BooleanField(_("by invitation only"), default=False)
    # The end of the link to a private table.
    sealed_invitation = SealedField(
        _("invitation"), key=("id",), default=new_sealed_token, editable=False
    )
    invitation_digest = DigestField(of="sealed_invitation")
    invitation = SealedText("sealed_invitation")
    hints_allowed = models.BooleanField(
        _("strategy hints"),
        default=True,
        help_text=_("Whether players can ask for strategy hints at a house game."),
    )
    # Tables that players open are private; those of the house have no opener. A table that
    # closes by itself when it is empty has a time of opening.
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        verbose_name=_("opened by"),
        related_name="tables_opened",
    )
    opened_at = models.DateTimeField(_("opened"), null=True, editable=False)
    # The organiser, such as `tournament:12`; a cash table has none. The table's format answers for
    # the differences: `games/tables/formats.py` alone reads this.
    organiser = models.CharField(
        _("run by"), max_length=64, blank=True, default="", db_default="", editable=False
    )
    # From the next hand on the table has the options and settings of this profile; and which of
    # its versions it has now.
    profile = models.ForeignKey(
        "Profile",
        models.PROTECT,
        null=True,
        blank=True,
        verbose_name=_("profile"),
        related_name="tables",
    )
    profile_version = models.ForeignKey(
        "ProfileVersion",
        models.PROTECT,
        null=True,
        editable=False,
        verbose_name=_("version of a profile"),
        related_name="+",
    )
    # The version of its rules that waits for the next hand, and that its players read of.
    coming_rules = models.ForeignKey(
        "TableRules", models.PROTECT, null=True, editable=False, related_name="+"
    )
    jackpots = models.ManyToManyField(
        "wallets.Jackpot", verbose_name=_("jackpots"), blank=True, related_name="tables"
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.OPEN
    )
    # The message of staff to all at the table, until they remove it.
    notice = models.CharField(
        _("message of the house"),
        max_length=NOTICE_MAX,
        blank=True,
        default="",
        db_default="",
        editable=False,
    )

    version = models.PositiveBigIntegerField(default=0, editable=False)
    phase = models.CharField(
        _("now"), max_length=10, choices=Phase.choices, default=Phase.WAITING, editable=False
    )
    shoe = models.ForeignKey(
        "Shoe", models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    # The shoe of the hand after this one: seats take part in mixing it while this hand is played.
    next_shoe = models.ForeignKey(
        "Shoe", models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    hand = models.ForeignKey(
        "Hand", models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    button = models.PositiveSmallIntegerField(null=True, editable=False)
    # The number of hands in a row without a call; Dou Dizhu deals again.
    redeals = models.PositiveSmallIntegerField(default=0, editable=False)
    hands_dealt = models.PositiveBigIntegerField(_("hands dealt"), default=0, editable=False)
    shoes_sealed = models.PositiveBigIntegerField(default=0, editable=False)
    # Which of the last shoes that were locked ahead were dealt, and how many of the next are locked
    # only when they are due (`games/shoes/seats.py`).
    locked_ahead = models.CharField(
        max_length=50, blank=True, default="", db_default="", editable=False
    )
    late_locks = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    moves_made = models.PositiveIntegerField(default=0, editable=False)
    # The seats that may act, each with its turn number: the moves made when it became its turn.
    turns = models.JSONField(default=dict, editable=False)
    turn_began_at = models.DateTimeField(null=True, editable=False)
    deadline = models.DateTimeField(null=True, editable=False)
    # When the house next has something to do here, be it a deadline, a bot or the next hand.
    due_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["name"]
        permissions = [("run_table", "Can open and close tables")]
        indexes = [
            models.Index("due_at", name="table_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["organiser"], name="table_organiser"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(buy_in_min__gte=1) & Q(buy_in_max__gte=F("buy_in_min")),
                name="table_buy_in_bounds",
                violation_error_message=_("The smallest buy-in is above the largest."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """Give a new table its invitation, which is sealed under the number of the new row."""
        if self.pk is not None:
            if self._state.adding and not self.sealed_invitation:
                self.invitation = new_token()
            super().save(*args, **options)
            return
        invitation = new_token()
        self.invitation_digest = digest_of(invitation)
        with transaction.atomic():
            super().save(*args, **options)
            self.invitation = invitation
            super().save(update_fields=["sealed_invitation"])

    @property
    def title(self) -> str:
        return table_title(self.name)

    @property
    def reference(self) -> str:
        return f"table:{self.pk}"


of_record(by=f"{SETS_UP} house:table.tick")(Table.jackpots.through)

# A player who misses this many turns in a row is sat out when the hand is over.
MISSED_MAX: Final = 3
# The time bank of a seat that has used none of it, in seconds.
TIME_BANK: Final = 30


@free(
    _LIVE,
    derived={"hands": "id code table_id number player_id", "ledger": "stack_id"},
    free={_MIXING: "shoes reveals house_shoes tip reply_ms"},
)
class Seat(models.Model):
    """A player's stay at a table, with one stack: the balance of the seat's stack account."""

    class LeftWhy(models.TextChoices):
        """The reason for which the house gave a seat up; nothing where its player left."""

        ABSENT = "absent", _("offline")
        IDLE = "idle", _("not dealt in")
        CLOSED = "closed", _("table closed")

    class SatOutWhy(models.TextChoices):
        """The reason for which the house made a player sit out; nothing where they asked for it."""

        MISSED = "missed", _("turns missed")
        ABSENT = "absent", _("offline")

    code = models.UUIDField(default=uuid4, unique=True, editable=False)
    table = models.ForeignKey(Table, models.PROTECT, verbose_name=_("table"), related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, verbose_name=_("player"), related_name="seats"
    )
    stack = models.OneToOneField(
        "wallets.Account", models.PROTECT, verbose_name=_("stack"), related_name="+"
    )
    sits_out = models.BooleanField(_("sits out"), default=False)
    sat_out_why = models.CharField(
        _("why the house had it sit out"), max_length=8, choices=SatOutWhy.choices, blank=True
    )
    # Turns in a row that the clock has played; a move or a switch of the player resets it.
    turns_missed = models.PositiveSmallIntegerField(_("turns missed"), default=0)
    # Leaves with the whole stack as soon as no hand is running.
    leaves = models.BooleanField(_("leaves after the hand"), default=False)
    # The house plays for the seat until the hand is over, or the player takes over again.
    auto_play = models.BooleanField(_("played by the house"), default=False)
    # The amount to add to the stack when the current hand has ended.
    top_up = models.BigIntegerField(_("top-up"), default=0)
    # The key under which it will be posted: the request may come again when the hand is over.
    top_up_key = models.UUIDField(null=True, editable=False)
    # Which of the last shoes were mixed with the player's own bytes, which of their last reveals
    # came in time, and for how many shoes the house mixes from now on (`games/shoes/seats.py`).
    shoes = models.CharField(max_length=50, blank=True, default="", db_default="", editable=False)
    reveals = models.CharField(max_length=50, blank=True, default="", db_default="", editable=False)
    house_shoes = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    # What the player's device has sent last of its chain: its commit for the next shoe.
    tip = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    # The milliseconds that the player's device takes to answer, if that is long; else 0.
    reply_ms = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # For whom a bot's seat is reserved while it plays a hand, and for how much they will sit down.
    reserved_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    reserved_buy_in = models.BigIntegerField(default=0, editable=False)
    # When the player was seen; for a bot, when the player who reserved the seat was.
    seen_at = models.DateTimeField(_("last seen"))
    # Until when the house waits for them if they give no further sign (`presence.py`).
    here_until = models.DateTimeField(null=True, editable=False)
    # Whether the others at the table see the player as offline.
    shown_offline = models.BooleanField(default=False, editable=False)
    # Since when the seat could not be dealt in; after too long it is given up.
    idle_since = models.DateTimeField(_("idle since"), null=True)
    sat_down_at = models.DateTimeField(_("sat down"))
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_why = models.CharField(
        _("why the seat was given up"), max_length=8, choices=LeftWhy.choices, blank=True
    )
    # The number of the hand whose result the player has read: the next need not wait for them.
    ready_after = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    # The player's bets for the next round against the house, as actions (`next_bets.py`).
    next_bets = models.JSONField(null=True, editable=False)
    # The seconds that the player may take beyond the time of a turn (`time_bank.py`).
    time_bank = models.PositiveSmallIntegerField(
        default=TIME_BANK, db_default=TIME_BANK, editable=False
    )
    # Whether its player has seen that the house gave the seat up.
    loss_seen = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(left_at__isnull=True),
                name="one_player_a_seat",
            ),
            models.UniqueConstraint(
                fields=["table", "player"],
                condition=Q(left_at__isnull=True),
                name="one_seat_a_player",
            ),
            models.UniqueConstraint(
                fields=["table", "reserved_for"],
                condition=Q(left_at__isnull=True),
                name="one_reservation_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"

    @property
    def reference(self) -> str:
        """Return what the ledger calls this seat."""
        return seat_reference(self.code)

    @property
    def sat_out_by_house(self) -> bool:
        """Whether it was the house that made the player sit out."""
        return self.sits_out and (bool(self.sat_out_why) or self.turns_missed >= MISSED_MAX)
