from typing import cast

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayerFileConfig(AppConfig):
    name = "casino.office.players"
    label = "player_file"
    verbose_name = _("Files of players")

    def ready(self) -> None:
        from casino.care import erasure, own_data
        from casino.office.desk import preview
        from casino.office.players import closing, desk_checks, erased, ledger_names
        from wallets.office import ledger_words
        from wallets.staff import approvals

        approvals.register(cast(approvals.Verb, closing.Close()))
        erasure.also(erased.forget)
        own_data.PARTS.add("checks", erased.checks)
        own_data.PARTS.add("complaints", erased.complaints)
        ledger_words.FINDERS.add("player", ledger_names.players)
        ledger_words.SEARCHES.add("player", ledger_names.search)
        preview.PERSON_CHECKS.add("identity", desk_checks.identity)
        preview.PERSON_CHECKS.add("won", desk_checks.won)
