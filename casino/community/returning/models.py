"""Rows that "My week" derives from finished hands, and from nothing else.

Every row can be derived again, so a hand that is counted twice counts once. Nothing here is money.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.common import game_choices
from wallets.values.columns import NUMBER, derived, free, of_record

NAME_MAX = 24


@derived("boards", free={NUMBER: "id"})
class CountedHand(models.Model):
    """A finished hand for play money, for one of its players; kept for a few weeks."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    # The number of the hand. A key of the database would be one more index to write.
    hand = models.PositiveBigIntegerField()
    table = models.PositiveBigIntegerField()
    game = models.CharField(max_length=40, choices=game_choices)
    # The gaming day in which it ended, and the Monday of its week.
    day = models.DateField()
    week = models.DateField()
    won = models.BooleanField()
    # Hundredths of a point of the table, or of what was bet; None where it is on no board.
    points = models.BigIntegerField(null=True)
    feats = models.JSONField(default=list)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["hand", "player"], name="hand_counts_once"),
        ]
        indexes = [
            models.Index(fields=["player", "day"], name="counted_of_player"),
            models.Index(
                fields=["week", "game", "player"],
                name="counted_for_board",
                condition=models.Q(points__isnull=False),
            ),
            models.Index(fields=["day"], name="counted_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.hand}"


@derived("boards", free={NUMBER: "id"})
class DayPlayed(models.Model):
    """A day on which a player finished a hand, and how many."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    day = models.DateField()
    hands = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "day"], name="one_day_a_player")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.day}"


@free("no reward depends on it")
class GamePlayed(models.Model):
    """A game that a player has finished a hand of, at some time."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(max_length=40, choices=game_choices)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="one_game_a_player")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.game}"


@free("no reward depends on it")
class Rating(models.Model):
    """How well a player plays a game against other people; in thousandths of the model's steps."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(max_length=40, choices=game_choices)
    mean = models.IntegerField()
    deviation = models.PositiveIntegerField()
    hands = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="one_rating_a_game")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.game} {self.mean}"


@of_record(by="house:boards.count player.erase")
class Achievement(models.Model):
    """Something that a player has done once, and the hand that did it."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    name = models.CharField(max_length=NAME_MAX)
    hand = models.PositiveBigIntegerField()
    day = models.DateField()

    class Meta:
        verbose_name = _("achievement")
        verbose_name_plural = _("achievements")
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "name"], name="achieved_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.name}"


@of_record(by="player:tasks.take")
class TaskReward(models.Model):
    """Play money that a player has taken for a task of a day; the posting has the same key.

    It stays where the player's other rows here are erased: it proves a payment.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    name = models.CharField(max_length=NAME_MAX)
    day = models.DateField()
    amount = models.PositiveBigIntegerField()
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, related_name="+", db_index=False
    )
    taken_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "day", "name"], name="reward_taken_once")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.day} {self.name}"


@of_record(derived={"boards": "reversed_until"}, by="house:boards.count")
class Counting(models.Model):
    """The position of the counting: the last hand in the order in which hands end.

    Its one row is locked during the count.
    """

    ended_at = models.DateTimeField()
    hand = models.PositiveBigIntegerField(default=0)
    # Until when hands that were reversed have been taken out.
    reversed_until = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.ended_at} {self.hand}"
