"""Boxes with an ante: open and blind boxes, shared by casino hold'em and Russian poker.

A box belongs to one seat. The first box of a seat is **open**: it gets an ante, and may get a
bonus bet; once its owner has seen its cards it bets twice the ante, or folds. Further boxes of the
same seat are **blind**: ante and bet are placed before the deal, the ante is that of the open box,
and its cards stay hidden until the settlement. A bonus bet is each box's own affair. A blind box
is taken only where no other seat needs the place: while others may still bet and have no box yet,
so many boxes stay free.

`ante` adds to the bet on a box, as often as one likes until the betting ends; an amount of 0 adds
to the bonus alone. `remove` takes from it; the open box goes after the blind ones. An open ante
that blind boxes have been matched to can no longer be raised: the blind boxes would have to follow
at three times the price, which no move on another box should do. An ante needs no room in the stack
for the later bet; a seat that cannot pay it can only fold.

A game that places more on its blind boxes before the deal gives `Ante` and `AnteBox` further
fields, names them as `bet_action` and `box_type`, and extends three things: `with_ante`, which puts
what an action says on a box; `AnteBox.committed`, what a box holds of its owner's stack; and
`require_box`, which refuses a box that keeps to no limits. The stack is checked by what an action
adds to `committed`, so a box's price is said in one place.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import Action, Choice, Choices, Party, Seat, SeatStack
from games.rules.errors import Illegal
from games.rules.house.actions import (
    Addition,
    Box,
    Remove,
    addition_bounds,
    left_after,
    require_free,
    require_limits,
)
from games.rules.house.bonus import BonusGame, BonusState
from games.rules.house.game import draw
from games.rules.house.sides import BonusBet

# The bet that follows the ante, in antes.
BET_ANTES: Final = 2

# What a choice of `ante` is besides an open one: its `among` says `blind` for a blind box, and
# `bonus` where its bounds are those of the bonus.
BLIND: Final = ("blind",)


class Ante(Action, frozen=True):
    """Amounts added to the ante and the bonus of a box; on a blind box the bet comes with it."""

    box: Box
    amount: Addition
    bonus: Addition = 0
    blind: bool = False


class Fold(Action, frozen=True):
    """The box gives up its ante and plays no further."""

    box: Box


class AnteBox(Struct, frozen=True, kw_only=True):
    """A box that a seat plays; `bet` is the bet in addition to the ante."""

    seat: Seat
    box: int
    blind: bool = False
    ante: int = 0
    bonus: int = 0
    bet: int = 0
    folded: bool = False
    cards: tuple[Card, ...] = ()

    @property
    def committed(self) -> int:
        """Everything its owner has put on the box."""
        return self.ante + self.bonus + self.bet

    @property
    def decided(self) -> bool:
        return self.folded or self.bet > 0


class AnteState(BonusState, frozen=True, kw_only=True):
    """A round; its boxes stand in their order, with their cards once those are dealt."""

    boxes: tuple[AnteBox, ...] = ()
    dealer: tuple[Card, ...] = ()


A = TypeVar("A", bound=AnteState)
B = TypeVar("B", bound=AnteBox)
B_co = TypeVar("B_co", bound=AnteBox, covariant=True)


class HasBoxes(Protocol[B_co]):
    """A state with boxes; a game's own state has its own type of box."""

    @property
    def boxes(self) -> tuple[B_co, ...]: ...


class AnteGame(BonusGame[A], frozen=True, kw_only=True):
    """The betting on open and blind boxes."""

    # All play against the dealer, and a player who knew more of the cards would play better.
    phrases_only: ClassVar[bool] = True
    bet_action: ClassVar[type[Action]] = Ante
    box_type: ClassVar[type[AnteBox]] = AnteBox
    box_numbers: ClassVar[range]

    @property
    def box_count(self) -> int:
        return len(self.box_numbers)

    # Methods that a game may extend.

    def with_ante(self, box: Any, action: Any) -> Any:
        """The box with what an action adds to it; on a blind box the bet follows the ante."""
        ante = box.ante + action.amount
        bet = BET_ANTES * ante if box.blind else 0
        return replace(box, ante=ante, bonus=box.bonus + action.bonus, bet=bet)

    def most_ante(self, box: AnteBox | None) -> int:
        """The largest ante of a box; None is a box without a bet."""
        return self.max

    def most_bonus(self, box: AnteBox) -> int:
        """The largest bonus bet of a box."""
        return self.bonus_max

    def require_box(self, box: Any) -> None:
        """Refuse a box outside the limits of its bets."""
        require_limits(box.ante, self.min, self.max)
        self.require_bonus(box.bonus)

    # The course of the betting.

    def committed(self, state: A, seat: Party) -> int:
        committed = 0
        for box in state.boxes:
            if box.seat == seat:
                committed += box.committed
        return committed

    def has_bets(self, state: A) -> bool:
        return bool(state.boxes)

    def bonus_bets(self, state: A) -> Sequence[BonusBet]:
        return [BonusBet(box.seat, box.box, box.bonus) for box in state.boxes if box.bonus]

    def bet_choices(self, state: A, seat: Party, free: int) -> Choices:
        choices: list[Choice] = []
        for number in self.box_numbers:
            box = box_at(state, number)
            if box is None or box.seat == seat:
                choices += self._ante_choices(state, seat, number, free)
        return tuple(choices)

    def place_bet(self, state: A, stake: SeatStack, action: Ante) -> A:
        seat = stake.seat
        if action.box not in self.box_numbers:
            raise Illegal(
                "no_such_box",
                "The boxes of this table are {first} to {last}.",
                first=self.box_numbers[0],
                last=self.box_numbers[-1],
            )
        before = box_at(state, action.box)
        if before is None:
            before = self.box_type(seat=seat, box=action.box, blind=action.blind)
        elif before.seat != seat:
            raise Illegal("box_taken", "Box {box} is another player's.", box=action.box)
        opened = open_box(state, seat)
        _require_open_or_blind(opened, action)
        if not before.ante and opened is not None:
            self.require_place(state, seat, self.box_count - len(state.boxes))
        _require_addition(state, before, opened, action)
        after = self.with_ante(before, action)
        require_free(stake.stack - self.committed(state, seat), after.committed - before.committed)
        self.require_box(after)
        placed = with_box(state, after)
        return replace(placed, has_bonus=True) if action.bonus else placed

    def remove_choices(self, state: A, seat: Party) -> Choices:
        mine = [box for box in state.boxes if box.seat == seat]
        blind = [box for box in mine if box.blind]
        return tuple([Choice("remove", box=box.box) for box in blind or mine])

    def remove_bet(self, state: A, seat: Seat, action: Remove) -> A:
        box = box_at(state, action.box)
        if box is None:
            raise Illegal("no_bet_on_box", "There is no bet on box {box}.", box=action.box)
        if box.seat != seat:
            raise Illegal("box_taken", "Box {box} is another player's.", box=action.box)
        whole = not action.amount and not action.bonus
        ante = left_after(box.ante, box.ante if whole else action.amount)
        bonus = left_after(box.bonus, action.bonus)
        if ante != box.ante and not box.blind and has_blind_boxes(state, seat):
            raise Illegal("blind_boxes_first", "Take back your blind boxes first.")
        if not ante:
            boxes = tuple([other for other in state.boxes if other is not box])
            return _with_bonus_said(replace(state, boxes=boxes))
        if box.blind and ante != box.ante:
            raise _unequal(box.ante)
        after = replace(box, ante=ante, bonus=bonus)
        self.require_box(after)
        return _with_bonus_said(with_box(state, after))

    # Single steps.

    def _ante_choices(self, state: A, seat: Party, number: int, free: int) -> Choices:
        """A seat's choices at a box that is free or its own, with ante and bonus apart."""
        box, opened = box_at(state, number), open_box(state, seat)
        choices = []
        if box is None and opened is not None:
            cost = (1 + BET_ANTES) * opened.ante
            free_boxes = self.box_count - len(state.boxes)
            if cost <= free and self.may_take_further(state, seat, free_boxes):
                choices.append(Choice("ante", number, None, cost, opened.ante, opened.ante, BLIND))
        elif box is None or not has_blind_boxes(state, seat):
            most_ante = self.most_ante(box)
            bounds = addition_bounds(box.ante if box else 0, self.min, most_ante, free)
            if bounds:
                choices.append(Choice("ante", box=number, least=bounds[0], most=bounds[1]))
        if box is not None:
            bounds = addition_bounds(box.bonus, self.bonus_min, self.most_bonus(box), free)
            if bounds:
                least, most = bounds
                kind = (*BLIND, "bonus") if box.blind else ("bonus",)
                choices.append(Choice("ante", box=number, least=least, most=most, among=kind))
        return tuple(choices)


def box_at(state: HasBoxes[B], number: int) -> B | None:
    """The box of that number; None while it has no bet."""
    for box in state.boxes:
        if box.box == number:
            return box
    return None


def open_box(state: HasBoxes[B], seat: Party) -> B | None:
    """The open box of a seat, which is its first; None while it has not bet."""
    for box in state.boxes:
        if box.seat == seat and not box.blind:
            return box
    return None


def has_blind_boxes(state: AnteState, seat: Party) -> bool:
    return any(box.blind and box.seat == seat for box in state.boxes)


def with_box(state: A, changed: AnteBox) -> A:
    """The state with a new or a changed box; the boxes keep their order."""
    boxes, number = state.boxes, changed.box
    at = 0
    for box in boxes:
        if box.box == number:
            return replace(state, boxes=(*boxes[:at], changed, *boxes[at + 1 :]))
        if box.box > number:
            break
        at += 1
    return replace(state, boxes=(*boxes[:at], changed, *boxes[at:]))


def box_to_decide(state: HasBoxes[B]) -> B | None:
    """The box whose owner has to decide: open boxes decide one after the other, in their order."""
    for box in state.boxes:
        if not box.decided:
            return box
    return None


def require_box_to_decide(state: HasBoxes[B], number: int) -> B:
    """The box to decide; any other is refused."""
    box = box_to_decide(state)
    assert box is not None
    if box.box != number:
        raise Illegal("not_that_box", "It is box {box}'s turn.", box=box.box)
    return box


def deal_rounds(state: A, rounds: int) -> A:
    """The state with so many cards to each box and the dealer, one at a time, the dealer last."""
    places = len(state.boxes) + 1
    cards = draw(state.cards, 0, places * rounds)
    boxes = tuple([replace(box, cards=cards[at::places]) for at, box in enumerate(state.boxes)])
    return replace(state, boxes=boxes, dealer=cards[places - 1 :: places])


def _unequal(ante: int) -> Illegal:
    return Illegal(
        "blind_unequal", "A blind box takes the ante of your open box, {ante}.", ante=ante
    )


def _with_bonus_said(state: A) -> A:
    """The state that says whether any bonus bet is left."""
    return replace(state, has_bonus=any(box.bonus for box in state.boxes))


def _require_open_or_blind(opened: AnteBox | None, action: Ante) -> None:
    """Refuse a blind box before the open one, and a second open one."""
    if action.blind:
        if opened is None:
            raise Illegal("blind_without_open", "Your first box is open; blind ones come after it.")
        if opened.box == action.box:
            raise Illegal("box_is_open", "Box {box} is your open box.", box=opened.box)
    elif opened is not None and opened.box != action.box:
        raise Illegal(
            "second_open_box",
            "Your open box is box {box}; further boxes of yours are blind.",
            box=opened.box,
        )


def _require_addition(state: AnteState, box: AnteBox, opened: AnteBox | None, action: Ante) -> None:
    """Refuse what adds nothing, a blind ante unlike the open one, and a raise that unmatches it."""
    if not action.amount and not action.bonus:
        raise Illegal("nothing_added", "That adds nothing to box {box}.", box=box.box)
    if box.blind:
        assert opened is not None
        if box.ante + action.amount != opened.ante:
            raise _unequal(opened.ante)
    elif action.amount and has_blind_boxes(state, box.seat):
        raise Illegal(
            "ante_matched",
            "Your blind boxes have the same ante, so it can no longer be raised.",
        )
