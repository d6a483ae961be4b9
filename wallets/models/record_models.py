"""The rows of the record: every change of a column of record, and the digests of closings.

The database's triggers write the changes of all writers (`wallets/of_record/triggers.py`). The rows
are append-only and form the book `record`. `docs/ledger.md` says why.
"""

from django.db import models
from django.db.models import Q

VERB_MAX = 100


class RecordedChange(models.Model):
    """A row of record was added, changed or deleted: its columns of record before and after.

    `before` and `after` are the JSON texts that the database made of the row. Position and hash
    follow a moment later, as in the public chain: no writer waits for another.
    """

    class What(models.TextChoices):
        INSERT = "insert"
        UPDATE = "update"
        DELETE = "delete"
        # The table was declared: its columns, and then each row that it had already.
        DECLARED = "declared"
        BASELINE = "baseline"

    at = models.DateTimeField()
    table = models.CharField(max_length=63)
    row = models.CharField(max_length=64)
    what = models.CharField(max_length=8, choices=What)
    before = models.TextField(null=True)
    after = models.TextField(null=True)
    # The function of the house that wrote it; empty if none did.
    verb = models.CharField(max_length=VERB_MAX, blank=True)
    position = models.BigIntegerField(null=True, unique=True)
    hash = models.CharField(max_length=64, blank=True, db_default="")

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["table", "row", "id"], name="recorded_of_row"),
            models.Index("id", name="recorded_unlinked", condition=Q(position__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.row} {self.what}"


class ClosingDigest(models.Model):
    """The content of one table of record at a closing, if it had changed since the one before."""

    closing = models.ForeignKey("wallets.Closing", models.PROTECT, related_name="digests")
    table = models.CharField(max_length=63)
    # The last change that is in it.
    position = models.BigIntegerField()
    rows = models.BigIntegerField()
    # The sum of the rows' hashes, from which the next closing continues.
    total = models.TextField()
    digest = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="closing_digest_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.digest}"
