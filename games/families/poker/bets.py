"""Bets with an ante: each box is one player's, and further boxes are blind."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.boards.settlement_view import BoxBets
from games.boards.spots import Box, Felt, Offer
from games.rules.house.antes import BET_ANTES
from games.rules.house.till import Odds
from games.rules.russian_poker.hands import JACKPOT_HANDS
from wallets.values.amounts import show_amount


def offered(felt: Felt, view: object) -> Offer:
    return Offer(boxes=tuple(_boxes(felt, view)))


def on_boxes(view: Any) -> dict[int, BoxBets]:
    """Return the viewer's bets on each box, ante and bet together."""
    return {
        box.box: BoxBets(box.ante + box.bet, box.bonus, getattr(box, "insurance", 0))
        for box in view.boxes
        if box.seat == view.seat
    }


def _boxes(felt: Felt, view: Any) -> Iterator[Box]:
    game = felt.game
    boxes = {box.box: box for box in view.boxes}
    mine = [box for box in view.boxes if box.seat == view.seat]
    opened = next((box.ante for box in mine if not box.blind), 0)
    blind = any(box.blind for box in mine)
    for number in game.box_numbers:
        box = boxes.get(number)
        if box and box.seat != view.seat:
            yield Box(number, (box,), full=_("This box is another player's."))
            continue
        fields: dict[str, object] = {"do": "ante", "ante": True, "standing": box.ante if box else 0}
        # The largest that is said of a box is the reason why it takes no more.
        closed = {"closed": _("Open and blind boxes have the same ante.")}
        if box and (box.blind or blind):
            fields |= {"room": 0, "is_blind": box.blind, **closed}
        elif opened and not box:
            whole = show_amount((1 + BET_ANTES) * opened, felt.currency)
            fields |= {"room": opened, "price": _("blind: {price}").format(price=whole), **closed}
        main = felt.box_spot(number, game.min, game.max, **fields)
        bonus = felt.bonus_spot(number, box.bonus if box else 0, "ante")
        yield Box(number, (box,) if box else (), main, bonus)


def with_shares(
    odds: Mapping[str, Odds], shares_bp: Mapping[str, int] | None
) -> tuple[Mapping[str, Odds], Mapping[str, int]]:
    """Without a jackpot, its hands pay as much as four of a kind."""
    if shares_bp:
        return odds, shares_bp
    return {**odds, **dict.fromkeys(JACKPOT_HANDS, odds["four"])}, {}
