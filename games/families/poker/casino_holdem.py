"""Casino hold'em alone: its paytables, the name of a hand with the board, and its coach.

The coach says what calling was worth on average; a fold costs the ante.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.boards.family import OpenHand
from games.boards.help import Advice, Decision, Deed, Moment, Path, summed_up
from games.boards.labels import LABELS
from games.boards.rule_tables import Paytable, Winning, odds_row
from games.families.house import bonus_paytable, dealer_hand, qualifies_in_words
from games.families.poker.bets import with_shares
from games.rules.casino_holdem import game as holdem
from games.rules.casino_holdem.calling import FOLD_VALUE, call_value
from games.rules.casino_holdem.game import CasinoHoldem, HoldemView, SeenBox
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


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    for decision in path.decisions():
        if decision.do in ("call", "fold"):
            yield _decided(path, decision)


def _decided(path: Path, decision: Decision) -> Moment:
    step, view, do = decision.step, decision.view, decision.do
    box = next(box for box in view.boxes if box.box == decision.action.box)
    worth = {"call": call_value(box.cards, view.board), "fold": Fraction(FOLD_VALUE)}
    other = "fold" if do == "call" else "call"
    done = Deed(str(LABELS[do]), (box.cards, view.board), antes(worth[do]))
    situation = _("Box {box}, on the flop").format(box=box.box)
    if worth[do] >= worth[other]:
        return Moment(step, situation, done)
    better = Deed(str(LABELS[other]), (), antes(worth[other]))
    cost = path.money(float((worth[other] - worth[do]) * box.ante))
    return Moment(step, situation, done, better, cost)


def antes(worth: float | Fraction) -> str:
    """Return what a decision is worth on average, in antes."""
    return _("{worth} antes").format(worth=f"{float(worth):+.2f}")
