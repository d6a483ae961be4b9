from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IntegrityConfig(AppConfig):
    name = "casino.integrity"
    verbose_name = _("Integrity")

    def ready(self) -> None:
        from casino.integrity import deciding, overdue, traces  # noqa: F401 - it registers a verb
        from games.records import further_filters

        traces.register()
        further_filters.register(traces.hands_from)
        overdue.register()
