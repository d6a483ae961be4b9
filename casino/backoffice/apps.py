from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BackofficeConfig(AppConfig):
    name = "casino.backoffice"
    verbose_name = _("Back office")

    def ready(self) -> None:
        from casino.alarms import watch
        from casino.backoffice.floor import halting, house_state

        house_state.register()
        halting.register()
        watch.changed.connect(house_state.changed, dispatch_uid="casino.backoffice.floor")
        from games.profiles import publishing
        from games.profiles.guards import PROFILES
        from wallets import guards

        publishing.register()
        guards.register(PROFILES)
