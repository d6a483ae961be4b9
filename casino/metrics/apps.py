from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MetricsConfig(AppConfig):
    name = "casino.metrics"
    label = "metrics"
    verbose_name = _("Metrics")

    def ready(self) -> None:
        from casino.metrics import listening
        from games.tables.played import acted, played

        played.connect(listening.note_played, dispatch_uid="casino.metrics.played")
        acted.connect(listening.note_acted, dispatch_uid="casino.metrics.acted")
