"""Declare the columns of maintenance: the times without players are of record."""

from casino.ops.maintenance.models import Maintenance
from wallets.of_record.declarations import declare

declare(
    Maintenance,
    record="id since message",
    by="maintenance.on maintenance.off house:maintenance.make_row",
)
