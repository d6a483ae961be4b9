"""The entries of staff in the file of a player: checks, flags, notes and complaints.

Checks and notes are append-only, and a flag is only lowered: triggers enforce it for every writer
(`casino/office/players/sql`). One change is left open: the erasure of a player empties the text.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from wallets.models.staff_models import REASON_MAX, REFERENCE_MAX
from wallets.values.columns import of_record

NAME_MAX: Final = 150
NOTE_MAX: Final = 1_000
# This much of a number distinguishes two documents without identifying a person.
ENDING_MAX: Final = 4


class ByStaff(models.Model):
    """The member of staff who wrote it, and the time."""

    by = models.CharField(max_length=REFERENCE_MAX)
    # As it was at that time.
    by_name = models.CharField(max_length=NAME_MAX)
    at = models.DateTimeField()

    class Meta:
        abstract = True


@of_record(digested="ending", by="player.check player.erase")
class Check(ByStaff):
    """A document that a member of staff has seen, and what it proved."""

    class What(models.TextChoices):
        AGE = "age", _("Of age")
        IDENTITY = "identity", _("Who it is")
        ADDRESS = "address", _p("a check", "Address")

    class Document(models.TextChoices):
        PASSPORT = "passport", _("Passport")
        IDENTITY_CARD = "identity_card", _("Identity card")
        DRIVING_LICENCE = "driving_licence", _("Driving licence")
        RESIDENCE_PERMIT = "residence_permit", _("Residence permit")
        BILL = "bill", _("Bill with the address")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    what = models.CharField(max_length=10, choices=What)
    document = models.CharField(max_length=20, choices=Document)
    # The end of its number, never the whole.
    ending = models.CharField(max_length=ENDING_MAX, blank=True)
    valid_until = models.DateField(null=True)

    class Meta:
        verbose_name = _("check of a player")
        verbose_name_plural = _("checks of players")
        default_permissions = ()
        permissions = [
            ("see_file", "Can see the file of a player"),
            ("see_wallets", "Can see wallets and ledger in the file of a player"),
            ("see_documents", "Can see which documents of a player were seen"),
            ("see_whole_file", "Can see seats, sign-ins and notes in the file of a player"),
            ("check_player", "Can note that documents of a player were seen"),
            ("flag_player", "Can flag a player"),
            ("write_note", "Can write notes into the file of a player"),
        ]
        indexes = [models.Index(fields=["player", "-id"], name="checks_of_player")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.what}"


@of_record(digested="reason", by="player.flag player.unflag player.erase")
class Flag(ByStaff):
    """A warning to staff who deal with a player; once lowered, it remains as history."""

    class Kind(models.TextChoices):
        WATCH = "watch", _("Keep an eye on")
        IDENTITY = "identity", _("Identity in doubt")
        COLLUSION = "collusion", _("Suspected of playing together")
        FUNDS = "funds", _("Source of the money is open")
        HARM = "harm", _("Signs of harm by playing")
        COMPLAINT = "complaint", _("Complaint is open")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=REASON_MAX)
    lowered_at = models.DateTimeField(null=True)
    lowered_by_name = models.CharField(max_length=NAME_MAX, blank=True)

    class Meta:
        verbose_name = _("flag of a player")
        verbose_name_plural = _("flags of players")
        default_permissions = ()
        indexes = [models.Index(fields=["player", "-id"], name="flags_of_player")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "kind"],
                condition=Q(lowered_at=None),
                name="flag_up_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"


@of_record(digested="text", by="player.note player.erase house:payment.dispute")
class Note(ByStaff):
    """A note by staff, or by the house about a dispute; it cannot be changed or deleted."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    text = models.TextField(blank=True)

    class Meta:
        verbose_name = _("note about a player")
        verbose_name_plural = _("notes about players")
        default_permissions = ()
        indexes = [models.Index(fields=["player", "-id"], name="notes_of_player")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pk}"


@of_record(digested="text answer", by="complaint.take complaint.answer player.erase")
class Complaint(ByStaff):
    """A complaint of a player: what it is about, until when the house answers, and the answer."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("upheld")
        PARTLY = "partly", _("upheld in part")
        DISMISSED = "dismissed", _("dismissed")
        DROPPED = "dropped", _("dropped by the player")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    text = models.TextField(blank=True)
    hand = models.ForeignKey("games.Hand", models.PROTECT, null=True, related_name="+")
    due_on = models.DateField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by_name = models.CharField(max_length=NAME_MAX, blank=True)

    class Meta:
        verbose_name = _("complaint")
        verbose_name_plural = _("complaints")
        default_permissions = ()
        indexes = [
            models.Index(fields=["player", "-id"], name="complaints_of_player"),
            models.Index(fields=["due_on"], condition=Q(answered_at=None), name="complaints_open"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome="", answered_at=None)
                | (~Q(outcome="") & Q(answered_at__isnull=False)),
                name="complaint_answered_whole",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pk}"
