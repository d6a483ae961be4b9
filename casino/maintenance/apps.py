from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MaintenanceConfig(AppConfig):
    name = "casino.maintenance"
    verbose_name = _("Maintenance")

    def ready(self) -> None:
        from casino.maintenance import rules

        rules.register()
