"""What the house keeps of requests, so that one that comes twice is done once."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

KEY_MAX = 64


class AnsweredRequest(models.Model):
    """A request of a player under its idempotency key, and what was answered; see `once.py`.

    Of what was done only the status is kept. A refusal is kept whole, and encrypted, as it may
    speak of the player's cards. What was sent is kept as a keyed hash.
    """

    # Chosen by whoever writes the row, who so knows whether the row that stands is theirs.
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=KEY_MAX)
    request = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=200)
    refusal = models.TextField(blank=True)
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("answered request")
        verbose_name_plural = _("answered requests")
        # Nobody works with them in the back office.
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "key"], name="one_request_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.key}"
