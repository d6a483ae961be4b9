from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReportsConfig(AppConfig):
    name = "casino.reports"
    label = "reports"
    verbose_name = _("Reports")

    def ready(self) -> None:
        from casino.reports import drifting
        from casino.reports.summaries import SUMMARIES
        from games.records import day_sums

        day_sums.register(SUMMARIES)
        drifting.register_alarm()
