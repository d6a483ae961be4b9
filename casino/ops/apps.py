from django.apps import AppConfig
from django.core.signals import request_started
from django.db.backends.signals import connection_created
from django.utils.translation import gettext_lazy as _


class UpkeepConfig(AppConfig):
    name = "casino.ops"
    label = "upkeep"
    verbose_name = _("Upkeep")

    def ready(self) -> None:
        from casino.ops import telemetry
        from wallets.storage import silence
        from wallets.storage.database_connections import close_ended_connections

        telemetry.start()
        request_started.connect(close_ended_connections, dispatch_uid="casino.ops.connections")
        connection_created.connect(silence.connected, dispatch_uid="casino.ops.silence")
