"""Bets at baccarat: the spots of the felt, and what each can win."""

from collections.abc import Iterator
from typing import Any, Final

from django.utils.text import capfirst

from games.boards.spots import Felt, Offer, Spot
from games.boards.winnings import Winning
from games.rules.baccarat.game import PAIR, SPOTS, TIE, BaccaratTable, BaccaratView
from games.rules.house.till import EVEN, Odds
from games.words.naming import term

WHOLE_BP: Final = 10_000


def offered(felt: Felt, view: BaccaratView) -> Offer:
    """The spots with what the viewer has on them."""
    mine = {wager.on: wager.amount for wager in view.wagers if wager.seat == view.seat}
    return Offer(spots=tuple(_spots(felt, mine)))


def _spots(felt: Felt, standing: dict[Any, int]) -> Iterator[Spot]:
    game = felt.game
    for number, on in enumerate(SPOTS, 1):
        fields = {"at": on, "do": "bet", "name": "on", "value": on, "money": "amount"}
        fields["pressed"] = str(number)
        stands = standing.get(on, 0)
        label = capfirst(term(on))
        yield felt.spot(on, label, game.min, game.most_on(on), standing=stands, **fields)


def bet_winnings(game: BaccaratTable) -> Iterator[tuple[str, Winning]]:
    most = game.max_payout
    yield "player", Winning(EVEN, most=most)
    kept = Odds(WHOLE_BP - game.commission_bp, WHOLE_BP)
    banker = {game.banker_odds(total) for total in range(10)}
    yield "banker", Winning(kept if game.commission_bp else EVEN, len(banker) > 1, most=most)
    yield "tie", Winning(TIE, most=most)
    for pair in ("player_pair", "banker_pair"):
        yield pair, Winning(PAIR, most=most)
