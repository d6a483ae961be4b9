"""Rounds with bonus bets, their draws and decisions, at the table of `boxes.py`."""

from random import Random
from typing import Any, ClassVar

import pytest
from msgspec import convert
from msgspec.structs import replace

from games.rules.cards import DECK, Card, parse_cards
from games.rules.contract import HOUSE, Action, Choice, NoAction, Party, SeatStack, replay
from games.rules.errors import Illegal, Unreadable
from games.rules.house.actions import Close, Pool
from games.rules.house.sides import SideContext, SideView
from games.rules.house.till import Till
from games.rules.messages import sentence
from games.rules.settlement import Settlement
from tests.rules.boxes import GAME, STAKES, Bet, Boxes, BoxState
from tests.rules.cases import each, every, illegal, unreadable
from tests.rules.harness import Moves, Played, check_settlement
from tests.rules.house_sides import settled


def bonus_net(cards: str, context: SideContext | None = None) -> int:
    """What a bonus bet of 50 wins in box 1, beside a main bet that loses."""
    moves: Moves = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    return settled(cards, moves, context).net[1] + 100


@each(
    ("2c3c", {}, -50),
    ("2c2d", {}, 250),
    ("2c3c", {"bonus_card": "3c"}, 500),
    ("2c3c", {"bonus_card": "3d"}, -50),
    ("2c2d", {"bonus_card": "2d"}, 750),
    ("2c3c", {"wheel_card": "2c", "wheel": 0}, 350),
    # A blank segment pays nothing, and the bet is lost like any other.
    ("2c3c", {"wheel_card": "2c", "wheel": 1}, -50),
    ("2c3c", {"wheel_card": "2c", "wheel": 2}, -50),
    ("2c3c", {"wheel_card": "2c", "wheel": 3}, 1_000),
    ("2c3c", {"wheel_card": "2d", "wheel": 3}, -50),
    ("2c2d", {"wheel_card": "2c", "wheel": 1}, 250),
    # Both names on one card: both count.
    ("2c3c", {"bonus_card": "3c", "wheel_card": "3c", "wheel": 3}, 1_500),
    ("2c3c", {"lucky_card": "3c", "lucky_game": 4}, 150),
    ("2c3c", {"lucky_card": "3c", "lucky_game": 5}, 200),
    # Without its draw a feature is off.
    ("2c3c", {"wheel_card": "2c"}, -50),
    ("2c3c", {"wheel": 0}, -50),
    ("2c3c", {"lucky_card": "3c"}, -50),
)
def test_winnings_of_a_bonus_bet_of_fifty(cards: str, draws: dict[str, object], won: int) -> None:
    assert bonus_net(cards, convert(draws, SideContext)) == won


@each((9, "bet_too_small"), (10_001, "bet_too_large"))
def test_bonus_limits(bonus: int, code: str) -> None:
    state = GAME.open([SeatStack(1, 10**6)], (), SideContext())
    illegal(code, GAME.apply, state, 1, Bet(1, 100, bonus))


def test_the_bonus_counts_against_the_stack() -> None:
    moves: Moves = [(1, Bet(1, 5_000, 1_000))]
    state = replay(GAME, STAKES, (), SideContext(), moves)
    assert GAME.choices(state, 1)[0].most == 4_000
    illegal("above_purse", GAME.apply, state, 1, Bet(2, 3_000, 1_001))


class Hit(Action, frozen=True):
    """Something to decide once the cards lie."""


class Deciding(Boxes, frozen=True, kw_only=True):
    """Each seat that has bet may act, and nothing comes of it."""

    actions: ClassVar[tuple[type[Action], ...]] = (*Boxes.actions, Hit)

    def deal(self, state: BoxState) -> BoxState:
        return replace(super().deal(state), phase="play")

    def deciding(self, state: BoxState) -> frozenset[Party]:
        return frozenset([bet.seat for bet in state.bets]) if state.phase == "play" else frozenset()

    def decide(self, state: BoxState, seat: Party, action: Action) -> BoxState:
        if isinstance(action, Hit):
            return replace(state, phase="over")
        return super().decide(state, seat, action)


def test_decisions_come_after_the_betting_and_nothing_else_does() -> None:
    game = Deciding()
    cards = parse_cards("2c3c")
    betting = replay(game, STAKES, cards, SideContext(), [(1, Bet(1, 100))])
    assert game.choices(betting, HOUSE) == (Choice("close"),)
    assert game.choices(betting, 1)[-1] == Choice("done")
    dealt = game.apply(betting, HOUSE, Close())
    for state, seat, action, code in [
        (betting, 1, Hit(), "not_now"),
        (betting, 4, Hit(), "not_seated"),
        (dealt, 1, NoAction(), "not_now"),
        (dealt, 2, Hit(), "not_your_turn"),
        (dealt, 1, Bet(1, 100), "no_more_bets"),
        (dealt, HOUSE, Close(), "not_your_turn"),
    ]:
        illegal(code, game.apply, state, seat, action)
    illegal("hand_not_over", game.settle, dealt)
    assert game.settle(game.apply(dealt, 1, Hit())).net[1] == -100


def test_the_house_that_is_to_name_a_pool_decides_nothing() -> None:
    game = Deciding()
    moves: Moves = [(1, Bet(1, 100, 100)), (HOUSE, Close()), (1, Hit())]
    state = replay(game, STAKES, parse_cards("KcKd"), SideContext(), moves)
    assert game.to_act(state) == {HOUSE}
    illegal("not_now", game.apply, state, HOUSE, Hit())


def test_default_is_one_deck_and_one_to_nine_seats() -> None:
    assert (GAME.seats, GAME.decks, GAME.rules_version) == (range(1, 10), 1, 1)
    assert GAME.composition() == DECK
    with pytest.raises(Unreadable) as refusal:
        GAME.open(STAKES, parse_cards("2c3c2c"), SideContext())
    assert (refusal.value.code, refusal.value.path) == ("card_not_in_shoe", "$.cards[2]")
    assert (GAME.min, GAME.max, GAME.max_payout) == (100, 100_000, 5_000_000)


class TwoDecks(Boxes, frozen=True, kw_only=True):
    decks: ClassVar[int] = 2


@every(more=["", "4h5h6h", "4h4h5h5h", "4h4h5h5h6h6h7h7h8h8h"])
def test_no_card_comes_out_of_the_shoe_more_often_than_it_has_decks(more: str) -> None:
    game = TwoDecks()
    assert game.open(STAKES, parse_cards("2c2c" + more), SideContext()).phase == "bet"
    assert game.open(STAKES, game.composition(), SideContext()).phase == "bet"
    for wrong in ("2c2c2c" + more, "2c2c" + more + "2c", "RJ2c" + more):
        unreadable("card_not_in_shoe", game.open, STAKES, parse_cards(wrong), SideContext())
    with pytest.raises(Unreadable):
        game.open(STAKES, (*game.composition()[1:], game.composition()[1]), SideContext())


def test_the_whole_stack_can_be_bet_and_not_a_unit_more() -> None:
    state = GAME.open([SeatStack(1, 1_000)], (), SideContext())
    assert GAME.apply(state, 1, Bet(1, 900, 100)).bets[0].amount == 900
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, 1, Bet(1, 901, 100))
    assert refusal.value.sentence == ("That needs 1001, but only 1000 of your stack is free.")


def test_too_few_cards_are_counted_in_the_refusal() -> None:
    state = replay(GAME, STAKES, parse_cards("2c3c4c"), SideContext(), [(1, Bet(1, 100))])
    with pytest.raises(Unreadable) as refusal:
        GAME.apply(GAME.apply(state, 1, Bet(2, 100)), HOUSE, Close())
    assert refusal.value.sentence == "the hand needs 4 cards, not 3"


def test_draws_are_shown_when_the_betting_has_ended_and_the_mystery_pool_never() -> None:
    draws = SideContext(
        bonus_card=Card.C2,
        wheel_card=Card.C3,
        wheel=3,
        lucky_card=Card.C4,
        lucky_game=5,
        mystery_left=77,
    )
    moves: Moves = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    before = replay(GAME, STAKES, parse_cards("5c6c"), draws, moves[:1])
    after = replay(GAME, STAKES, parse_cards("5c6c"), draws, moves)
    for seat in (None, 1, 2):
        views: list[Any] = [GAME.view(state, seat) for state in (before, after)]
        assert views[0].sides is None
        assert views[1].sides == SideView(
            bonus_card=Card.C2,
            wheel_card=Card.C3,
            lucky_card=Card.C4,
            wheel_multiple=20,
            lucky_multiple=4,
        )
    assert GAME.side_view(replace(after, phase="pool")) == GAME.side_view(after)
    playing = replace(after, phase="play")
    assert GAME.side_view(playing) == SideView(
        bonus_card=Card.C2, wheel_card=Card.C3, lucky_card=Card.C4
    )


def test_the_maximum_payout_holds_for_a_box_and_spares_its_bonus() -> None:
    game = replace(GAME, max_payout=400)
    moves: Moves = [
        (1, Bet(1, 200, 50)),
        (2, Bet(1, 200, 50)),
        (3, Bet(2, 200)),
        (HOUSE, Close()),
        (HOUSE, Pool("progressive", 0)),
    ]
    settlement = settled("AcAdAhKd", moves, SideContext(bonus_card=Card.CA), game)
    assert settlement.net == {1: 300 + 500, 2: 100 + 500, 3: 300, "house": -1_700}
    cut = [sentence(line) for line in settlement.lines if line.key == "box_payout_cap"]
    assert cut == ["the wins of box 1 come to 600, and the table pays no more than 400"]


def test_the_till_tells_its_result_and_its_pools_even_when_nothing_moved() -> None:
    settlement = Till([SeatStack(2, 100)], 5).settlement(500)
    assert settlement == Settlement({2: 0, HOUSE: 0}, {}, (), (), {})
    till = Till([SeatStack(2, 100)], 5)
    till.fill_pool("progressive", 7, {})
    assert till.settlement(500).pools == {"progressive": 7}


def test_random_rounds_balance_with_house_and_pools() -> None:
    """Whatever was drawn and hit, seats, house and pools together neither win nor lose."""
    kinds = set[str]()
    for seed in range(300):
        random = Random(seed)
        cards = list(GAME.composition())
        random.shuffle(cards)
        game = replace(
            GAME,
            jackpot_bp=random.choice((0, 999, 10_000)),
            mystery_bp=random.choice((1, 700)),
            max_payout=random.choice((1, 500, 10**6)),
            rake_bp=random.choice((0, 500)),
        )
        context = SideContext(
            bonus_card=random.choice(cards),
            wheel_card=random.choice(cards),
            wheel=random.randrange(4),
            lucky_card=random.choice(cards),
            lucky_game=random.randrange(6),
            mystery_left=random.choice((None, 1, 30, 10**6)),
        )
        state = game.open(STAKES, cards, context)
        moves: Moves = []
        for box in range(1, random.randint(2, 8)):
            bet = Bet(box, random.randint(100, 1_000), random.choice((0, 10, 333)))
            moves.append((random.choice((1, 2, 3)), bet))
        moves.append((HOUSE, Close()))
        path: list[Any] = [state]
        for party, action in moves:
            path.append(game.apply(path[-1], party, action))
        while game.to_act(path[-1]):
            awaited = game.choices(path[-1], HOUSE)[0].among
            kind: Any = random.choice(awaited)
            pool = Pool(kind, random.randint(0, 10**6))
            moves.append((HOUSE, pool))
            path.append(game.apply(path[-1], HOUSE, pool))
        settlement = game.settle(path[-1])
        check_settlement(Played(game, STAKES, cards, context, moves, path, settlement))
        house = settlement.net[HOUSE] - sum(settlement.pools.values())
        seats = sum(settlement.net[stake.seat] for stake in STAKES)
        assert seats + sum(settlement.rake.values()) + house + sum(settlement.pools.values()) == 0
        kinds.update(line.key for line in settlement.lines)
    assert kinds >= {"bonus_won", "bonus_card", "wheel", "lucky_game", "mystery", "pool_share"}
    assert kinds >= {"box_won", "box_lost", "box_payout_cap", "pool_paid", "rake"}
