"""What the house keeps of its tables: who sits where, which shoe lies there, what was played.

A hand is its shoe and its moves; no state of a hand is stored. What stands beside them in a row
(who may act until when, results by seat) is derived, and can be made again by replay.
"""

import secrets
from uuid import UUID, uuid4

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.rules.catalogue import GAMES
from wallets.holders import player_reference as player_reference  # noqa: PLC0414 - one of ours

AMOUNT = [MinValueValidator(1), MaxValueValidator(10**15)]


def new_token() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(16)


def seat_reference(code: UUID) -> str:
    """What the ledger calls a seat; it is known before the seat is taken."""
    return f"seat:{code}"


def game_choices() -> list[tuple[str, str]]:
    return [(key, key.replace("_", " ")) for key in GAMES]


class Table(models.Model):
    """A table: what is played there for how much, and what is going on right now.

    Everything from `version` on is changed only under the row's lock, by the verbs of `seating`,
    `play` and `clock`.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        # The hand that runs is played to its end, and no other begins.
        CLOSING = "closing", _("closing")
        CLOSED = "closed", _("closed")

    class Phase(models.TextChoices):
        WAITING = "waiting", _("waiting for players")
        # Between two hands. While a shoe lies sealed there, seats may commit to their part of it.
        PAUSE = "pause", _("between two hands")
        # The shoe is locked, and the seats that have committed reveal.
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
    # Who holds less is asked to top up, and is not dealt in until then.
    purse_min = models.BigIntegerField(_("smallest purse to play on"), validators=AMOUNT)
    decision_seconds = models.PositiveSmallIntegerField(_("seconds a decision"), default=20)
    betting_seconds = models.PositiveSmallIntegerField(_("seconds to bet"), default=15)
    pause_seconds = models.PositiveSmallIntegerField(_("seconds between hands"), default=5)
    # How long one may be out of sight before the house plays on and the seat is given up.
    grace_seconds = models.PositiveSmallIntegerField(_("seconds of grace"), default=60)
    # How long a seat is kept for one who sits out or does not top up.
    idle_seconds = models.PositiveSmallIntegerField(_("seconds a seat is kept"), default=600)
    bots_max = models.PositiveSmallIntegerField(_("bots at most"), default=0)
    private = models.BooleanField(_("by invitation only"), default=False)
    invitation = models.CharField(_("invitation"), max_length=40, default=new_token, editable=False)
    hints_allowed = models.BooleanField(
        _("strategy hints"),
        default=True,
        help_text=_("Whether players may ask what the strategy would do, against the house."),
    )
    # Tables that players open are private; those of the house have been opened by nobody.
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        verbose_name=_("opened by"),
        related_name="tables_opened",
    )
    opened_at = models.DateTimeField(_("opened"), null=True, editable=False)
    jackpots = models.ManyToManyField(
        "wallets.Jackpot", verbose_name=_("jackpots"), blank=True, related_name="tables"
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.OPEN
    )

    version = models.PositiveBigIntegerField(default=0, editable=False)
    phase = models.CharField(
        max_length=10, choices=Phase.choices, default=Phase.WAITING, editable=False
    )
    shoe = models.ForeignKey(
        "Shoe", models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    hand = models.ForeignKey(
        "Hand", models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    button = models.PositiveSmallIntegerField(null=True, editable=False)
    # How many hands in a row nobody has called; Dou Dizhu deals again.
    redeals = models.PositiveSmallIntegerField(default=0, editable=False)
    hands_dealt = models.PositiveBigIntegerField(default=0, editable=False)
    shoes_sealed = models.PositiveBigIntegerField(default=0, editable=False)
    moves_made = models.PositiveIntegerField(default=0, editable=False)
    # Who may act, and how many moves had been made when it became so: the number of their turn.
    turns = models.JSONField(default=dict, editable=False)
    turn_began_at = models.DateTimeField(null=True, editable=False)
    deadline = models.DateTimeField(null=True, editable=False)
    # When the house next has something to do here, be it a deadline, a bot or the next hand.
    due_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["name"]
        indexes = [models.Index("due_at", name="table_due", condition=Q(due_at__isnull=False))]
        constraints = [
            models.CheckConstraint(
                condition=Q(buy_in_min__gte=1) & Q(buy_in_max__gte=F("buy_in_min")),
                name="table_buy_in_bounds",
                violation_error_message=_("The smallest buy-in is above the largest."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def reference(self) -> str:
        """What the ledger calls this table."""
        return f"table:{self.pk}"


class Seat(models.Model):
    """A player's stay at a table, with one purse: the balance of the seat's stack account."""

    code = models.UUIDField(default=uuid4, unique=True, editable=False)
    table = models.ForeignKey(Table, models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats")
    stack = models.OneToOneField(
        "wallets.Account", models.PROTECT, verbose_name=_("stack"), related_name="+"
    )
    sits_out = models.BooleanField(_("sits out"), default=False)
    # Leaves as soon as no hand is running, with the whole purse.
    leaves = models.BooleanField(_("leaves after the hand"), default=False)
    # The house plays for the seat until the player takes over again.
    trustee = models.BooleanField(_("played by the house"), default=False)
    # What is to be added to the purse when the hand that runs has ended.
    top_up = models.BigIntegerField(_("top-up"), default=0)
    # How many shoes were voided because this seat did not show what it had committed to.
    withheld = models.PositiveSmallIntegerField(default=0)
    seen_at = models.DateTimeField(_("last seen"))
    # Since when the seat could not be dealt in; whoever keeps it too long without playing loses it.
    idle_since = models.DateTimeField(null=True)
    sat_down_at = models.DateTimeField(_("sat down"))
    left_at = models.DateTimeField(_("left"), null=True, blank=True)

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
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"

    @property
    def reference(self) -> str:
        """What the ledger calls this seat."""
        return seat_reference(self.code)


class Shoe(models.Model):
    """A shoe of the protocol. Its secret is encrypted, and never leaves the house."""

    class Status(models.TextChoices):
        SEALED = "sealed", _("sealed")
        LOCKED = "locked", _("locked")
        OPEN = "open", _("in play")
        SPENT = "spent", _("spent")
        VOID = "void", _("void")

    code = models.CharField(_("shoe"), max_length=60, primary_key=True)
    table = models.ForeignKey(Table, models.PROTECT, related_name="shoes")
    decks = models.PositiveSmallIntegerField()
    jokers = models.BooleanField()
    secret = models.TextField(editable=False)
    seal = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    x_0 = models.CharField(max_length=64)
    lock = models.CharField(max_length=64, blank=True)
    mix = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.SEALED)
    cards_dealt = models.PositiveSmallIntegerField(default=0)
    rounds_played = models.PositiveSmallIntegerField(default=0)
    sealed_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True)
    # Why the shoe was taken away before it was spent; public.
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("shoe")
        verbose_name_plural = _("shoes")
        ordering = ["-sealed_at"]

    def __str__(self) -> str:
        return self.code


class ShoeSeat(models.Model):
    """What one seat gives to a shoe."""

    shoe = models.ForeignKey(Shoe, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    by_house = models.BooleanField()
    commit = models.CharField(max_length=64)
    reveal = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("seat of a shoe")
        verbose_name_plural = _("seats of a shoe")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["shoe", "number"], name="one_part_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.shoe_id} {self.number}"


class Hand(models.Model):
    """One hand, or one round against the house."""

    class Status(models.TextChoices):
        LIVE = "live", _("live")
        FINISHED = "finished", _("finished")
        VOID = "void", _("void")

    table = models.ForeignKey(Table, models.PROTECT, related_name="hands")
    number = models.PositiveBigIntegerField(_("number"))
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    stakes = models.JSONField()
    context = models.JSONField(default=dict)
    shoe = models.ForeignKey(Shoe, models.PROTECT, related_name="hands")
    first_card = models.PositiveSmallIntegerField()
    cards_dealt = models.PositiveSmallIntegerField(default=0)
    round_number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.LIVE)
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    settlement = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    # What was drawn beside the cards, as the proof tells it.
    draws = models.JSONField(default=list)
    # What the house took: rake, and what it won or lost itself, pools included.
    rake = models.BigIntegerField(_("rake"), default=0)
    bank = models.BigIntegerField(_("the house's result"), default=0)
    # The jackpots it is played for, by kind: the table may get others before it ends.
    jackpots = models.JSONField(default=dict)
    # What the ledger keeps of this hand.
    posting = models.UUIDField(null=True, blank=True)
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering = ["-id"]
        permissions = [("audit_hand", "Can see every card of a finished hand")]
        indexes = [
            models.Index(fields=["ended_at"], name="hand_ended"),
            models.Index(fields=["table", "-id"], name="hand_of_table"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_hand_a_number"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(status="live"), name="one_live_hand_a_table"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        """What people call this hand, and the id of its record."""
        return f"T{self.table_id}-H{self.number}"

    @property
    def reference(self) -> str:
        """What the ledger calls this hand."""
        return f"hand:{self.pk}"


class HandSeat(models.Model):
    """A seat in a hand; the results are derived when the hand ends.

    From `game` on, what is told of the hand stands here once more: a player's history is paged,
    filtered and summed by one index, however long it is. The audit compares the two.
    """

    hand = models.ForeignKey(Hand, models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="hands")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="hands")
    purse = models.BigIntegerField()
    net = models.BigIntegerField(default=0)
    rake = models.BigIntegerField(default=0)
    game = models.CharField(max_length=40, choices=game_choices)
    # The hand's own keys see to it that these two are there.
    table = models.ForeignKey(
        Table, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    status = models.CharField(max_length=10, choices=Hand.Status.choices, default=Hand.Status.LIVE)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("seat in a hand")
        verbose_name_plural = _("seats in hands")
        ordering = ["hand", "number"]
        indexes = [
            models.Index(fields=["player", "-hand"], name="hands_of_player"),
            # Everything that a history filters by and sums: no row need be read to leave one out.
            models.Index(
                fields=[
                    "player",
                    "-ended_at",
                    "-hand",
                    "game",
                    "table",
                    "currency",
                    "status",
                    "net",
                ],
                name="history_of_player",
                condition=Q(ended_at__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="one_seat_a_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.number}"


class SharedHand(models.Model):
    """A link by which anybody sees of a hand what was public, until its player takes it back."""

    token = models.CharField(max_length=40, unique=True, default=new_token, editable=False)
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="shared")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    # Whether the player's own name is told; the others are seats in any case.
    named = models.BooleanField(default=False)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("shared hand")
        verbose_name_plural = _("shared hands")
        constraints = [
            models.UniqueConstraint(
                fields=["hand", "player"],
                condition=Q(revoked_at__isnull=True),
                name="one_link_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.player_id}"


class Move(models.Model):
    """A move of a hand; seat 0 is the house."""

    class By(models.TextChoices):
        PLAYER = "player", _("player")
        TIMEOUT = "timeout", _("timeout")
        BOT = "bot", _("bot")
        HOUSE = "house", _("house")

    hand = models.ForeignKey(Hand, models.PROTECT, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    action = models.JSONField()
    # The turn it answers: what makes a repeated submission known.
    turn = models.PositiveIntegerField()
    by = models.CharField(max_length=10, choices=By.choices)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["hand", "number"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="one_move_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.number}"


class ChainEntry(models.Model):
    """An entry of the house's public chain.

    It gets its position and the head behind it soon after it was made: if tables had to wait for
    one another's entries, one slow table would hold up all.
    """

    kind = models.CharField(max_length=20)
    body = models.JSONField()
    made_at = models.DateTimeField()
    position = models.PositiveBigIntegerField(null=True, unique=True)
    head = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("entry of the public chain")
        verbose_name_plural = _("entries of the public chain")
        ordering = ["id"]
        indexes = [models.Index("id", name="chain_unlinked", condition=Q(position__isnull=True))]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Day(models.Model):
    """A day that is closed: what the house took at its tables, and whether the ledger agrees."""

    day = models.DateField(_("day"), unique=True)
    closed_at = models.DateTimeField(_("closed"))
    hands = models.PositiveBigIntegerField(_("hands"))
    # By currency: rake, and the house's own result.
    sums = models.JSONField(_("sums by currency"), default=dict)
    # One sentence for everything that did not add up.
    differences = models.JSONField(_("differences"), default=list)

    class Meta:
        verbose_name = _("day")
        verbose_name_plural = _("days")
        ordering = ["-day"]

    def __str__(self) -> str:
        return str(self.day)


class DayResult(models.Model):
    """What one player brought the house at one table on one day."""

    day = models.ForeignKey(Day, models.PROTECT, related_name="results")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    currency = models.ForeignKey("wallets.Currency", models.PROTECT, related_name="+")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    hands = models.PositiveBigIntegerField(_("hands"))
    net = models.BigIntegerField(_("won"))
    rake = models.BigIntegerField(_("rake"))

    class Meta:
        verbose_name = _("result of a day")
        verbose_name_plural = _("results of days")
        constraints = [
            models.UniqueConstraint(fields=["day", "table", "player"], name="one_result_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day_id} {self.table_id} {self.player_id}"
