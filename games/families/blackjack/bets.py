"""Bets at blackjack: boxes that several players may bet on, and what their bets can win."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.boards.box_results import BoxBets
from games.boards.spots import Box, Felt, Offer
from games.boards.winnings import Winning
from games.families.blackjack.paytables import paytables
from games.families.house import box_winnings
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import BLACKJACK
from games.rules.blackjack.state import PLAYERS
from games.rules.blackjack.view import BlackjackView


def offered(felt: Felt, view: BlackjackView) -> Offer | None:
    if view.seat is None:
        return None
    return Offer(boxes=tuple(_boxes(felt, view)))


def on_boxes(view: BlackjackView) -> dict[int, BoxBets]:
    """Return the viewer's bets on each box, with what was doubled and split."""
    bets = {}
    for box in view.boxes:
        for place, player in enumerate(box.players):
            if player.seat == view.seat:
                main = sum(hand.bets[place] for hand in box.hands) or player.bet
                bets[box.number] = BoxBets(main, player.bonus, player.insurance)
    return bets


def bet_winnings(game: Blackjack) -> dict[str, Winning]:
    main = Winning(BLACKJACK, several=True, most=game.max_payout)
    return box_winnings(main, paytables(game))


def _boxes(felt: Felt, view: BlackjackView) -> Iterator[Box]:
    game = felt.game
    boxes = {box.number: box.players for box in view.boxes}
    for number in range(1, game.boxes + 1):
        players = boxes.get(number, ())
        mine = next((one for one in players if one.seat == view.seat), None)
        if mine is None and len(players) == PLAYERS:
            yield Box(number, players, full=_("Three players are on this box."))
            continue
        stake, bonus = (mine.bet, mine.bonus) if mine else (0, 0)
        main = felt.box_spot(number, game.min, game.max, do="bet", standing=stake)
        yield Box(number, players, main, felt.bonus_spot(number, bonus, "bet"))
