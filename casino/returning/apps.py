from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReturningConfig(AppConfig):
    name = "casino.returning"
    label = "returning"
    verbose_name = _("Returning players")

    def ready(self) -> None:
        from casino.returning import own_data

        own_data.register()
