"""The browsers that a player wants to be called back in, and the calls on their way there."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from wallets.storage.sealed_columns import DigestField, SealedField, SealedText
from wallets.values.columns import free

_CALLS = "calls that a turn has come, which the table shows, too"

# The addresses of Windows' service are the longest in use, at some 700 characters.
ENDPOINT_MAX: Final = 1_024
KEY_MAX: Final = 100


@free(_CALLS)
class Subscription(models.Model):
    """A browser's subscription, by which it can be reached while no page is open.

    The browser's two keys encrypt what is sent: the push service between cannot read it.
    """

    device = models.OneToOneField(
        "players.Device", models.CASCADE, related_name="push_subscription"
    )
    # Where its push service takes messages for it.
    sealed_endpoint = SealedField(key=("device_id",), editable=False)
    endpoint_digest = DigestField(of="sealed_endpoint", unique=True)
    endpoint = SealedText("sealed_endpoint")
    # As the browser gives them, in URL-safe base64: its public key, and a secret.
    public_key = models.CharField(max_length=KEY_MAX)
    sealed_secret = SealedField(key=("device_id",), editable=False)
    secret = SealedText("sealed_secret")
    # The language of the page on which the player asked, unless they have chosen one.
    language = models.CharField(_("language"), max_length=10)
    made_at = models.DateTimeField(_("made"))
    succeeded_at = models.DateTimeField(_("last delivery"), null=True)
    # When the house last had something for this browser.
    called_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"subscription {self.pk}"


@free(_CALLS)
class Call(models.Model):
    """One message for one browser. It names a table or a tournament, and says nothing else of it.

    `next_at` is empty once it has arrived or is no longer of use. The row stays for an hour, so
    that no player is notified twice of one turn.
    """

    class Kind(models.TextChoices):
        TURN = "turn", _("turn at a table")
        START = "start", _("start of a tournament")

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=5, choices=Kind)
    # The number of the table or of the tournament.
    place = models.PositiveBigIntegerField()
    # Which turn it is: the hand, the seat and the number of the turn.
    hand = models.PositiveBigIntegerField(default=0)
    seat = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "kind", "place", "hand", "turn"], name="called_once"
            ),
        ]
        indexes = [
            models.Index("next_at", name="call_due", condition=models.Q(next_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"
