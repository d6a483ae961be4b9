"""Russian poker alone: its paytables, the bonus card among the first cards, and its coach.

The coach says what each way to draw, to bet and to answer the dealer was worth on average.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.family import OpenHand
from games.boards.help import SAME, Advice, Deed, Moment, Path, summed_up
from games.boards.labels import LABELS
from games.boards.rule_tables import Paytable, Winning, odds_row, odds_rows
from games.families.house import bonus_paytable, dealer_hand, qualifies_in_words
from games.families.poker.bets import with_shares
from games.families.poker.casino_holdem import antes
from games.rules.contract import Action
from games.rules.house.till import EVEN
from games.rules.russian_poker.best_play import Draw, draws, finish
from games.rules.russian_poker.game import HAND, RussianPoker
from games.rules.russian_poker.hands import BONUS_TABLE, PAYTABLE, read_hand
from games.rules.russian_poker.outlook import FOLDED, purchase
from games.rules.russian_poker.view import BoxView, HandView, RussianView
from games.words.naming import high_card, term


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
    combinations = [term(combination) for combination in (hand.main, hand.second) if combination]
    return " + ".join(combinations) or high_card(hand.cards)


ANSWERS = ("accept", "buy_dealer")
DECISIONS = ("exchange", "buy", "bet", "fold")


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    for decision in path.decisions():
        step, view, action = decision.step, decision.view, decision.action
        box = next((box for box in view.boxes if box.box == getattr(action, "box", 0)), None)
        if box is None or view.phase == "bet":
            continue
        hand = next((hand for hand in view.hands if hand.box == box.box), None)
        if hand is None:
            continue
        if decision.do in ANSWERS:
            yield _answered(path, view, step, box, hand, action)
        elif decision.do in DECISIONS:
            yield _played(path, view, step, box, hand, action)


def _played(
    path: Path, view: RussianView, step: int, box: BoxView, hand: HandView, action: Action
) -> Moment:
    ways = _ways(path, view, box, hand)
    done = _way_of(ways, action)
    best = ways[0]
    situation = _("Box {box} against {up}").format(box=box.box, up=_up(view))
    deed = Deed(_words(done), (hand.cards, *_named(done)), antes(done.worth))
    if best.worth - done.worth < SAME:
        return Moment(step, situation, deed)
    cost = path.money((best.worth - done.worth) * box.ante)
    better = Deed(_words(best), _named(best), antes(best.worth))
    return Moment(step, situation, deed, better, cost)


def _ways(path: Path, view: RussianView, box: BoxView, hand: HandView) -> list[Draw]:
    """Everything that could be done with the box, the best first; `do` names the action."""
    game: Any = path.game
    up = view.dealer[0]
    seen = (*hand.dealt, *hand.cards)
    last = finish(game, box.ante, read_hand(hand.cards), up, seen)
    ways = [Draw("bet", (), last.bet), Draw("fold", (), FOLDED)]  # type: ignore[arg-type]
    if not box.drawn and not box.insurance:
        drawn = draws(game, box.ante, hand.cards, up)
        ways += [draw for draw in drawn if draw.do != "play"]
    return sorted(ways, key=lambda way: -way.worth)


def _way_of(ways: list[Draw], action: Action) -> Draw:
    do = str(action.__struct_config__.tag)
    cards = frozenset(getattr(action, "cards", ()))
    return next(way for way in ways if way.do == do and frozenset(way.cards) == cards)


def _words(way: Draw) -> str:
    return str(LABELS[way.do])


def _named(way: Draw) -> tuple[Any, ...]:
    return (way.cards,) if way.cards else ()


def _up(view: RussianView) -> str:
    rank = view.dealer[0].text[0]
    return "10" if rank == "T" else rank


def _answered(
    path: Path, view: RussianView, step: int, box: BoxView, hand: HandView, action: Action
) -> Moment:
    """The dealer did not qualify: the ante was taken, or another card bought for the dealer."""
    game: Any = path.game
    seen = {*hand.dealt, *hand.cards}
    accepted, bought = purchase(game, box.ante, read_hand(hand.cards), view.dealer, seen)
    worth = {"accept": accepted, "buy_dealer": bought}
    do = str(action.__struct_config__.tag)
    other = "accept" if do == "buy_dealer" else "buy_dealer"
    done = Deed(str(LABELS[do]), (hand.cards, view.dealer), antes(worth[do]))
    situation = _("Box {box}, the dealer does not qualify").format(box=box.box)
    if worth[do] >= worth[other] - SAME:
        return Moment(step, situation, done)
    better = Deed(str(LABELS[other]), (), antes(worth[other]))
    return Moment(step, situation, done, better, path.money((worth[other] - worth[do]) * box.ante))
