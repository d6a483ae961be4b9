from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MaintenanceConfig(AppConfig):
    name = "casino.ops.maintenance"
    verbose_name = _("Maintenance")

    def ready(self) -> None:
        from casino.ops.maintenance import switch
        from games.tables import admission

        admission.RULES.add("maintenance", switch.refuse)
        admission.HOLDS.add("maintenance", switch.HOLDING)
