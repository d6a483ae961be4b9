"""Declare the columns of programs' heartbeats, none of which is of record."""

from django.db.migrations.recorder import MigrationRecorder

from casino.ops.models import Heartbeat
from wallets.of_record.declarations import declare

declare(
    MigrationRecorder.Migration,
    derived={"migrations": "app name"},
    free={"when a migration ran, on which nothing depends": "id applied"},
)
declare(Heartbeat, free={"when a program was last alive": "name at"})
