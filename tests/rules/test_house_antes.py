"""Antes on open and blind boxes, on a game made for these tests that stops at the deal.

A second one, `Covered`, places a cover beside the ante of a blind box, as a game may.
"""

from typing import Annotated, ClassVar

import pytest
from msgspec import Meta
from msgspec.structs import replace

from games.rules.cards import Card, parse_cards
from games.rules.contract import HOUSE, Action, Choice, SeatStack, View, replay
from games.rules.errors import Illegal
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.antes import (
    Ante,
    AnteBox,
    AnteGame,
    AnteState,
    Fold,
    box_to_decide,
    deal_rounds,
    require_box_to_decide,
    with_box,
)
from games.rules.house.sides import BonusBet, Holding, SideContext
from games.rules.settlement import Settlement
from tests.rules.cases import each, illegal, unreadable
from tests.rules.harness import Moves


class Antes(AnteGame[AnteState], frozen=True, kw_only=True):
    key: ClassVar[str] = "antes"
    name: ClassVar[str] = "Antes"
    actions: ClassVar[tuple[type[Action], ...]] = (Ante, Fold, Done, Close, Pool)
    box_numbers: ClassVar[range] = range(1, 5)

    def first_state(
        self, stakes: tuple[SeatStack, ...], cards: tuple[Card, ...], context: SideContext
    ) -> AnteState:
        return AnteState(stakes=stakes, cards=cards, draws=self.played_draws(context))

    def deal(self, state: AnteState) -> AnteState:
        return replace(deal_rounds(state, 2), phase="over")

    def bonus_holding(self, state: AnteState, box: int) -> Holding:
        return Holding(None, ())

    def settle_round(self, state: AnteState) -> Settlement:
        raise NotImplementedError

    def view(self, state: AnteState, seat: int | None) -> View:
        raise NotImplementedError

    def shown(self, state: AnteState, seat: int | None) -> frozenset[int]:
        raise NotImplementedError

    def dealt(self, state: AnteState) -> int:
        raise NotImplementedError


class CoveredAnte(Ante, frozen=True, tag="ante"):
    cover: Annotated[int, Meta(ge=0)] = 0


class CoveredBox(AnteBox, frozen=True, kw_only=True):
    cover: int = 0

    @property
    def committed(self) -> int:
        return super().committed + self.cover


class Covered(Antes, frozen=True, kw_only=True):
    bet_action: ClassVar[type[Action]] = CoveredAnte
    box_type: ClassVar[type[AnteBox]] = CoveredBox

    def with_ante(self, box: CoveredBox, action: CoveredAnte) -> CoveredBox:
        covered: CoveredBox = super().with_ante(box, action)
        return replace(covered, cover=box.cover + action.cover)

    def require_box(self, box: CoveredBox) -> None:
        super().require_box(box)
        if box.cover > box.ante:
            raise Illegal("cover_too_large", "The cover is at most the ante.")


GAME = Antes(min=100, max=1_000, bonus_min=10, bonus_max=500)
STAKES = [SeatStack(1, 5_000), SeatStack(2, 5_000)]


def played(moves: Moves, game: Antes = GAME, stakes: list[SeatStack] = STAKES) -> AnteState:
    cards = parse_cards("2c3c4c5c6c7c8c9c")
    return replay(game, stakes, cards, SideContext(), moves)


def boxes(state: AnteState) -> list[tuple[int, int, bool, int, int, int]]:
    return [(box.box, box.seat, box.blind, box.ante, box.bonus, box.bet) for box in state.boxes]


def refusal(moves: Moves, game: Antes = GAME) -> str:
    state = played(moves[:-1], game)
    with pytest.raises(Illegal) as refused:
        game.apply(state, *moves[-1])
    assert refused.value.sentence
    assert "{" not in refused.value.sentence
    return refused.value.code


def test_the_first_box_is_open_and_further_ones_carry_their_bet() -> None:
    moves: Moves = [(1, Ante(3, 200)), (2, Ante(1, 100, 50)), (1, Ante(2, 200, 30, blind=True))]
    state = played(moves)
    assert boxes(state) == [
        (1, 2, False, 100, 50, 0),
        (2, 1, True, 200, 30, 400),
        (3, 1, False, 200, 0, 0),
    ]
    assert GAME.committed(state, 1) == 200 + 200 + 400 + 30
    assert GAME.committed(state, 2) == 150
    assert GAME.bonus_bets(state) == [BonusBet(2, 1, 50), BonusBet(1, 2, 30)]


def test_an_ante_and_its_bonus_are_raised_apart_or_together() -> None:
    state = played([(1, Ante(1, 100)), (1, Ante(1, 50)), (1, Ante(1, 0, 20)), (1, Ante(1, 5, 1))])
    assert boxes(state) == [(1, 1, False, 155, 21, 0)]


def test_a_bonus_can_still_be_added_beside_and_on_a_blind_box() -> None:
    moves: Moves = [
        (1, Ante(1, 100)),
        (1, Ante(2, 100, blind=True)),
        (1, Ante(1, 0, 20)),
        (1, Ante(2, 0, 30, blind=True)),
    ]
    assert boxes(played(moves)) == [(1, 1, False, 100, 20, 0), (2, 1, True, 100, 30, 200)]


OPEN: Moves = [(1, Ante(1, 100))]
BLIND: Moves = [*OPEN, (1, Ante(2, 100, blind=True))]


@each(
    ([(1, Ante(5, 100))], "no_such_box"),
    ([(1, Ante(0, 100))], "no_such_box"),
    ([*OPEN, (2, Ante(1, 100))], "box_taken"),
    ([*OPEN, (2, Ante(2, 100)), (2, Ante(1, 100, blind=True))], "box_taken"),
    ([(1, Ante(1, 100, blind=True))], "blind_without_open"),
    ([*OPEN, (2, Ante(2, 100, blind=True))], "blind_without_open"),
    ([*OPEN, (1, Ante(2, 100))], "second_open_box"),
    ([*BLIND, (1, Ante(2, 0, 10))], "second_open_box"),
    ([*OPEN, (1, Ante(1, 100, blind=True))], "box_is_open"),
    ([*OPEN, (1, Ante(2, 101, blind=True))], "blind_unequal"),
    ([*OPEN, (1, Ante(2, 99, blind=True))], "blind_unequal"),
    ([*BLIND, (1, Ante(2, 1, blind=True))], "blind_unequal"),
    ([*OPEN, (1, Ante(2, 0, 10, blind=True))], "blind_unequal"),
    ([*BLIND, (1, Ante(1, 1))], "ante_matched"),
    ([*OPEN, (1, Ante(1, 0))], "nothing_added"),
    ([(1, Ante(1, 0))], "nothing_added"),
    ([(1, Ante(1, 99))], "bet_too_small"),
    ([(1, Ante(1, 0, 10))], "bet_too_small"),
    ([(1, Ante(1, 1_001))], "bet_too_large"),
    ([(1, Ante(1, 900)), (1, Ante(1, 101))], "bet_too_large"),
    ([(1, Ante(1, 100, 9))], "bet_too_small"),
    ([(1, Ante(1, 100, 501))], "bet_too_large"),
    ([(1, Ante(1, 100, 400)), (1, Ante(1, 0, 101))], "bet_too_large"),
    ([(1, Ante(1, 5_001))], "above_purse"),
    ([(1, Ante(1, 4_990, 11))], "above_purse"),
    ([(3, Ante(1, 100))], "not_seated"),
    ([(HOUSE, Ante(1, 100))], "house_bets_not"),
    ([(1, Done()), (1, Ante(1, 100))], "no_more_bets"),
    ([*OPEN, (HOUSE, Close()), (1, Ante(1, 100))], "no_more_bets"),
    ([*OPEN, (HOUSE, Close()), (2, Ante(2, 100))], "no_more_bets"),
)
def test_refusals(moves: Moves, code: str) -> None:
    assert refusal(moves) == code


@each(
    ([(1, Ante(9, 100))], "The boxes of this table are 1 to 4."),
    ([*OPEN, (2, Ante(1, 100))], "Box 1 is another player's."),
    ([*OPEN, (1, Ante(1, 100, blind=True))], "Box 1 is your open box."),
    ([*OPEN, (1, Ante(2, 100))], "Your open box is box 1; further boxes of yours are blind."),
    ([*OPEN, (1, Ante(2, 101, blind=True))], "A blind box takes the ante of your open box, 100."),
)
def test_a_refusal_names_the_box_or_the_amount(moves: Moves, sentence: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.apply(played(moves[:-1]), *moves[-1])
    assert refused.value.sentence == sentence


@each((400, True), (399, False), (430, True), (429, False))
def test_a_blind_box_needs_three_antes_and_its_bonus(stack: int, fits: bool) -> None:
    bonus = 30 if stack > 410 else 0
    state = played(OPEN, stakes=[SeatStack(1, stack)])
    action = Ante(2, 100, bonus, blind=True)
    if fits:
        assert GAME.committed(GAME.apply(state, 1, action), 1) == stack
        return
    illegal("above_purse", GAME.apply, state, 1, action)


def test_choices_of_a_seat_without_a_box_are_all_free_ones() -> None:
    state = played([(2, Ante(3, 100))])
    antes_open = [Choice("ante", box=box, least=100, most=1_000) for box in (1, 2, 4)]
    assert GAME.choices(state, 1) == (*antes_open, Choice("done"))


def test_choices_of_a_seat_with_an_open_box() -> None:
    state = played(
        [(1, Ante(1, 300)), (2, Ante(3, 100))], stakes=[SeatStack(1, 1_250), SeatStack(2, 999)]
    )
    assert GAME.choices(state, 1) == (
        Choice("ante", box=1, least=1, most=700),
        Choice("ante", box=1, least=10, most=500, among=("bonus",)),
        Choice("ante", box=2, cost=900, least=300, most=300, among=("blind",)),
        Choice("ante", box=4, cost=900, least=300, most=300, among=("blind",)),
        Choice("remove", box=1),
        Choice("done"),
    )


@each((400, True), (399, False))
def test_a_blind_box_is_offered_where_its_three_antes_fit(stack: int, offered: bool) -> None:
    kinds = [choice.among for choice in GAME.choices(played(OPEN, stakes=[SeatStack(1, stack)]), 1)]
    assert (("blind",) in kinds) == offered


def test_choices_of_a_seat_with_a_blind_box() -> None:
    moves: Moves = [(1, Ante(1, 300)), (1, Ante(4, 300, 20, blind=True))]
    state = played(moves, stakes=[SeatStack(1, 1_250)])
    assert GAME.choices(state, 1) == (
        Choice("ante", box=1, least=10, most=30, among=("bonus",)),
        Choice("ante", box=4, least=1, most=30, among=("blind", "bonus")),
        Choice("remove", box=4),
        Choice("done"),
    )


def test_a_stack_that_is_too_short_has_no_choice_but_done() -> None:
    assert GAME.choices(played([], stakes=[SeatStack(1, 99)]), 1) == (Choice("done"),)


def test_every_choice_is_accepted_at_both_bounds_and_refused_beyond() -> None:
    starts: list[Moves] = [[], OPEN, BLIND, [*BLIND, (1, Ante(2, 0, 20, blind=True))]]
    for stack in (100, 140, 405, 420, 777, 10**6):
        for start in starts:
            if stack < 405 and start is not starts[0]:
                continue
            state = played(start[: 2 if stack < 420 else None], stakes=[SeatStack(1, stack)])
            for choice in GAME.choices(state, 1):
                if choice.do == "ante":
                    _try_bounds(state, choice)


def _try_bounds(state: AnteState, choice: Choice) -> None:
    def action(amount: int | None) -> Ante:
        bonus = "bonus" in choice.among
        amounts = (0, amount) if bonus else (amount, 0)
        return Ante(choice.box or 0, amounts[0] or 0, amounts[1] or 0, "blind" in choice.among)

    least, most = choice.least or 0, choice.most or 0
    for amount in (least, most):
        after = GAME.apply(state, 1, action(amount))
        added = GAME.committed(after, 1) - GAME.committed(state, 1)
        assert added == (choice.cost or amount)
    for amount in (least - 1, most + 1):
        with pytest.raises(Illegal):
            GAME.apply(state, 1, action(amount))


def test_cards_go_round_the_boxes_and_to_the_dealer_last() -> None:
    moves: Moves = [(1, Ante(4, 100)), (2, Ante(1, 100)), (HOUSE, Close())]
    state = played(moves)
    assert [box.cards for box in state.boxes] == [parse_cards("2c5c"), parse_cards("3c6c")]
    assert state.dealer == parse_cards("4c7c")


def test_too_few_cards_for_the_deal() -> None:
    unreadable(
        "too_few_cards",
        replay,
        GAME,
        STAKES,
        parse_cards("2c3c4c"),
        SideContext(),
        [*OPEN, (HOUSE, Close())],
    )


def test_open_boxes_decide_in_their_order_and_blind_ones_never() -> None:
    state = played([(1, Ante(4, 100)), (1, Ante(1, 100, blind=True)), (2, Ante(2, 100))])
    first = box_to_decide(state)
    assert first is not None
    assert first.box == 2
    assert require_box_to_decide(state, 2) is first
    illegal("not_that_box", require_box_to_decide, state, 4)
    state = with_box(state, replace(first, folded=True))
    second = box_to_decide(state)
    assert second is not None
    assert second.box == 4
    assert box_to_decide(with_box(state, replace(second, bet=200))) is None


def test_without_a_bet_nothing_is_dealt() -> None:
    state = replay(GAME, STAKES, (), SideContext(), [(HOUSE, Close())])
    assert (state.phase, state.boxes) == ("over", ())


def test_a_game_may_place_more_on_its_blind_boxes() -> None:
    game = Covered(min=100, max=1_000)
    moves: Moves = [(1, CoveredAnte(1, 100)), (1, CoveredAnte(2, 100, 0, True, 60))]
    state = played(moves, game)
    assert game.committed(state, 1) == 100 + 300 + 60
    dear: Moves = [*moves[:1], (1, CoveredAnte(2, 100, 0, True, 101))]
    assert refusal(dear, game) == "cover_too_large"
    short = played(moves[:1], game, [SeatStack(1, 459)])
    illegal("above_purse", game.apply, short, *moves[1])
