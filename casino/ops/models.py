"""The heartbeats of the server's programs."""

from django.db import models
from django.db.migrations.recorder import MigrationRecorder

from wallets.values.columns import derived, free


@free("when a program was last alive")
class Heartbeat(models.Model):
    """The last time that a kind of program showed that it works."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        permissions = [("read_health", "Can read which parts of the house work")]

    def __str__(self) -> str:
        return self.name


derived("migrations", free={"when a migration ran, on which nothing depends": "id applied"})(
    MigrationRecorder.Migration
)
