from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games.api.table_json import StreamJson
        from games.boards import renderings
        from games.boards.family import register
        from games.boards.pieces.assembly import compile_boards
        from games.families import find_family, register_functions
        from games.models.prepared import compile_all
        from games.records.ledger_lines import tell_wallets
        from games.records.reversals import TakeHandBack, VoidHand
        from games.tables import formats, jackpots
        from games.tables.cash_game import CashGame
        from games.tables.settings import gifts_of_jackpot, is_played_for
        from games.views.stream_parts import StreamHtml
        from wallets.money import gifts
        from wallets.money import jackpots as pools
        from wallets.staff import approvals
        from wallets.values.registry import AT_START

        formats.FORMATS.add(formats.CASH, CashGame)
        jackpots.watch()
        approvals.register(TakeHandBack(), VoidHand())
        tell_wallets()
        gifts.LOOKS.add("tables", gifts_of_jackpot)
        pools.PLAYED_FOR.add("tables", is_played_for)
        register(find_family)
        renderings.RENDERINGS.add("json", StreamJson())
        renderings.RENDERINGS.add("html", StreamHtml())
        register_functions()
        AT_START.add("pieces", compile_boards)
        AT_START.add("statements", compile_all)
