"""The part of casino hold'em alone: its paytables, and the name of a hand with the board."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.boards.family import OpenHand
from games.boards.paytables import Paytable, Winning, odds_row
from games.families.house import bonus_paytable, dealer_hand, qualifies_in_words
from games.families.poker.bets import with_shares
from games.rules.casino_holdem import paytables as holdem
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.casino_holdem.view import HoldemView, SeenBox
from games.rules.house.till import EVEN
from games.rules.poker import CATEGORY_SHIFT, CODE, Category, best_of_seven, category, ranking
from games.words.naming import term

FLOP_CARDS: Final = 5


def paytables(game: CasinoHoldem) -> tuple[Paytable, ...]:
    lower = odds_row("straight", EVEN, _("Straight or lower"))
    higher = [
        odds_row(kind.name.lower(), holdem.ante_odds(kind << CATEGORY_SHIFT))
        for kind in reversed(Category)
        if kind in holdem.ANTE_ODDS
    ]
    odds, shares_bp = with_shares(holdem.BONUS_ODDS, game.shares_bp)
    return (
        Paytable("ante", _("Ante"), (*higher, lower)),
        Paytable("call", _("Call"), (odds_row("call", EVEN),)),
        bonus_paytable(game, odds, shares_bp, game.share_least),
    )


def main_winning(game: CasinoHoldem) -> Winning:
    return Winning(max(holdem.ANTE_ODDS.values()), several=True, most=game.max_payout)


def own_hand(view: HoldemView) -> str:
    """Return what the viewer's open box holds so far; the board says more every street."""
    if view.phase != "decide":
        return ""
    for box in view.boxes:
        if box.seat == view.seat and box.cards:
            cards = (*box.cards, *view.board)
            if len(cards) == FLOP_CARDS:
                return term(category(ranking().five(*map(CODE.__getitem__, cards))).name.lower())
            return term(category(best_of_seven(cards)).name.lower())
    return ""


def open_hands(view: HoldemView) -> tuple[OpenHand, ...]:
    board = [OpenHand((view.board,), words=pgettext("cards", "Board"))] if view.board else []
    made = term(view.dealer_hand) if view.dealer_hand else ""
    dealer = dealer_hand(view.dealer, made, qualifies_in_words(view.dealer_qualifies))
    boxes = [
        OpenHand((box.cards,), box.seat, makes=(_made(box),)) for box in view.boxes if box.cards
    ]
    return (*dealer, *board, *boxes)


def _made(box: SeenBox) -> str:
    """What a box came to, once it is known."""
    return _("folded") if box.folded else term(box.hand) if box.hand else ""
