"""The part of Russian poker alone: its paytables, and the bonus card among the first cards."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.family import OpenHand
from games.boards.paytables import Paytable, Winning, odds_row, odds_rows
from games.families.house import bonus_paytable, dealer_hand, qualifies_in_words
from games.families.poker.bets import with_shares
from games.rules.house.till import EVEN
from games.rules.russian_poker.game import HAND, RussianPoker
from games.rules.russian_poker.hands import BONUS_TABLE, PAYTABLE
from games.rules.russian_poker.view import HandView, RussianView
from games.words.naming import term


def paytables(game: RussianPoker) -> tuple[Paytable, ...]:
    unqualified = odds_row("ante", EVEN, _("Ante, when the dealer does not qualify"))
    lines = tuple(odds_rows(PAYTABLE, {}))
    odds, shares_bp = with_shares(BONUS_TABLE, game.jackpot_shares)
    return (
        Paytable("bet", _("Bet, and once more for the second hand"), lines),
        Paytable("ante", _("Other bets"), (unqualified, odds_row("insurance", EVEN))),
        bonus_paytable(game, odds, shares_bp, game.share_least, _bonus_card(game)),
    )


def main_winning(game: RussianPoker) -> Winning:
    return Winning(EVEN, most=game.max_payout)


def _bonus_card(game: RussianPoker) -> str:
    """Return the name of the bonus card, with the number of first cards that it counts among."""
    count = game.bonus_cards_counted
    if count is None or count == HAND:
        return ""
    words = ngettext(
        "Bonus card as your first card", "Bonus card among your first {count} cards", count
    )
    return words.format(count=count)


def open_hands(view: RussianView) -> tuple[OpenHand, ...]:
    """The final hands; of a folded one, the five that it was dealt if its bonus bet shows them."""
    owners = {box.box: box.seat for box in view.boxes}
    hands = [
        OpenHand((hand.cards or hand.dealt,), owners[hand.box], makes=(_made(view, hand),))
        for hand in view.hands
    ]
    shown = qualifies_in_words(view.dealer_qualifies)
    return (*dealer_hand((*view.dealer, *view.dealer_draws), shown), *hands)


def _made(view: RussianView, hand: HandView) -> str:
    """What a hand is: its combinations, or that it was folded."""
    if any(box.folded for box in view.boxes if box.box == hand.box):
        return _("folded")
    combinations = [term(one) for one in (hand.main, hand.second) if one]
    return " + ".join(combinations) or _("below ace-king")
