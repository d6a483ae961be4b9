from typing import cast

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayerFileConfig(AppConfig):
    name = "casino.office.players"
    label = "player_file"
    verbose_name = _("Files of players")

    def ready(self) -> None:
        from casino.care import own_data
        from casino.office.desk import paying
        from casino.office.players import closing, elsewhere
        from wallets.office import ledger_words
        from wallets.staff import approvals

        approvals.register(cast(approvals.Verb, closing.Close()))
        own_data.also(elsewhere.forget)
        own_data.PARTS.add("checks", elsewhere.checks)
        own_data.PARTS.add("complaints", elsewhere.complaints)
        ledger_words.FINDERS.add("player", elsewhere.players)
        ledger_words.SEARCHES.add("player", elsewhere.search)
        paying.PERSON_CHECKS.add("identity", elsewhere.identity)
        paying.PERSON_CHECKS.add("won", elsewhere.won)
