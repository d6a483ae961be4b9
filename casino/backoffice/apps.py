from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BackofficeConfig(AppConfig):
    name = "casino.backoffice"
    verbose_name = _("Back office")

    def ready(self) -> None:
        from games.profiles import publishing
        from games.profiles.guards import PROFILES
        from wallets import guards

        publishing.register()
        guards.register(PROFILES)
