"""What a player at a table against the house is told beside the cards.

It knows what the player knows: a hint, the name of the own hand and the wheel are made of the view
alone; how the visit stands and what the pools hold comes from the house's books.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from games.boards.board import Board
from games.bots.simulate import strategies
from games.models import Hand, HandSeat, Seat
from games.pools import jackpots_at, jackpots_of
from games.rules.baccarat.game import BaccaratTable
from games.rules.blackjack.actions import Follow
from games.rules.blackjack.game import Blackjack
from games.rules.casino_holdem.view import HoldemView
from games.rules.contract import Action, AnyGame, View
from games.rules.house.bonus import BonusGame
from games.rules.house.game import HouseGame
from games.rules.house.pools import jackpot_shown
from games.rules.house.sides import Segment
from games.rules.poker import CODE, best_of_seven, category, ranking
from games.rules.russian_poker.actions import Exchange
from games.words.forms import DECLINE, LABELS
from games.words.naming import term
from wallets.models import Jackpot

# What asks for the strategy's advice, in the address.
STRATEGY: Final = "strategy"
RADIUS: Final = 46
NARROW: Final = 0.08
FLOP_CARDS: Final = 5
SEATS_REMEMBERED: Final = 1024


class Hint(NamedTuple):
    """What the strategy would do: the action, how it is called, and its cards."""

    do: str
    words: str
    cards: tuple[Any, ...] = ()


class Meter(NamedTuple):
    """A pool that is played for, and what it holds."""

    kind: str
    label: str
    amount: int


class Slice(NamedTuple):
    """A segment of the wheel as it is drawn: its outline, and its multiple where that is read.

    It leans: what is too narrow for its multiple has it written outwards.
    """

    path: str
    multiple: int
    x: float
    y: float
    lean: float


class Wheel(NamedTuple):
    """The wheel of the table, turned so that what was drawn stands at the top."""

    slices: tuple[Slice, ...]
    turn: float
    multiple: int


class Depth(NamedTuple):
    """How deep a shoe is dealt: cards left, and those before the cut card."""

    left: int
    to_cut: int

    @property
    def words(self) -> str:
        if not self.to_cut:
            return _("{left} left, last round").format(left=self.left)
        return _("{left} left, cut card in {cards}").format(left=self.left, cards=self.to_cut)


class HouseTold(NamedTuple):
    """All of it, as the page takes it; `gives_hints` is whether a hint can be asked for now."""

    visit: int | None
    # How the visit stood before the round that has just ended; none where that changed nothing.
    visit_stood: int | None
    meters: tuple[Meter, ...]
    gives_hints: bool
    hint: Hint | None
    my_hand: str
    wheel: Wheel | None
    # What each box has won or lost for the viewer, once the round is settled.
    boxes: dict[int, int]
    # Where a shoe lasts over several rounds; and how it was before the round that has just ended,
    # for how many cards that took tells how it ended.
    depth: Depth | None
    depth_stood: Depth | None


def house_told(game: AnyGame, told: Board, asked: str = "") -> HouseTold | None:
    """What a viewer is told; None where the game is not against the house."""
    view, choices, table, hand = told.view, told.choices, told.table, told.hand
    if view is None or not isinstance(game, HouseGame):
        return None
    decides = bool(choices) and not any(choice.do == "done" for choice in choices)
    may = decides and table.hints_allowed
    running = hand if table.hand_id is not None else None
    so_far = visit(told.mine, running) if told.mine else None
    return HouseTold(
        visit=so_far,
        visit_stood=so_far - told.won if so_far is not None and told.won else None,
        meters=meters(jackpots_of(running) if running else jackpots_at(table)),
        gives_hints=may,
        hint=hint(game, view) if may and asked == STRATEGY else None,
        my_hand=my_hand(view),
        wheel=wheel(game, view, told.lines),
        boxes=won_by_box(told.lines, view.seat),
        depth=depth(game, hand.first_card + hand.cards_dealt) if hand else None,
        depth_stood=depth(game, hand.first_card) if hand and hand.cards_dealt else None,
    )


def hint(game: AnyGame, view: View) -> Hint:
    """What the strategy of the rules would do in the viewer's place."""
    action: Action = strategies(game)["best"](game, view)
    do = str(type(action).__struct_config__.tag)
    if isinstance(action, Follow):
        return Hint(do, str(LABELS["follow"] if action.yes else _("Do not follow")))
    if do == "stand" and getattr(view, "phase", "") == "insurance":
        return Hint(do, str(DECLINE))
    cards = action.cards if isinstance(action, Exchange) else ()
    return Hint(do, str(LABELS[do]), cards)


def visit(seat: Seat, running: Hand | None) -> int:
    """What the seat has won or lost since its player sat down.

    While a hand runs at the table that stays the same: none ends, and none can be taken back.
    """
    return _visit_before(seat.code, running.pk) if running else _won_in(_ended(seat.code))


@lru_cache(SEATS_REMEMBERED)
def _visit_before(code: UUID, hand_id: int) -> int:
    return _won_in(_ended(code).filter(hand__lt=hand_id))


def _ended(code: UUID) -> QuerySet[HandSeat]:
    return HandSeat.objects.filter(seat__code=code, hand__status=Hand.Status.FINISHED)


def _won_in(hands: QuerySet[HandSeat]) -> int:
    return int(hands.aggregate(net=Sum("net"))["net"] or 0)


def won_by_box(lines: Sequence[dict[str, Any]], seat: int | None) -> dict[int, int]:
    """What the lines of a settlement give a seat and take from it, box by box."""
    won: dict[int, int] = {}
    for line in lines:
        box = line.get("values", {}).get("box")
        sign = (line["target"] == str(seat)) - (line["source"] == str(seat))
        if box is not None and sign:
            won[box] = won.get(box, 0) + sign * int(line["amount"])
    return won


def depth(game: AnyGame, dealt: int) -> Depth | None:
    """The depth of a shoe that so many cards have been dealt from."""
    left = len(game.composition()) - dealt
    if isinstance(game, BaccaratTable):
        return Depth(left, max(0, left - game.cut_cards))
    if isinstance(game, Blackjack) and not game.shuffle_every_round:
        return Depth(left, game.cards_to_cut(left))
    return None


def meters(played: dict[str, Jackpot]) -> tuple[Meter, ...]:
    """The pools that are played for, as they stand now."""
    return tuple(
        Meter(
            kind,
            str(jackpot.get_kind_display()),
            jackpot_shown(jackpot.pool.balance, jackpot.reserve),
        )
        for kind, jackpot in sorted(played.items(), reverse=True)
    )


def my_hand(view: View) -> str:
    """What the viewer's open box holds so far, where the board says more every street."""
    if not isinstance(view, HoldemView) or view.phase != "decide":
        return ""
    for box in view.boxes:
        if box.seat == view.seat and box.cards:
            cards = (*box.cards, *view.board)
            if len(cards) == FLOP_CARDS:
                return term(category(ranking().five(*map(CODE.__getitem__, cards))).name.lower())
            return term(category(best_of_seven(cards)).name.lower())
    return ""


def wheel(game: AnyGame, view: Any, lines: Sequence[dict[str, Any]]) -> Wheel | None:
    """The wheel, once it is spun for a box that holds the wheel card."""
    sides = getattr(view, "sides", None)
    if not isinstance(game, BonusGame) or sides is None or sides.wheel_multiple is None:
        return None
    is_paid = any(line["key"] == "wheel" for line in lines)
    if not is_paid and not any(sides.wheel_card in cards for cards in _cards_with_bonus(view)):
        return None
    return drawn_wheel(game.wheel_segments, sides.wheel_multiple)


def _cards_with_bonus(view: Any) -> list[Any]:
    """Cards that may be the wheel card: those dealt to boxes with a bonus bet.

    Which of a split box's cards were dealt first cannot be told here; where the wheel pays
    something for one, the lines of the settlement say so.
    """
    found: list[Any] = []
    for box in view.boxes:
        if hasattr(box, "players"):
            if len(box.hands) == 1 and any(player.bonus for player in box.players):
                found.append(box.hands[0].cards[:2])
        elif box.bonus:
            hands = getattr(view, "hands", (box,))
            found += [getattr(one, "dealt", one.cards) for one in hands if one.box == box.box]
    return found


def drawn_wheel(segments: tuple[Segment, ...], multiple: int) -> Wheel:
    """The slices, each as wide as it is likely, and how far the wheel has turned."""
    whole = sum(segment.weight for segment in segments)
    slices: list[Slice] = []
    turn, begins = 0.0, 0.0
    for segment in segments:
        share = segment.weight / whole
        middle = begins + share / 2
        # Narrow slices side by side have their multiples at two heights: there is no room else.
        height = 0.78 if share >= NARROW else (0.86, 0.6)[len(slices) % 2]
        slices.append(_slice(begins, share, segment.multiple, height * RADIUS))
        if segment.multiple == multiple:
            turn = -360 * middle
        begins += share
    return Wheel(tuple(slices), round(turn, 1), multiple)


def _slice(begins: float, share: float, multiple: int, height: float) -> Slice:
    (x, y), (to_x, to_y) = _at(begins, RADIUS), _at(begins + share, RADIUS)
    far = int(share > 0.5)
    path = f"M0 0L{x:.1f} {y:.1f}A{RADIUS} {RADIUS} 0 {far} 1 {to_x:.1f} {to_y:.1f}Z"
    middle = begins + share / 2
    lean = 360 * middle - (90 if share < NARROW else 0)
    return Slice(path, multiple, *(round(one, 1) for one in (*_at(middle, height), lean)))


def _at(share: float, radius: float) -> tuple[float, float]:
    """A place on the wheel, from the top on clockwise."""
    return radius * sin(2 * pi * share), -radius * cos(2 * pi * share)
