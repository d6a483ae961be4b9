from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CareConfig(AppConfig):
    name = "casino.care"
    label = "care"
    verbose_name = _("Care for players")

    def ready(self) -> None:
        from casino.care import erasure, rules

        rules.register()
        erasure.register()
