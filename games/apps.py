from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games.boards.family import register
        from games.families import find_family, register_functions
        from games.records import reversal_verb
        from games.records.ledger_references import tell_wallets
        from games.tables import cash_game, jackpots, settings

        cash_game.register()
        jackpots.watch()
        reversal_verb.register()
        tell_wallets()
        settings.register()
        register(find_family)
        register_functions()
