"""The rows of the record: every change of a column of record, and the digests of closings.

The database's triggers write the changes of all writers (`wallets/of_record/triggers.py`). The rows
are append-only and form the book `record`. `docs/ledger.md` says why.
"""

from django.db import models
from django.db.models import Q

from wallets.values.columns import NUMBER, derived

VERB_MAX = 100
ACT_MAX = 32


@derived("record")
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
    # What was done; empty if no program of the house did it.
    verb = models.CharField(max_length=VERB_MAX, blank=True)
    # That one doing of it, whose key has sealed the change (`wallets/of_record/verbs.py`).
    act = models.CharField(max_length=ACT_MAX, blank=True, db_default="")
    seal = models.CharField(max_length=64, blank=True, db_default="")
    # The same again if staff did it: at its commit a transaction must have written this entry.
    entry = models.ForeignKey(
        "wallets.JournalEntry",
        models.PROTECT,
        to_field="act",
        null=True,
        db_index=False,
        related_name="+",
    )
    position = models.BigIntegerField(null=True, unique=True)
    hash = models.CharField(max_length=64, blank=True, db_default="")

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["table", "row", "id"], name="recorded_of_row"),
            models.Index("id", name="recorded_unlinked", condition=Q(position__isnull=True)),
            models.Index(
                fields=["entry", "id"], name="recorded_by_staff", condition=Q(entry__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.row} {self.what}"


@derived(
    "closings",
    free={
        NUMBER: "id",
        "where the next closing starts; another start would give another digest": "position",
    },
)
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
