"""Declare the columns of programs' heartbeats, none of which is of record."""

from casino.ops.models import Heartbeat
from wallets.of_record.declarations import declare

declare(Heartbeat, free={"when a program was last alive": "name at"})
