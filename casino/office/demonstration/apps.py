from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DemonstrationConfig(AppConfig):
    name = "casino.office.demonstration"
    label = "demonstration"
    verbose_name = _("Demonstration")

    def ready(self) -> None:
        from casino.accounts import demo
        from casino.office.demonstration import residents
        from casino.office.demonstration.residents import KIND, ResidentTable
        from games.tables import formats

        formats.FORMATS.add(KIND, ResidentTable)
        demo.STEPS.add("life", residents.begin)
