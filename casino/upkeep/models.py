"""Which programs of the server are alive."""

from django.db import models


class Heartbeat(models.Model):
    """When a kind of program last showed that it works."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        permissions = [("read_health", "Can read which parts of the house work")]

    def __str__(self) -> str:
        return self.name
