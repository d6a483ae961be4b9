"""Promotions in versions, what players have gained and been awarded, and how far facts were taken.

Terms are values that `rules.declaration` reads; nothing else of a version decides what it pays.
Progress and awards follow from facts: the audit computes every one of them again.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from casino.accounts.models import Player
from casino.community.promotions.rules import declaration, engine
from casino.community.promotions.rules.declaration import Declaration
from wallets.models import Currency
from wallets.values.columns import NUMBER, derived, free, of_record

TITLE_MAX = 60
KEY_MAX = 40


def of_player() -> "models.ForeignKey[Player, Player]":
    """Whose row it is; rows are found by other columns first."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )


def in_currency() -> "models.ForeignKey[Currency, Currency]":
    return models.ForeignKey(Currency, models.PROTECT, related_name="+", db_index=False)


class Row(models.Model):
    """A row that the back office shows only on pages of its own."""

    class Meta:
        abstract = True
        default_permissions = ()


class Choice(Row):
    """Something that a player has switched on; without a row it is off."""

    player = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta(Row.Meta):
        abstract = True

    def __str__(self) -> str:
        return f"{self.player_id}"


@of_record(by="promotion.add promotion.draft")
class Promotion(models.Model):
    """A promotion by its name; its terms are in its versions."""

    name = models.CharField(_("name"), max_length=TITLE_MAX, unique=True)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("promotion")
        verbose_name_plural = _("promotions")
        default_permissions = ("view",)
        permissions = [("publish_promotion", "Can draft and publish promotions")]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """The name as readers know it: those of a demonstration are translated."""
        return gettext(self.name)

    @property
    def reference(self) -> str:
        return f"promotion:{self.pk}"


@of_record(
    by="promotion.add promotion.draft promotion.change promotion.discard promotion.publish "
    "promotion.end proposal.propose proposal.reject proposal.withdraw proposal.expire "
    "house:promotions.take",
    derived={"promotions": "stopped_at"},
)
class PromotionVersion(models.Model):
    """One version of a promotion; from its proposal on its terms stay as they are."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PROPOSED = "proposed", _("proposed")
        PUBLISHED = "published", _("published")
        REJECTED = "rejected", _("rejected")

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)
    terms = models.JSONField(_("terms"))
    revision = models.PositiveIntegerField(default=1)
    # Why it is published although a player who only exploits it gains.
    answer = models.CharField(_("reason"), max_length=200, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"))
    # From when its facts count, and until when: its own end, or an earlier one.
    published_from = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    # When its budget was spent.
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("version of a promotion")
        verbose_name_plural = _("versions of promotions")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["promotion", "number"], name="promotion_version_once"),
            models.UniqueConstraint(
                fields=["promotion"],
                condition=Q(state__in=("draft", "proposed")),
                name="one_open_promotion_version",
            ),
            models.CheckConstraint(
                condition=~Q(state="published") | Q(published_from__isnull=False),
                name="promotion_published_from",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.promotion.title} · {self.number}"

    @property
    def reference(self) -> str:
        return f"{self.promotion.reference}:{self.number}"

    @property
    def declared(self) -> Declaration:
        """Its terms as values."""
        return declaration.read(self.terms)

    @property
    def effective(self) -> Declaration:
        """The same for the time in which facts count: from its publication to its own end."""
        terms = self.declared
        starts = max(terms.starts, self.published_from or terms.starts)
        return replace(terms, starts=starts, ends=min(terms.ends, self.ended_at or terms.ends))


@derived("promotions", free={NUMBER: "id"})
class PromotionProgress(models.Model):
    """What a player has gained in a window of a version."""

    version = models.ForeignKey(
        PromotionVersion, models.PROTECT, related_name="progress", db_index=False
    )
    player = of_player()
    window = models.CharField(max_length=KEY_MAX, blank=True)
    entry = models.CharField(max_length=KEY_MAX, blank=True)
    points = models.BigIntegerField()
    hands = models.IntegerField()
    reached_at = models.DateTimeField(null=True)
    is_closed = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["version", "window", "player", "entry"], name="progress_once"
            )
        ]
        indexes = [models.Index(fields=["player", "version"], name="progress_of_player")]

    def __str__(self) -> str:
        return f"{self.version_id} {self.player_id} {self.window}"


AWARD_STATES = {
    engine.PAID: _("paid"),
    engine.HELD: _("to be wagered"),
    engine.RELEASED: _("released"),
    engine.EXPIRED: _("expired"),
    engine.FORFEITED: _("given up"),
    engine.RETURNED: _("taken back"),
}


@derived(
    "promotions",
    record="forfeited_at",
    by="house:promotions.take house:promotions.pay player:promotion.forfeit",
    free={NUMBER: "id"},
)
class PromotionAward(models.Model):
    """An award: one posting when it is given, and one when a bonus is released or goes back."""

    version = models.ForeignKey(PromotionVersion, models.PROTECT, related_name="awards")
    player = of_player()
    currency = in_currency()
    fact = models.CharField(max_length=KEY_MAX)
    cause = models.CharField(max_length=KEY_MAX)
    amount = models.BigIntegerField(_("amount"))
    at = models.DateTimeField(_("at"))
    day = models.DateField(_("day"))
    state = models.CharField(_("state"), max_length=10, choices=list(AWARD_STATES.items()))
    to_wager = models.BigIntegerField(default=0)
    wagered = models.BigIntegerField(default=0)
    expires_at = models.DateTimeField(null=True)
    is_debt = models.BooleanField(default=False)
    forfeited_at = models.DateTimeField(null=True)
    # Which postings there are: the award itself, and the end of a bonus.
    is_posted = models.BooleanField(default=False)
    is_ended = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["version", "player", "fact"], name="awarded_once"),
            models.CheckConstraint(condition=Q(amount__gte=1), name="award_amount"),
        ]
        indexes = [
            models.Index(fields=["player", "-at"], name="awards_of_player"),
            models.Index(fields=["id"], name="awards_to_post", condition=Q(is_posted=False)),
        ]

    def __str__(self) -> str:
        return f"{self.version_id} {self.player_id} {self.fact}"

    @property
    def left(self) -> int:
        """What is still to be wagered of a bonus."""
        return self.to_wager - self.wagered

    @property
    def percent(self) -> int:
        return 100 * self.wagered // self.to_wager if self.to_wager else 100


@of_record(by="house:promotions.take")
class EarnerChange(models.Model):
    """From when a player earns nothing, or earns again: found when facts are taken."""

    player = of_player()
    since = models.DateTimeField()
    # Why the player earns nothing; empty where they earn again.
    why = models.CharField(max_length=KEY_MAX, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "since"], name="earner_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.why}"


@derived("promotions", free={NUMBER: "id"})
class PointsMonth(models.Model):
    """A player's points in a currency and month, in thousandths of a minor unit that is kept."""

    player = of_player()
    currency = in_currency()
    month = models.DateField()
    kept = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "currency", "month"], name="points_once")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.currency_id} {self.month}"


@of_record(by="shop.offer shop.withdraw")
class ShopOffer(models.Model):
    """A ticket that players get for points."""

    # Of the form that made it: a form that is sent twice makes one.
    key = models.UUIDField(unique=True, editable=False)
    # The name of the events that it enters, and the most that it pays.
    event = models.CharField(_("event"), max_length=80)
    currency = in_currency()
    worth = models.BigIntegerField(_("worth"))
    points = models.PositiveIntegerField(_("points"))
    made_at = models.DateTimeField(_("made"))
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("offer of the shop")
        verbose_name_plural = _("offers of the shop")
        default_permissions = ()
        constraints = [
            models.CheckConstraint(condition=Q(points__gte=1, worth__gte=1), name="shop_offer"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.points}"

    @property
    def title(self) -> str:
        """The name of the event as readers know it: those of a demonstration are translated."""
        return pgettext("a tournament", self.event)

    @property
    def reference(self) -> str:
        return f"shop:{self.pk}"


@of_record(by="player:shop.take")
class ShopPurchase(Row):
    """Points that a player has spent; the ticket is given in the same transaction."""

    # Of the form: pressed twice it is one.
    key = models.UUIDField(unique=True, editable=False)
    offer = models.ForeignKey(ShopOffer, models.PROTECT, related_name="purchases")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    points = models.PositiveIntegerField(_("points"))
    at = models.DateTimeField(_("at"))

    def __str__(self) -> str:
        return f"{self.player_id} {self.points}"


@of_record(by="house:promotions.take")
class Taking(Row):
    """Until when facts have been taken; its one row is locked while a worker takes."""

    since = models.DateTimeField()
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.until}"


@free("it can be computed again at any time")
class Preview(Row):
    """What a version would have cost in the last weeks, computed by a worker."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    version = models.ForeignKey(PromotionVersion, models.CASCADE, related_name="previews")
    revision = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.version_id} {self.state}"

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


@of_record(by="player:promotion.accept_invitation")
class Invitation(Row):
    """Who brought a new player into the house."""

    friend = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    inviter = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.friend_id} {self.inviter_id}"


@of_record(by="player:promotion.show_level")
class LevelShown(Choice):
    """A player who wants to have their level on the plate."""


@of_record(by="player:promotion.hide")
class PromotionsHidden(Choice):
    """A player who wants to see no promotion."""
