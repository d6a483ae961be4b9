"""The spots that a viewer bets on with chips: the bets there, and the limits of further ones.

A page sends what a player puts on its spots, by the same actions as the plain forms. This module
provides what the page needs for that: the limits of each spot, the rest of the stack, and the
player's bets in the last round. The server still checks what is sent.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from games.boards.family import family_of
from games.boards.forms import ActionForm, forms_for
from games.boards.spots import Box, Felt, Spot
from games.boards.table_view import TableView
from games.rules.cards import Card
from games.rules.catalogue import against_house
from games.rules.contract import AnyGame, Choice, View
from games.rules.house.antes import BET_ANTES
from games.tables.formats import format_of
from games.tables.jackpots import game_at
from games.tables.next_bets import again_needs, first_state
from games.tables.ready_players import Bets
from games.tables.table_cache import cached_hand

# In whole units; each has a colour of its own in `chips.css`.
VALUES: Final = (1, 5, 25, 100, 500, 1_000, 5_000)
# More chips would be a tower; the sum is printed next to it.
STACK_MAX: Final = 5


def rack(least: int, most: int, exponent: int) -> tuple[int, ...]:
    """The chips to bet with: from the largest that the smallest bet is made of, to the largest bet.

    Where the smallest bet is no whole number of units, chips are multiples of it.
    """
    unit = 10**exponent
    if least % unit:
        unit = least
    fits = [value * unit for value in VALUES if value * unit <= most]
    small = [chip for chip in fits if chip <= least and least % chip == 0]
    return tuple(fits[len(small) - 1 :]) if small else (least,)


def value_of(amount: int, exponent: int) -> int:
    """The value whose colour a chip of this amount has: the largest that it is worth."""
    return max((value for value in VALUES if value * 10**exponent <= amount), default=VALUES[0])


def stack(amount: int, exponent: int) -> tuple[int, ...]:
    """The values of the chips that a sum is stacked of, the largest at the bottom."""
    left = amount // 10**exponent
    chips: list[int] = []
    for value in reversed(VALUES):
        while left >= value and len(chips) < STACK_MAX:
            chips.append(value)
            left -= value
    return tuple(chips) or (VALUES[0],)


class Betting(NamedTuple):
    """All that can be bet on, chips to do it with, and what was bet last: spots and amounts."""

    spots: dict[str, Spot]
    boxes: tuple[Box, ...]
    chips: tuple[int, ...]
    # All that the viewer has bet in this round, and the rest of their stack: the figures of their
    # plate, which the rules give. A spot shows the bet there, but a blind box also takes the bet
    # that comes with its ante, so the spots do not add up to this.
    standing: int
    free: int
    # The part of it that is on blind boxes.
    blind: int
    last: tuple[tuple[str, int], ...]
    # What the last bets would cost again.
    again_needs: int
    # The number of the round that the bets are for; none is carried over to another.
    round: int
    # The number of the hand after which the bets are placed; None while a round takes them.
    after: int | None = None

    @property
    def last_as_json(self) -> str:
        """The last bets for a script to read."""
        return json.dumps(self.last)

    @property
    def open(self) -> int:
        """The part that is not on blind boxes."""
        return self.standing - self.blind

    @property
    def alive(self) -> int:
        """How many chips, from the smallest on, the rest of the stack can pay."""
        return sum(chip <= self.free for chip in self.chips)

    @property
    def is_ahead(self) -> bool:
        return self.after is not None


def betting(game: Any, snapshot: TableView) -> Betting | None:
    """Return what the viewer can bet on in the round that runs; None while they cannot bet."""
    table, seat = snapshot.table, snapshot.mine
    if seat is None or snapshot.view is None or not snapshot.is_betting:
        return None
    live, family = cached_hand(table), family_of(game)
    winnings = live.once("winnings", lambda: family.bet_winnings(game))
    felt = Felt(game, table.currency, snapshot.choices, winnings)
    money = (snapshot.my_bet, snapshot.at_hand)
    return _betting(felt, snapshot.view, snapshot.version.last_bets(seat), money, table.hands_dealt)


def forms_of(game: AnyGame, snapshot: TableView, hand: Sequence[Card]) -> list[ActionForm]:
    """The forms of the viewer's choices; `hand` are the cards that can be picked from.

    "Deal" has its place from the start, with the sum of all bets, and is closed until there is one.
    """
    if not snapshot.is_betting:
        return forms_for(game, snapshot.choices, hand, [action.box for action in snapshot.disabled])
    bets = [choice for choice in snapshot.choices if choice.do != "done"]
    deal = Choice("done", cost=snapshot.my_bet)
    return [*forms_for(game, bets, hand), *(_deal(form) for form in forms_for(game, [deal]))]


def _deal(form: ActionForm) -> ActionForm:
    return form._replace(
        buttons=tuple(button._replace(is_closed=not button.cost) for button in form.buttons)
    )


def betting_ahead(snapshot: TableView) -> Betting | None:
    """Return what the viewer can bet on in the next round.

    The caller has seen to it that they may.
    """
    table, seat = snapshot.table, snapshot.mine
    if seat is None:
        return None
    game = game_at(table)
    funds = format_of(table).funds(seat)
    state = first_state(game, seat.number, funds)
    choices, view = game.choices(state, seat.number), game.view(state, seat.number)
    felt = Felt(game, table.currency, choices, family_of(game).bet_winnings(game))
    after = table.hands_dealt
    offered = _betting(felt, view, snapshot.version.last_bets(seat), (0, funds), after + 1)
    return offered and offered._replace(after=after)


def may_bet_ahead(snapshot: TableView) -> bool:
    """Whether the viewer can bet on the next round already.

    They can while the last result is still shown, or while a round runs without them.
    """
    seat, view = snapshot.mine, snapshot.view
    if seat is None or not against_house(snapshot.table.game):
        return False
    if snapshot.between is not None:
        return True
    if view is None or snapshot.table.hand_id is None:
        return False
    waits = snapshot.my_bet == 0 and getattr(view, "phase", "bet") != "bet"
    return waits and not (seat.sits_out or seat.leaves or snapshot.short)


def _betting(
    felt: Felt, view: View, last: Bets, money: tuple[int, int], number: int
) -> Betting | None:
    """`money` is what the viewer has bet, and the rest of their stack."""
    seat: Any = view.seat
    offer = family_of(felt.game).bets(felt, view)
    if offer is None:
        return None
    spots = [*offer.spots, *(spot for box in offer.boxes for spot in (box.main, box.bonus) if spot)]
    return Betting(
        spots={spot.key: spot for spot in spots},
        boxes=offer.boxes,
        chips=rack(felt.game.min, felt.game.max, felt.currency.exponent),
        standing=money[0],
        free=money[1],
        blind=sum(spot.standing * (1 + BET_ANTES) for spot in spots if spot.is_blind),
        last=_by_spot(last),
        again_needs=again_needs(felt.game, seat, last),
        round=number,
    )


def _by_spot(placed: Bets) -> tuple[tuple[str, int], ...]:
    """Bets by their spots, in the order of placing."""
    bets: dict[str, int] = {}
    for action in placed:
        for key, amount in _placed(action):
            bets[key] = bets.get(key, 0) + amount
    return tuple(bets.items())


def _placed(action: dict[str, Any]) -> Iterable[tuple[str, int]]:
    """The spots and amounts of a bet before the deal."""
    key = action.get("on") or f"box-{action['box']}"
    if action["amount"]:
        yield key, action["amount"]
    if action.get("bonus"):
        yield f"{key}-bonus", action["bonus"]
