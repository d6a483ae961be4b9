from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayerFileConfig(AppConfig):
    name = "casino.player_file"
    label = "player_file"
    verbose_name = _("Files of players")

    def ready(self) -> None:
        from casino.player_file import closing, erased, ledger_names
        from casino.player_file.guards import GUARDS
        from wallets import guards

        guards.register(GUARDS)
        closing.register()
        erased.register()
        ledger_names.register()
