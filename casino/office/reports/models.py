"""The sums of closed days that reports read instead of the hands.

They follow from the hands and the ledger alone: the closing writes them, the audit compares them,
and `audit --mend-days` rebuilds them. Amounts are minor units. Squares of amounts outgrow a column
of numbers, so they are stored as text.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from wallets.values.columns import NUMBER, derived, free


@derived("days")
class SummedDay(models.Model):
    """A closed day whose sums are stored."""

    day = models.DateField(unique=True)

    class Meta:
        verbose_name = _("summed day")
        verbose_name_plural = _("summed days")
        default_permissions = ()
        permissions = [("read_reports", "Can read what the house earned and owes")]

    def __str__(self) -> str:
        return str(self.day)


@free("names of options in use, for the filters of a page")
class GameSettings(models.Model):
    """The options behind a profile's key, from which the promised return is computed."""

    profile = models.CharField(max_length=64, primary_key=True)
    game = models.CharField(max_length=40)
    options = models.JSONField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.profile


class _OfATable(models.Model):
    """The sums of one table under one profile on one day."""

    day = models.ForeignKey(SummedDay, models.CASCADE, related_name="+")
    # A copy of the date, so that a range is read by one index.
    on = models.DateField()
    table = models.ForeignKey(
        "games.Table", models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    profile = models.CharField(max_length=64)
    game = models.CharField(max_length=40)
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )

    class Meta:
        abstract = True


@derived("days", free={NUMBER: "id"})
class TableDay(_OfATable):
    """The sums of all hands, or of one bet in them; `bet` is empty for the whole hand."""

    bet = models.CharField(max_length=20, blank=True)
    hands = models.BigIntegerField()
    # Hands of earlier days that were reversed on this one; their sums are subtracted.
    reversed = models.BigIntegerField()
    # Hands in which a person played, and what the house won from its own bots.
    with_people = models.BigIntegerField(default=0)
    handle = models.BigIntegerField()
    won = models.BigIntegerField()
    rake = models.BigIntegerField()
    pools = models.BigIntegerField()
    from_bots = models.BigIntegerField(default=0)
    # Over the hands: kept x kept, kept x handle, handle x handle.
    kept_squares = models.CharField(max_length=80)
    products = models.CharField(max_length=80)
    handle_squares = models.CharField(max_length=80)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["on", "table", "profile", "bet"], name="sums_of_a_table_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.on} {self.table_id} {self.bet}"


@derived("days", free={NUMBER: "id"})
class PlayerDay(_OfATable):
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    hands = models.BigIntegerField()
    handle = models.BigIntegerField()
    net = models.BigIntegerField()
    rake = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["on", "table", "profile", "player"], name="sums_of_a_player_once"
            )
        ]
        indexes = [models.Index(fields=["player", "on"], name="sums_of_player")]

    def __str__(self) -> str:
        return f"{self.on} {self.table_id} {self.player_id}"


@derived("days", free={NUMBER: "id"})
class PoolDay(_OfATable):
    """The amounts that a table's hands put into a jackpot, and that it paid for them."""

    jackpot = models.ForeignKey(
        "wallets.Jackpot", models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    fed = models.BigIntegerField()
    hit = models.BigIntegerField()
    hits = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["on", "table", "profile", "jackpot"], name="sums_of_a_pool_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.on} {self.table_id} {self.jackpot_id}"


@derived("days", free={NUMBER: "id"})
class HeldDay(models.Model):
    """The balance of all accounts of one kind at the end of a day."""

    day = models.ForeignKey(SummedDay, models.CASCADE, related_name="+")
    on = models.DateField()
    currency = models.ForeignKey(
        "wallets.Currency", models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    kind = models.CharField(max_length=10)
    amount = models.DecimalField(max_digits=30, decimal_places=0)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["on", "currency", "kind"], name="held_once_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.on} {self.currency_id} {self.kind}"
