from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReportsConfig(AppConfig):
    name = "casino.office.reports"
    label = "reports"
    verbose_name = _("Reports")

    def ready(self) -> None:
        from casino.office.alarms import conditions
        from casino.office.reports import registry
        from casino.office.reports.hold_alarm import DRIFTS
        from casino.office.reports.summaries import SUMMARIES
        from games.records import closed_days

        closed_days.KEPT.add("reports", SUMMARIES)
        conditions.register(DRIFTS)
        registry.discover()
