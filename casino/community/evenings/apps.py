from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EveningsConfig(AppConfig):
    name = "casino.community.evenings"
    label = "evenings"
    verbose_name = _("Friends' evenings")

    def ready(self) -> None:
        from casino.community.evenings.evening_table import EveningTable
        from casino.community.evenings.models import KIND
        from games.tables import formats

        formats.FORMATS.add(KIND, EveningTable)
