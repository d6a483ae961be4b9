from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MetricsConfig(AppConfig):
    name = "casino.ops.metrics"
    label = "metrics"
    verbose_name = _("Metrics")

    def ready(self) -> None:
        from casino.ops.metrics import counting
        from games.tables.signals import acted, played

        played.connect(counting.note_played, dispatch_uid="casino.ops.metrics.played")
        acted.connect(counting.note_acted, dispatch_uid="casino.ops.metrics.acted")
