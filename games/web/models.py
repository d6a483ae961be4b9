"""Stored requests, so that a request that arrives twice is done once."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from wallets.storage.sealed_columns import SealedField
from wallets.values.columns import free

KEY_MAX = 64


@free("kept for an hour, so that a repeated request is answered as before")
class AnsweredRequest(models.Model):
    """A request of a player by its idempotency key, and its outcome; see `idempotency.py`.

    A success stores only its status. A refusal is stored whole, and encrypted, as it may name the
    player's cards. The request itself is stored as a keyed hash.
    """

    # The writer chooses the id, and so can tell whether the stored row is its own.
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=KEY_MAX)
    request = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=200)
    refusal = SealedField(blank=True, key=("id",))
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("answered request")
        verbose_name_plural = _("answered requests")
        # The back office does not show these rows.
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "key"], name="one_request_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.key}"
