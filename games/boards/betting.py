"""The spots of the felt that a viewer bets on with chips: what lies there, and what may be added.

A page puts bets together at its spots and sends them when the player says so, by the same action as
the plain forms. Everything it needs to know beforehand stands here: the limits of each spot, what
the purse still holds, and what the player bet in the last round. The server judges what is sent all
the same.
"""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.boards.winnings import Winning, winnings
from games.models import Hand, HandSeat, Move, Seat, Table
from games.rules.baccarat.game import SPOTS, BaccaratTable, BaccaratView
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import PLAYERS, committed
from games.rules.blackjack.view import BlackjackView
from games.rules.contract import AnyGame, Choice, Choices, View
from games.rules.errors import Illegal
from games.rules.house.antes import BET_ANTES, AnteGame
from games.rules.house.betting import purse_of
from games.words.forms import CHIPS, FLAVOURS
from games.words.naming import term
from games.words.refusals import sentence_of
from wallets.amounts import show_amount
from wallets.models import Currency

# How far back the last bets are looked for: rounds that one has watched are passed over.
ROUNDS_MAX: Final = 5
SEATS_REMEMBERED: Final = 1024
BOUNDS_REMEMBERED: Final = 1024


class Spot(NamedTuple):
    """A place for chips. `floor` and `room` bound what can be added; at room 0 nothing can."""

    key: str
    label: str
    # Spots that lie at the same place are bet on in one move.
    at: str
    do: str
    name: str
    value: str
    money: str
    floor: int
    room: int
    standing: int = 0
    # The smallest and the largest bet.
    limits: str = ""
    # Why not less, and why not more.
    too_small: str = ""
    too_large: str = ""
    # At an ante the first spot is open, and others take the same ante blind: `blind`, once it lies.
    ante: bool = False
    blind: int = 0
    # What a bet here can win, and that in words for what stands.
    wins: Winning | None = None
    wins_told: str = ""
    # The plain form that has this spot as a button, and the bounds of that.
    form: str = ""
    least: int | None = None
    most: int | None = None


class Box(NamedTuple):
    """A box with its spots; `full` is why there are none."""

    number: int
    bets: tuple[Any, ...] = ()
    main: Spot | None = None
    bonus: Spot | None = None
    full: str = ""


class Betting(NamedTuple):
    """All that can be bet on, chips to do it with, and what was bet last: spots and amounts."""

    spots: dict[str, Spot]
    boxes: tuple[Box, ...]
    chips: tuple[int, ...]
    free: int
    # What a blind box costs, in antes.
    blind_cost: int
    last: tuple[tuple[str, int], ...]

    @property
    def last_told(self) -> str:
        """The last bets for a script to read."""
        return json.dumps(self.last)

    @property
    def standing(self) -> int:
        return sum(spot.standing for spot in self.spots.values())


class _Bounds(NamedTuple):
    """The bounds of a bet in words."""

    limits: str
    too_small: str
    too_large: str


@lru_cache(BOUNDS_REMEMBERED)
def _bounds_told(least: int, most: int, currency: Currency, _language: str | None) -> _Bounds:
    too_small = Illegal("bet_too_small", "The smallest bet is {least}.", least=least)
    too_large = Illegal("bet_too_large", "The largest bet is {most}.", most=most)
    return _Bounds(
        "–".join(show_amount(bound, currency) for bound in (least, most)),
        sentence_of(too_small, currency),
        sentence_of(too_large, currency),
    )


class _Felt:
    """Makes the spots of one table, with limits said in its currency."""

    def __init__(self, game: Any, currency: Currency, choices: Choices) -> None:
        self.game, self.currency = game, currency
        self.offered = {_key_of(choice): choice for choice in choices}
        self.winnings = winnings(game)

    def spot(self, key: str, label: str, least: int, most: int, **told: Any) -> Spot:
        standing = told.get("standing", 0)
        choice = self.offered.get(key)
        wins = self.winnings.get(key) or self.winnings[told["money"]]
        bounds = _bounds_told(least, most, self.currency, get_language())
        return Spot(
            key,
            label,
            floor=max(1, least - standing),
            limits=bounds.limits,
            too_small=bounds.too_small,
            too_large=told.pop("closed", "") or bounds.too_large,
            room=told.pop("room", max(0, most - standing)),
            form=_form_of(choice) if choice else "",
            least=choice.least if choice else None,
            most=choice.most if choice else None,
            wins=wins,
            wins_told=self._wins(wins, standing) if standing else "",
            **told,
        )

    def box_spot(self, number: int, least: int, most: int, **told: Any) -> Spot:
        """The spot of the main bet of a box."""
        label = _("Box {box}").format(box=number)
        fields = {"at": f"box-{number}", "name": "box", "value": str(number), "money": "amount"}
        return self.spot(f"box-{number}", label, least, most, **(fields | told))

    def bonus_spot(self, number: int, standing: int, do: str) -> Spot:
        label = _("Bonus of box {box}").format(box=number)
        fields: Any = {"at": f"box-{number}", "name": "box", "value": str(number), "money": "bonus"}
        bounds = self.game.bonus_min, self.game.bonus_max
        return self.spot(f"box-{number}-bonus", label, *bounds, do=do, standing=standing, **fields)

    def _wins(self, wins: Winning, stake: int) -> str:
        return wins.words.format(amount=show_amount(wins.of(stake), self.currency))


def betting(
    game: AnyGame, view: View, choices: Choices, table: Table, seat: Seat | None
) -> Betting | None:
    """What a viewer can bet on; None while they cannot bet at all."""
    if seat is None or not any(choice.do == "done" for choice in choices):
        return None
    felt = _Felt(game, table.currency, choices)
    spots: list[Spot] = []
    boxes: tuple[Box, ...] = ()
    if isinstance(game, Blackjack) and isinstance(view, BlackjackView):
        boxes, free = tuple(_blackjack(felt, view)), _free(view, committed(view.boxes, seat.number))
    elif isinstance(game, AnteGame):
        boxes, free = tuple(_antes(felt, view)), _free(view, _on_boxes(view))
    elif isinstance(game, BaccaratTable) and isinstance(view, BaccaratView):
        mine = [wager for wager in view.wagers if wager.seat == view.seat]
        spots = list(_baccarat(felt, {wager.on: wager.amount for wager in mine}))
        free = _free(view, sum(wager.amount for wager in mine))
    else:
        return None
    spots += [spot for box in boxes for spot in (box.main, box.bonus) if spot]
    least: int = felt.game.min
    return Betting(
        spots={spot.key: spot for spot in spots},
        boxes=boxes,
        chips=tuple(least * times for times in CHIPS if least * times <= felt.game.max),
        free=free,
        blind_cost=1 + BET_ANTES,
        last=_last_bets(seat.code, seat.number, table.hand_id),
    )


def _free(view: View, bet: int) -> int:
    assert view.seat is not None
    return purse_of(view.stakes, view.seat) - bet


def _on_boxes(view: Any) -> int:
    """What the viewer has on boxes before the deal, with what is bought for blind ones."""
    total = 0
    for box in view.boxes:
        if box.seat == view.seat:
            total += getattr(box, "committed", box.ante + box.bonus + box.bet)
    return total


def _blackjack(felt: _Felt, view: BlackjackView) -> Iterator[Box]:
    game = felt.game
    boxes = {box.number: box.players for box in view.boxes}
    for number in range(1, game.boxes + 1):
        players = boxes.get(number, ())
        mine = next((one for one in players if one.seat == view.seat), None)
        if mine is None and len(players) == PLAYERS:
            yield Box(number, players, full=_("Three players are on this box."))
            continue
        stake, bonus = (mine.stake, mine.bonus) if mine else (0, 0)
        main = felt.box_spot(number, game.min, game.max, do="bet", standing=stake)
        yield Box(number, players, main, felt.bonus_spot(number, bonus, "bet"))


def _antes(felt: _Felt, view: Any) -> Iterator[Box]:
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
        told: dict[str, Any] = {"do": "ante", "ante": True, "standing": box.ante if box else 0}
        if box and (box.blind or blind):
            told |= {"room": 0, "closed": _("Open and blind boxes have the same ante.")}
        elif opened and not box:
            told |= {"blind": opened, "room": opened}
        main = felt.box_spot(number, game.min, game.max, **told)
        bonus = felt.bonus_spot(number, box.bonus if box else 0, "ante")
        yield Box(number, (box,) if box else (), main, bonus)


def _baccarat(felt: _Felt, standing: dict[Any, int]) -> Iterator[Spot]:
    game = felt.game
    for on in SPOTS:
        fields = {"at": on, "do": "bet", "name": "on", "value": on, "money": "amount"}
        stands = standing.get(on, 0)
        label = capfirst(term(on))
        yield felt.spot(on, label, game.min, game.most_on(on), standing=stands, **fields)


def _key_of(choice: Choice) -> str:
    """The key of the spot that a choice is about."""
    if choice.do not in ("bet", "ante"):
        return ""
    if choice.box is None:
        return choice.among[0]
    return f"box-{choice.box}" + ("-bonus" if "bonus" in choice.among else "")


def _form_of(choice: Choice) -> str:
    """The key of the plain form in `games.words.forms` that a choice is in."""
    return "-".join((choice.do, *(word for word in FLAVOURS if word in choice.among)))


@lru_cache(SEATS_REMEMBERED)
def _last_bets(code: UUID, number: int, _hand: int | None) -> tuple[tuple[str, int], ...]:
    """What a seat bet in the last round in which it did, in the order in which it was placed.

    While a hand runs that stays the same.
    """
    ended = HandSeat.objects.filter(seat__code=code, hand__status=Hand.Status.FINISHED)
    hands = list(ended.order_by("-hand").values_list("hand", flat=True)[:ROUNDS_MAX])
    moves = Move.objects.filter(hand__in=hands, seat=number).order_by("-hand", "number")
    bets: dict[str, int] = {}
    latest = None
    for hand, action in moves.values_list("hand", "action"):
        placed = list(_placed(action))
        if placed and latest not in (None, hand):
            break
        for key, amount in placed:
            latest = hand
            bets[key] = bets.get(key, 0) + amount
    return tuple(bets.items())


def _placed(action: dict[str, Any]) -> Iterable[tuple[str, int]]:
    """The spots and amounts of a move, where it was a bet before the deal."""
    if action["do"] not in ("bet", "ante") or "amount" not in action:
        return
    key = action.get("on") or f"box-{action['box']}"
    if action["amount"]:
        yield key, action["amount"]
    if action.get("bonus"):
        yield f"{key}-bonus", action["bonus"]
