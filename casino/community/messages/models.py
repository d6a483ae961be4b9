"""Messages, whom they reached, the outbox, and what players and staff want to be sent."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from wallets.storage.sealed_columns import DigestField, SealedField, SealedText
from wallets.values.columns import free, of_record

NAME_MAX: Final = 60
TITLE_MAX: Final = 80
TEXT_MAX: Final = 2_000
ADDRESS_MAX: Final = 254
KEY_MAX: Final = 60


class Kind(models.TextChoices):
    """What a message is about; players choose by it what they want."""

    NEWS = "news", _("News of the house")
    EVENTS = "events", _("Tournaments and series")
    PROMOTIONS = "promotions", _("Promotions")


@of_record(
    by="message.save message.discard message.send message.stop proposal.propose proposal.reject "
    "proposal.withdraw proposal.expire house:messages.gather"
)
class Message(models.Model):
    """A message in three languages, and whom it is for; once it is sent, it never changes."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PROPOSED = "proposed", _("proposed")
        SENT = "sent", _("sent")
        STOPPED = "stopped", _("stopped")

    name = models.CharField(_("name"), max_length=NAME_MAX)
    kind = models.CharField(_("about"), max_length=10, choices=Kind)
    # By language: `title` and `text`.
    texts = models.JSONField()
    # The name of the page that it leads to, if any.
    page = models.CharField(_("leads to"), max_length=20, blank=True)
    segment = models.JSONField()
    by_push = models.BooleanField(_("as a notification"), default=False)
    by_mail = models.BooleanField(_("by mail"), default=False)
    # When it is to be sent; at once if it is empty.
    planned_at = models.DateTimeField(_("planned for"), null=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)
    revision = models.PositiveIntegerField(default=1)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"))
    # When it was approved, when its players were taken down, and when it was stopped.
    sent_at = models.DateTimeField(null=True)
    gathered_at = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        default_permissions = ("view",)
        permissions = [("send_message", "Can write messages to players")]
        indexes = [
            models.Index(
                fields=["sent_at"],
                name="message_to_gather",
                condition=Q(state="sent", gathered_at__isnull=True),
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="sent") | Q(sent_at__isnull=False), name="message_sent_at"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def reference(self) -> str:
        return f"message:{self.pk}"

    @property
    def title(self) -> str:
        return str(self._said("title"))

    @property
    def text(self) -> str:
        return str(self._said("text"))

    def _said(self, part: str) -> str:
        """In the language of the page, or else in English."""
        texts = self.texts.get(get_language() or "") or self.texts["en"]
        return str(texts[part])


@free("whom a message reached, and whether they read it")
class Recipient(models.Model):
    """A player of a message's segment; those who are held out get nothing, and are compared."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="recipients")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    is_held_out = models.BooleanField(default=False)
    # When it came into the inbox, or would have come.
    at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    # When the player was seen again, within the days that count.
    returned_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["message", "player"], name="recipient_once"),
        ]
        indexes = [
            models.Index(fields=["player", "-at"], name="messages_of_player"),
            models.Index(
                fields=["at"], name="recipient_not_back", condition=Q(returned_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.message_id} {self.player_id}"


@of_record(by="player:messages.choose player.erase")
class OptOut(models.Model):
    """A kind of messages that a player does not want."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="opt_out_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"


@of_record(by="player:messages.choose player.erase")
class MailWish(models.Model):
    """A player who wants messages at the address of the account, too."""

    player = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"


@of_record(
    by="report_mail.set", free={"sealed for its row by a key of the house": "sealed_address"}
)
class ReportMail(models.Model):
    """The reports that a member of staff gets by mail."""

    member = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="report_mail"
    )
    sealed_address = SealedField(key=("member_id",), editable=False)
    address_digest = DigestField(of="sealed_address")
    address = SealedText("sealed_address")
    yesterday = models.BooleanField(_("yesterday"), default=False)
    alarms = models.BooleanField(_("alarms"), default=False)
    language = models.CharField(_("language"), max_length=10)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("reports by mail")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.member_id}"


@free("the way of a message to one player or member of staff")
class Sending(models.Model):
    """The outbox. What was claimed is sent once: if its worker died, nobody knows, and it stays so.

    `next_at` is empty once it was claimed, and set again only if it certainly did not arrive.
    """

    class Channel(models.TextChoices):
        PUSH = "push", _("notification")
        MAIL = "mail", _("mail")

    class Outcome(models.TextChoices):
        WAITS = "waits", _("waits")
        CLAIMED = "claimed", _("unknown")
        SENT = "sent", _("delivered")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("not sent")

    key = models.CharField(max_length=KEY_MAX, unique=True)
    channel = models.CharField(max_length=4, choices=Channel)
    recipient = models.ForeignKey(
        Recipient, models.CASCADE, null=True, related_name="sendings", db_index=False
    )
    report_mail = models.ForeignKey(
        ReportMail, models.CASCADE, null=True, related_name="sendings", db_index=False
    )
    # What a mail of staff is about: a day or an alarm.
    about = models.CharField(max_length=KEY_MAX, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.WAITS)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=Q(recipient__isnull=True) ^ Q(report_mail__isnull=True),
                name="sending_to_one",
            ),
        ]
        indexes = [
            models.Index("next_at", name="message_sending_due", condition=Q(next_at__isnull=False)),
            models.Index(fields=["recipient", "channel"], name="sendings_of_recipient"),
        ]

    def __str__(self) -> str:
        return self.key
