"""Declare the columns of evenings: the evening of a table is of record."""

from casino.community.evenings.models import Evening
from wallets.of_record.declarations import declare

declare(
    Evening,
    record="id code table_id hands stake begun_at rematch_id",
    by="player:evening.open player:evening.begin player:evening.rematch",
)
