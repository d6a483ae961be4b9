"""Hands, who played them with what result, links that show them, and their moves."""

from typing import Any, Final

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.common import game_choices, new_sealed_token
from games.models.shoes import Shoe
from games.models.tables import SEALED, Seat, Table
from games.words.refusals import hand_reason_in_words
from wallets.storage.sealed_columns import DigestField, SealedField, SealedText
from wallets.values.columns import NUMBER, derived, of_record

# The length limit of a reason, in characters.
REASON_MAX: Final = 200


@derived("hands")
class Hand(models.Model):
    """One hand, or one round against the house."""

    class Status(models.TextChoices):
        LIVE = "live", _("live")
        FINISHED = "finished", _("finished")
        VOID = "void", _("void")

    table = models.ForeignKey(Table, models.PROTECT, verbose_name=_("table"), related_name="hands")
    number = models.PositiveBigIntegerField(_("number"))
    game = models.CharField(_("game"), max_length=40, choices=game_choices)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    # The version of a profile that its table followed when it was dealt.
    profile_version = models.ForeignKey(
        "ProfileVersion",
        models.PROTECT,
        null=True,
        verbose_name=_("version of a profile"),
        related_name="hands",
        db_index=False,
    )
    stakes = models.JSONField()
    context = models.JSONField(default=dict)
    # The part of the context that remains secret after the hand has ended.
    sealed_context = SealedField(
        key=("table_id", "number"), blank=True, default="", db_default="", editable=False
    )
    shoe = models.ForeignKey(Shoe, models.PROTECT, related_name="hands")
    first_card = models.PositiveSmallIntegerField()
    cards_dealt = models.PositiveSmallIntegerField(default=0)
    round_number = models.PositiveSmallIntegerField()
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.LIVE
    )
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    settlement = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    # The draws other than the cards, as in the proof; written when the hand has ended.
    draws = models.JSONField(default=list)
    # The house's take: rake, and its own result, pools included.
    rake = models.BigIntegerField(_("rake"), default=0)
    bank = models.BigIntegerField(_("the house's result"), default=0)
    # The jackpots it is played for, by kind: the table may get others before it ends.
    jackpots = models.JSONField(default=dict)
    # The posting of this hand in the ledger.
    posting = models.UUIDField(_("posting"), null=True, blank=True)
    # Why the hand is void: the house's code if it has one, the text, and who voided it.
    void_code = models.CharField(
        _("void for"), max_length=32, blank=True, default="", db_default=""
    )
    void_text = models.CharField(
        _("why it is void"), max_length=REASON_MAX, blank=True, default="", db_default=""
    )
    void_by = models.CharField(_("voided by"), max_length=64, blank=True, default="", db_default="")
    # When a paid hand was reversed, and by which posting; `ended_at` stays.
    reversed_at = models.DateTimeField(_("reversed at"), null=True, blank=True)
    reversal = models.UUIDField(_("posting of the reversal"), null=True, blank=True)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering = ["-id"]
        permissions = [
            ("audit_hand", "Can see every card of a finished hand"),
            ("void_hand", "Can void live hands and reverse paid ones"),
            ("void_live_hand", "Can void live hands, which moves no money"),
        ]
        indexes = [
            models.Index(fields=["ended_at"], name="hand_ended"),
            models.Index(fields=["table", "-id"], name="hand_of_table"),
            # Hands of tables without a profile are in no list of it.
            models.Index(
                fields=["profile_version", "-id"],
                name="hand_of_profile",
                condition=Q(profile_version__isnull=False),
            ),
            models.Index(
                "reversed_at", name="hand_reversed", condition=Q(reversed_at__isnull=False)
            ),
            # A table shows which hand of it was reversed last, however many it has dealt.
            models.Index(
                fields=["table", "-reversed_at"],
                name="hand_reversed_at_table",
                condition=Q(reversed_at__isnull=False),
            ),
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
        """The code by which people and records refer to this hand."""
        return f"T{self.table_id}-H{self.number}"

    @property
    def reference(self) -> str:
        return f"hand:{self.pk}"

    @property
    def was_paid(self) -> bool:
        """Whether it was played to its end, even if it was reversed afterwards."""
        return self.status == Hand.Status.FINISHED or self.reversed_at is not None

    @property
    def why_void(self) -> str:
        """Return why the hand is void, as players read it: without the role of who voided it."""
        return hand_reason_in_words(self.void_code, self.void_text)

    @property
    def void_reason(self) -> str:
        """The person who reversed the hand and the reason, in the form of records and digests."""
        return f"{self.void_by}: {self.void_text}" if self.void_by else self.void_text


@derived("hands", free={NUMBER: "id"})
class HandSeat(models.Model):
    """A seat in a hand; the results are derived when the hand ends.

    The columns from `game` on repeat those of the hand: a player's history is paged,
    filtered and summed by one index, however long it is. The audit compares the two.
    """

    # Hand and player are looked up by the indexes below: each index is written twice a hand.
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="hands")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="hands", db_index=False
    )
    starting_stack = models.BigIntegerField()
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
            # All columns that a history filters and sums, so filtered rows are never read.
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
            # The largest results, which are few among many.
            models.Index(
                fields=["player", "currency", "net"],
                name="results_of_player",
                condition=Q(status="finished"),
            ),
            # The same for auditors, who look among those of all players.
            models.Index(
                fields=["currency", "net"],
                name="results_of_all",
                condition=Q(status="finished"),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="one_seat_a_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.number}"


@of_record(
    free={SEALED: "sealed_token"},
    by="player:hand.share player:hand.unshare sharedhand.revoke player.erase",
)
class SharedHand(models.Model):
    """A public link to the public part of a hand, until its player revokes it."""

    sealed_token = SealedField(
        key=("hand_id", "player_id", "made_at"), default=new_sealed_token, editable=False
    )
    token_digest = DigestField(of="sealed_token", unique=True)
    token = SealedText("sealed_token")
    hand = models.ForeignKey(Hand, models.PROTECT, verbose_name=_("hand"), related_name="shared")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        verbose_name=_("player"),
        related_name="+",
        db_index=False,
    )
    # Whether the link shows the player's own name; other players are always seat numbers.
    named = models.BooleanField(_("by name"), default=False)
    made_at = models.DateTimeField(_("made"))
    revoked_at = models.DateTimeField(_("revoked"), null=True)
    # The person who withdrew the link: the player, or staff, who give a reason.
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        verbose_name=_("revoked by"),
        related_name="+",
    )
    revoked_why = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("shared hand")
        verbose_name_plural = _("shared hands")
        permissions = [("revoke_sharedhand", "Can revoke links to hands")]
        indexes = [models.Index(fields=["player", "-id"], name="links_of_player")]
        constraints = [
            models.UniqueConstraint(
                fields=["hand", "player"],
                condition=Q(revoked_at__isnull=True),
                name="one_link_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hand.code}, {self.player}"


@derived("hands", free={NUMBER: "id"})
class Move(models.Model):
    """A move of a hand; seat 0 is the house."""

    class By(models.TextChoices):
        PLAYER = "player", _("player")
        TIMEOUT = "timeout", _("timeout")
        BOT = "bot", _("bot")
        HOUSE = "house", _("house")

    hand = models.ForeignKey(Hand, models.PROTECT, verbose_name=_("hand"), related_name="moves")
    number = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    # The part of the action that a spectator could see when it was made; if that is not all of it,
    # the whole action is encrypted below.
    action = models.JSONField()
    sealed_action = SealedField(
        key=("hand_id", "number"), blank=True, default="", db_default="", editable=False
    )
    # The turn that it answers; a repeated submission is recognised by it.
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
        # Re-encryption finds the few encrypted moves among all moves by this index.
        indexes = [
            models.Index(fields=["id"], name="moves_sealed", condition=~Q(sealed_action="")),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.number}"


class TokensField(models.TextField):  # type: ignore[type-arg]
    """Tokens with a space before and after each; PostgreSQL has an index of them all."""


@TokensField.register_lookup
class HasTokens(models.Lookup):
    """Whether a row has all of these tokens."""

    lookup_name = "has_tokens"

    def get_prep_lookup(self) -> list[str]:
        return [str(token) for token in self.rhs]

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column, params = self.process_lhs(compiler, connection)
        each = " AND ".join(f"{column} LIKE %s" for _token in self.rhs)
        return each, (*params, *(f"% {token} %" for token in self.rhs))

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, object]:
        column, params = self.process_lhs(compiler, connection)
        return f"string_to_array({column}, ' ') @> %s::text[]", (*params, self.rhs)


@derived("hands", free={NUMBER: "id"})
class HeldCards(models.Model):
    """The cards of one holder in a finished hand: number 0 is the house, with every hand's flags.

    The tokens are hashes under a key of the house, whose name is kept beside them.
    """

    hand = models.ForeignKey(Hand, models.PROTECT, related_name="held", db_index=False)
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=8)
    tokens = TokensField()

    class Meta:
        verbose_name = _("cards of a hand")
        verbose_name_plural = _("cards of hands")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="held_cards_once"),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.number}"
