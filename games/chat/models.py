"""Chat lines, mutes, and silences."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from wallets.values.columns import free, of_record

LINE_MAX = 200


@of_record(digested="text", by="player:chat.say chatline.change house:chat.delete_old player.erase")
class ChatLine(models.Model):
    """A line at a table: typed, or the key of a quick phrase."""

    table = models.ForeignKey(
        "games.Table",
        models.CASCADE,
        verbose_name=_("table"),
        related_name="+",
        db_index=False,
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        verbose_name=_("player"),
        related_name="+",
        db_index=False,
    )
    text = models.CharField(_("line"), max_length=LINE_MAX, blank=True)
    phrase = models.CharField(_("quick phrase"), max_length=20, blank=True)
    said_at = models.DateTimeField(_("said"), db_index=True)
    # Hidden by staff; the row is kept for later questions.
    hidden = models.BooleanField(_("hidden"), default=False)

    class Meta:
        verbose_name = _("chat message")
        verbose_name_plural = _("chat messages")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["table", "-id"], name="lines_of_table"),
            models.Index(fields=["player", "-id"], name="lines_of_player"),
        ]

    def __str__(self) -> str:
        return self.text or self.phrase


@free("whom a player does not want to read")
class Mute(models.Model):
    """One player has muted another, at all tables."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "muted"], name="one_mute_a_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.muted_id}"


@of_record(by="silence.add silence.change silence.delete")
class Silence(models.Model):
    """A player may not speak until then, by order of the staff."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("player"), related_name="+"
    )
    until = models.DateTimeField(_("until"))
    reason = models.CharField(_("reason"), max_length=200)

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"{self.player} – {self.until}"
