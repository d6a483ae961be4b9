from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReturningConfig(AppConfig):
    name = "casino.returning"
    label = "returning"
    verbose_name = _("Returning players")

    def ready(self) -> None:
        from casino.returning import audit, own_data
        from games.records import further_audits

        own_data.register()
        further_audits.register("boards", "audit nothing but the boards", audit.findings)
