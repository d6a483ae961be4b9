"""Limits that players set for themselves, their time away, and their reality checks."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from wallets.values.columns import of_record


class OwnRule(models.Model):
    """Something that a player has arranged; their own row says from then on that there is any.

    The row of the player is at hand wherever a hand is dealt, so most players cost no query.
    """

    player_id: int

    class Meta:
        abstract = True

    def save(self, *arguments: object, **options: Any) -> None:
        super().save(*arguments, **options)
        players = get_user_model().objects.filter(pk=self.player_id, has_own_rules=False)
        players.update(has_own_rules=True)


@of_record(by="player:care.ask_limit player:care.confirm_limit player:care.withdraw_limit")
class PlayerLimit(OwnRule):
    """A limit that a player asked for; the latest confirmed one of its kind applies.

    Rows are kept, so that it can be seen later which limit held when. A row without a value lifts
    the limit. A stricter limit is confirmed when it is made; any other needs a second yes.
    """

    class Kind(models.TextChoices):
        DEPOSIT = "deposit", _("Deposits")
        LOSS = "loss", _p("a limit", "Losses")
        STAKE = "stake", _("Money taken to tables")
        SESSION = "session", _("Time at tables")

    class Period(models.TextChoices):
        DAY = "day", _("a day")
        WEEK = "week", _("a week")
        MONTH = "month", _("a month")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="limits", db_index=False
    )
    kind = models.CharField(max_length=8, choices=Kind)
    period = models.CharField(max_length=8, choices=Period)
    # Time has no currency.
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, null=True, related_name="+", db_index=False
    )
    # Minor units of the currency, or minutes.
    value = models.BigIntegerField(null=True)
    made_at = models.DateTimeField()
    effective_from = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("limit of a player")
        verbose_name_plural = _("limits of players")
        default_permissions = ()
        indexes = [models.Index(fields=["player", "kind", "-id"], name="limits_of_player")]
        constraints = [
            models.CheckConstraint(
                condition=Q(value__isnull=True) | Q(value__gte=0), name="limit_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(kind="session") ^ Q(currency__isnull=False), name="limit_has_its_unit"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind} {self.period} {self.value}"


@of_record(by="player:care.exclude house:care.carry_out_exclusion")
class Exclusion(OwnRule):
    """A time in which a player neither signs in nor plays; it cannot be shortened."""

    class Kind(models.TextChoices):
        TIME_OUT = "time_out", _("Time-out")
        SELF_EXCLUSION = "self_exclusion", _("Self-exclusion")

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="exclusions")
    kind = models.CharField(max_length=16, choices=Kind)
    begins_at = models.DateTimeField()
    # Without an end it lasts for good.
    until = models.DateTimeField(null=True)
    # When seats and registrations were given up.
    carried_out_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("exclusion")
        verbose_name_plural = _("exclusions")
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=models.F("begins_at")),
                name="exclusion_lasts",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind} {self.until}"


@of_record(
    free={"when a player last read a reminder": "answered_at"},
    by="player:care.choose_reminder player:care.answer_reminder player.erase",
)
class RealityCheck(OwnRule):
    """The interval of a player's reminders of time and money, and the last answer."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="reality_check"
    )
    minutes = models.PositiveSmallIntegerField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("reality check")
        verbose_name_plural = _("reality checks")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} {self.minutes}"


@of_record(by="player:care.ask_erasure player:care.withdraw_erasure player.erase")
class ErasureRequest(models.Model):
    """A player asks that the house forgets who they are."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="erasure_requests", db_index=False
    )
    made_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("request for erasure")
        verbose_name_plural = _("requests for erasure")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(done_at=None), name="one_erasure_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.made_at}"
