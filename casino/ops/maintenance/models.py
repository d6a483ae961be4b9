"""Whether the house is in maintenance: one row, which the switch alone writes."""

from typing import Final

from django.db import models

from wallets.values.columns import of_record

MESSAGE_MAX: Final = 200


@of_record(by="maintenance.on maintenance.off house:maintenance.make_row")
class Maintenance(models.Model):
    """The row has the number 1; without it, or without a time, the house plays."""

    since = models.DateTimeField(null=True)
    # The message to players, as one line of plain text; empty for the usual sentence.
    message = models.CharField(max_length=MESSAGE_MAX, blank=True, default="")

    class Meta:
        default_permissions = ()
        permissions = [("switch", "Can switch maintenance on and off")]

    def __str__(self) -> str:
        return f"{self.since or ''} {self.message}".strip()
