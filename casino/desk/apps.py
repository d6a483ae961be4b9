from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "casino.desk"
    label = "desk"
    verbose_name = _("Cash desk")

    def ready(self) -> None:
        from casino.desk import verbs

        verbs.register()
