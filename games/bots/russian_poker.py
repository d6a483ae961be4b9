"""Russian poker players: each plays one open box for the table's least, within its stack.

`best` draws, insures, bets and buys as the odds say. `simple` never draws or insures, bets on a
pair or better and on ace-king, and takes 1:1 from a dealer who does not qualify. `house` bets
nothing.
"""

from typing import Final

from games.bots.simulate import Bot
from games.rules.contract import Action
from games.rules.house.actions import Done
from games.rules.house.antes import BET_ANTES, Ante, Fold
from games.rules.house.sides import MIDDLE
from games.rules.russian_poker.best_play import draws, finish
from games.rules.russian_poker.boxes import (
    Accept,
    Bet,
    Buy,
    BuyDealer,
    Exchange,
    Insure,
    Pick,
    least_insurance,
)
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import qualifies, read_hand
from games.rules.russian_poker.outlook import purchase
from games.rules.russian_poker.view import BoxView, HandView, RussianView


def best(game: RussianPoker, view: RussianView) -> Action:
    """The decision that wins most on average, among those the stack allows."""
    if view.phase == "bet":
        return _ante(game, view)
    if view.phase == "pick":
        return _pick(game, view)
    if view.phase == "dealer":
        return _answer(game, view)
    box, shown = _open_box(view)
    if not box.drawn and not box.insurance:
        for draw in draws(game, box.ante, shown.cards, view.dealer[0]):
            if draw.do == "play":
                break
            if (1 + BET_ANTES) * box.ante <= _free(view):
                return Exchange(box.box, draw.cards) if draw.cards else Buy(box.box)
    return _finish(game, view, box, shown)


def simple(game: RussianPoker, view: RussianView) -> Action:
    """Bet on what would qualify, and never pay for a card."""
    if view.phase == "bet":
        return _ante(game, view)
    if view.phase == "pick":
        return _pick(game, view)
    if view.phase == "dealer":
        return Accept(_unanswered(view).box)
    box, shown = _open_box(view)
    if qualifies(read_hand(shown.cards).value) and BET_ANTES * box.ante <= _free(view):
        return Bet(box.box)
    return Fold(box.box)


def house(game: RussianPoker, view: RussianView) -> Action:
    """The house's move for an absent player: no bet."""
    return Done()


def _ante(game: RussianPoker, view: RussianView) -> Action:
    """The least ante on the first free box, once, where the bet can follow; then no more."""
    taken = [box.box for box in view.boxes]
    free_boxes = [number for number in game.box_numbers if number not in taken]
    placed = any(box.seat == view.seat for box in view.boxes)
    if placed or not free_boxes or _free(view) < (1 + BET_ANTES) * game.min:
        return Done()
    return Ante(free_boxes[0], game.min)


def _finish(game: RussianPoker, view: RussianView, box: BoxView, shown: HandView) -> Action:
    """Insure where that wins on average, then bet or fold."""
    free, bet = _free(view), BET_ANTES * box.ante
    if free < bet:
        return Fold(box.box)
    seen = (*shown.dealt, *shown.cards)
    last = finish(game, box.ante, read_hand(shown.cards), view.dealer[0], seen)
    insurance = min(last.insurance, free - bet, game.room(box))
    if not box.insurance and insurance >= least_insurance(box.ante):
        return Insure(box.box, insurance)
    return Fold(box.box) if last.folds else Bet(box.box)


def _answer(game: RussianPoker, view: RussianView) -> Action:
    """Buy the dealer a card where that wins more; for a box that no player sees, accept."""
    box = _unanswered(view)
    shown = next((hand for hand in view.hands if hand.box == box.box), None)
    if shown is None or _free(view) < box.ante:
        return Accept(box.box)
    seen = {*shown.dealt, *shown.cards}
    accepted, bought = purchase(game, box.ante, read_hand(shown.cards), view.dealer, seen)
    return BuyDealer(box.box) if bought > accepted else Accept(box.box)


def _pick(game: RussianPoker, view: RussianView) -> Action:
    """Any prize is as good as any other: the one in the middle, for the first box that may pick."""
    lucky = view.sides.lucky_card if view.sides else None
    dealt = {hand.box: hand.dealt for hand in view.hands}
    box = next(
        box
        for box in view.boxes
        if box.seat == view.seat and box.bonus and not box.pick and lucky in dealt[box.box]
    )
    return Pick(box.box, MIDDLE)


def _open_box(view: RussianView) -> tuple[BoxView, HandView]:
    """The box that the seat plays seeing its cards, and those."""
    box = next(box for box in view.boxes if box.seat == view.seat and not box.blind)
    return box, next(hand for hand in view.hands if hand.box == box.box)


def _unanswered(view: RussianView) -> BoxView:
    """A box of the seat that is still in and has not answered a dealer who does not qualify."""
    own = [box for box in view.boxes if box.seat == view.seat]
    return next(box for box in own if box.bet and not box.answer)


def _free(view: RussianView) -> int:
    """The part of the stack that is not bet on a box."""
    stack = next(stake.stack for stake in view.stakes if stake.seat == view.seat)
    return stack - sum(box.committed for box in view.boxes if box.seat == view.seat)


STRATEGIES: Final[dict[str, Bot[RussianPoker, RussianView]]] = {
    "best": best,
    "simple": simple,
    "house": house,
}
QUICK: Final = ("simple",)
