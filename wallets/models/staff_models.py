"""The rows about staff: the journal, proposals that wait for a colleague, and limits of the house.

The journal is append-only and has its own book; a decided proposal cannot change. Database triggers
enforce both for every writer (`wallets/sql/journal_*.sql`). `docs/ledger.md` says why.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from wallets.models.record_models import ACT_MAX
from wallets.values.columns import derived, of_record

# References, such as `player:12`, and the names of verbs are short.
REFERENCE_MAX: Final = 64
# The longest reason; the ledger stores as much of one.
REASON_MAX: Final = 200


@derived("journal", record="id position hash", by="house:journal.write")
class JournalEntry(models.Model):
    """One change by staff: who, from where, when, what, on which object, before, after, and why.

    `actor` and `subject` are opaque references. The index of each filter ends with the position, so
    a page of the journal is one range of an index however long the journal is.
    """

    position = models.BigIntegerField(_("number"), unique=True)
    at = models.DateTimeField(_("time"), db_index=True)
    actor = models.CharField(_("actor"), max_length=REFERENCE_MAX)
    # As it was at that time.
    actor_name = models.CharField(_("person"), max_length=150)
    origin = models.CharField(_("from where"), max_length=100)
    verb = models.CharField(_("what"), max_length=REFERENCE_MAX)
    subject = models.CharField(_("object"), max_length=REFERENCE_MAX)
    before = models.JSONField(_("before"))
    after = models.JSONField(_("after"))
    reason = models.CharField(_("reason"), max_length=REASON_MAX, blank=True)
    # The proposal by which it came about, if it needed one.
    cause = models.CharField(_("by proposal"), max_length=REFERENCE_MAX, blank=True)
    # The recorded changes that this entry proves, and their digest; none if it changed nothing.
    act = models.CharField(max_length=ACT_MAX, null=True, unique=True)
    changes = models.CharField(max_length=64, blank=True, db_default="")
    previous = models.CharField(_("previous hash"), max_length=64)
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        verbose_name = _("journal entry")
        verbose_name_plural = _("journal")
        default_permissions = ()
        permissions = [
            ("read_journal", "Can read the journal of staff"),
            ("run_command", "Can run the commands that keep keys, books and code"),
        ]
        indexes = [
            models.Index(fields=["actor", "position"], name="journal_by_actor"),
            models.Index(fields=["verb", "position"], name="journal_by_verb"),
            models.Index(fields=["subject", "position"], name="journal_by_subject"),
            models.Index(fields=["actor", "verb", "position"], name="journal_by_actor_and_verb"),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.verb} {self.subject}"


class VersionState(models.TextChoices):
    """How far a version is of something that staff publish."""

    DRAFT = "draft", _("draft")
    PROPOSED = "proposed", _("waits for approval")
    PUBLISHED = "published", _("published")
    RETIRED = "retired", _("retired")
    REJECTED = "rejected", _("rejected")


@of_record(
    digested="decided_lines",
    by="proposal.propose proposal.approve proposal.reject proposal.expire proposal.withdraw",
)
class Proposal(models.Model):
    """A change that one member of staff proposes, and that another approves or rejects."""

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("waiting")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        EXPIRED = "expired", _("expired")

    # From the form: a form that is sent twice proposes once. Money that moves has this key, too.
    key = models.UUIDField(_("key"), unique=True)
    verb = models.CharField(_("what"), max_length=REFERENCE_MAX)
    subject = models.CharField(_("object"), max_length=REFERENCE_MAX)
    arguments = models.JSONField(_("arguments"))
    # The subject of the proposal: if that has changed since, it can no longer be approved.
    state = models.JSONField(_("state"))
    maker = models.CharField(_("maker"), max_length=REFERENCE_MAX)
    maker_name = models.CharField(_("proposed by"), max_length=150)
    reason = models.CharField(_("reason"), max_length=REASON_MAX)
    made_at = models.DateTimeField(_("proposed at"))
    expires_at = models.DateTimeField(_("expires at"))
    status = models.CharField(
        _("status"), max_length=10, choices=Status, default=Status.PROPOSED.value
    )
    checker = models.CharField(_("checker"), max_length=REFERENCE_MAX, blank=True)
    checker_name = models.CharField(_("decided by"), max_length=150, blank=True)
    decision = models.CharField(_("reason of the decision"), max_length=REASON_MAX, blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True)
    # What would change, in words: by language, a list of (what, before, after). They are those of
    # the decision once there is one.
    lines = models.JSONField(_("what was decided"), null=True, db_column="decided_lines")

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        default_permissions = ()
        permissions = [
            ("approve_proposal", "Can approve what others propose"),
            ("deposit", "Can pay money in"),
            ("withdraw", "Can pay money out"),
            ("change_limit", "Can propose other limits of the house"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(checker=F("maker")), name="proposal_maker_is_not_checker"
            ),
            models.CheckConstraint(
                condition=Q(status="proposed", checker="", decided_at=None)
                | Q(status="expired", checker="", decided_at__isnull=False)
                | (
                    Q(status__in=["approved", "rejected"], decided_at__isnull=False)
                    & ~Q(checker="")
                ),
                name="proposal_decided_by_somebody",
            ),
            models.CheckConstraint(condition=~Q(maker=""), name="proposal_made_by_somebody"),
        ]
        indexes = [
            models.Index(
                fields=["expires_at"], name="proposal_waiting", condition=Q(status="proposed")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"

    @property
    def reference(self) -> str:
        return f"proposal:{self.pk}"

    @property
    def kept_lines(self) -> list[list[str]]:
        """What would have changed when it was proposed, or what was decided, in words."""
        lines: list[list[str]] = (self.lines or {}).get(
            get_language() or settings.LANGUAGE_CODE, []
        )
        return lines

    @property
    def outcome(self) -> str:
        """The status in words; one that its maker withdrew has a reason and no checker."""
        withdrawn = self.status == self.Status.EXPIRED and self.decision
        return str(_("withdrawn")) if withdrawn else self.get_status_display()


@of_record(by="limit.change")
class HouseLimit(models.Model):
    """A limit that was changed by proposal; all others have the value of the settings."""

    name = models.CharField(_("limit"), max_length=40, primary_key=True)
    value = models.BigIntegerField(_("value"))

    class Meta:
        verbose_name = _("limit of the house")
        verbose_name_plural = _("limits of the house")
        default_permissions = ()
        constraints = [
            models.CheckConstraint(condition=Q(value__range=(0, 10**12)), name="house_limit_bounds")
        ]

    def __str__(self) -> str:
        return self.name
