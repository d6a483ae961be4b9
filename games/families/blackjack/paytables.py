"""The paytables of a blackjack table, for a box and for its bonus bet."""

from django.utils.translation import gettext as _

from games.boards.paytables import Paytable, odds_row
from games.families.house import bonus_paytable
from games.rules.blackjack import bonus
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import BLACKJACK, INSURANCE
from games.rules.house.till import EVEN


def paytables(game: Blackjack) -> tuple[Paytable, ...]:
    return (_main(), _bonus(game))


def _main() -> Paytable:
    rows = (
        odds_row("blackjack", BLACKJACK),
        odds_row("hand", EVEN, _("Higher total")),
        odds_row("insurance", INSURANCE),
        odds_row("even_money", EVEN),
    )
    return Paytable("hand", _("Main bet"), rows)


def _bonus(game: Blackjack) -> Paytable:
    shares = game.jackpot_shares
    by_share = (
        (bonus.SPADE_777, shares.spades),
        (bonus.SUITED_777, shares.suited),
    )
    fixed = (
        *(one for one, share_bp in by_share if not share_bp),
        bonus.SUITED_678,
        bonus.MIXED_777,
        bonus.MIXED_678,
        bonus.SUITED_BLACKJACK,
        bonus.MIXED_BLACKJACK,
    )
    odds = {one.name: one.odds for one in reversed(fixed) if one.odds}
    played = {one.name: share for one, share in reversed(by_share) if share}
    return bonus_paytable(game, odds, played, shares.least)
