from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EveningsConfig(AppConfig):
    name = "casino.evenings"
    label = "evenings"
    verbose_name = _("Friends' evenings")

    def ready(self) -> None:
        from casino.evenings import evening_table

        evening_table.register()
