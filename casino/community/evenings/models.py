"""An evening: a private table that friends play at for points, for a number of hands.

Its scores are not stored: they are the results of the table's hands.
"""

from typing import Final
from uuid import uuid4

from django.db import models

from wallets.values.columns import of_record

# The kind of organiser that these tables have (`games/tables/formats.py`).
KIND: Final = "evening"


@of_record(by="player:evening.open player:evening.begin player:evening.rematch")
class Evening(models.Model):
    """The facts about an evening that its table's settings do not have."""

    # The table names its organiser by this, before this row has a number.
    code = models.UUIDField(default=uuid4, unique=True, editable=False)
    table = models.OneToOneField("games.Table", models.PROTECT, related_name="+")
    hands = models.PositiveSmallIntegerField()
    # The stake for a point, or the smallest bet where there is a banker.
    stake = models.PositiveSmallIntegerField()
    # When the host let it begin without those who had not come.
    begun_at = models.DateTimeField(null=True)
    # The evening that follows this one.
    rematch = models.OneToOneField("self", models.PROTECT, null=True, related_name="+")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.table_id)
