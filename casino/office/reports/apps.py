from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReportsConfig(AppConfig):
    name = "casino.office.reports"
    label = "reports"
    verbose_name = _("Reports")

    def ready(self) -> None:
        from casino.office.alarms import conditions
        from casino.office.reports import report
        from casino.office.reports.figures import SUMMARIES
        from casino.office.reports.hold import DRIFTING
        from games.records import closed_days

        closed_days.KEPT.add("reports", SUMMARIES)
        conditions.register(DRIFTING)
        report.discover()
