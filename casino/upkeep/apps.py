from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class UpkeepConfig(AppConfig):
    name = "casino.upkeep"
    verbose_name = _("Upkeep")

    def ready(self) -> None:
        # Registers the checks.
        from casino.upkeep import checks  # noqa: F401
