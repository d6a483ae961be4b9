from typing import Final

from django.apps import AppConfig
from django.core.management import get_commands, load_command_class
from django.utils.translation import gettext_lazy as _

# The packages below the site that have commands of their own.
PACKAGES: Final = ("games", "tournaments", "wallets")


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
        _load_commands()


def _load_commands() -> None:
    """Import the house's commands: their verbs are read here in words, and given elsewhere."""
    for name, package in get_commands().items():
        if package in PACKAGES or package.startswith("casino."):
            load_command_class(package, name)
