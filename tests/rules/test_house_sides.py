"""Bonus bets, named cards, wheel, prizes and pools, at the table of `boxes.py`."""

from random import Random
from typing import Any, ClassVar

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from games.rules.cards import DECK, Card, parse_cards
from games.rules.contract import (
    HOUSE,
    Action,
    Choice,
    Move,
    NoAction,
    Party,
    Stake,
    replay,
)
from games.rules.errors import Illegal, Unreadable
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.sides import (
    COMMON_FIELDS,
    Segment,
    SideContext,
    SideView,
    drawn_multiple,
)
from games.rules.house.till import Till
from games.rules.messages import sentence
from games.rules.settlement import Settlement
from tests.rules.boxes import GAME, STAKES, Bet, Boxes, BoxState
from tests.rules.harness import Played, check_settlement, check_turns


def settled(
    cards: str,
    moves: list[tuple[Party, Action]],
    context: SideContext | None = None,
    game: Boxes = GAME,
) -> Settlement:
    """The settlement of a round that closes after the bets, checked by the harness."""
    context = context or SideContext()
    path = [game.open(STAKES, parse_cards(cards), context)]
    for party, action in moves:
        path.append(game.apply(path[-1], party, action))
    settlement = game.settle(path[-1])
    played = Played(game, STAKES, list(parse_cards(cards)), context, moves, path, settlement)
    check_settlement(played)
    check_turns(played)
    return settlement


def bonus_net(cards: str, context: SideContext | None = None) -> int:
    """What a bonus bet of 50 wins in box 1, beside a main bet that loses."""
    moves: list[tuple[Party, Action]] = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    return settled(cards, moves, context).net[1] + 100


@pytest.mark.parametrize(
    ("cards", "draws", "won"),
    [
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
    ],
)
def test_what_a_bonus_bet_of_fifty_wins(cards: str, draws: dict[str, Any], won: int) -> None:
    assert bonus_net(cards, convert(draws, SideContext)) == won


@pytest.mark.parametrize(
    ("draws", "code", "name"),
    [
        ({"bonus_card": "BJ"}, "joker_named", "bonus_card"),
        ({"wheel_card": "RJ", "wheel": 0}, "joker_named", "wheel_card"),
        ({"lucky_card": "RJ", "lucky_game": 0}, "joker_named", "lucky_card"),
        ({"wheel_card": "2c", "wheel": 4}, "draw_out_of_range", "wheel"),
        ({"lucky_card": "2c", "lucky_game": 6}, "draw_out_of_range", "lucky_game"),
    ],
)
def test_draws_that_cannot_be_are_refused(draws: dict[str, Any], code: str, name: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        GAME.open(STAKES, (), convert(draws, SideContext))
    assert (refusal.value.code, refusal.value.path) == (code, f"$.context.{name}")
    assert name in refusal.value.sentence


@pytest.mark.parametrize(
    "draws", [{"wheel": -1}, {"wheel": 1_000}, {"mystery_left": 0}, {"bonus_card": "1c"}]
)
def test_draws_out_of_bounds_are_unreadable(draws: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        convert(draws, SideContext)


def test_a_game_without_a_feature_ignores_its_draw() -> None:
    class Plain(Boxes, frozen=True, kw_only=True):
        features: ClassVar[tuple[str, ...]] = COMMON_FIELDS

    draws = SideContext(bonus_card=Card.C2, lucky_card=Card.C2, lucky_game=0, mystery_left=10**6)
    assert Plain().open(STAKES, (), draws).draws == SideContext(mystery_left=10**6)


@pytest.mark.parametrize(("number", "multiple"), [(0, 7), (1, 0), (2, 0), (3, 20)])
def test_the_number_falls_into_the_weights_in_order(number: int, multiple: int) -> None:
    assert drawn_multiple(GAME.wheel_segments, number) == multiple


@pytest.mark.parametrize(
    "options",
    [
        {"wheel_segments": ()},
        {"lucky_prizes": ()},
        {"wheel_segments": [{"weight": 999, "multiple": 1}, {"weight": 2, "multiple": 1}]},
        {"wheel_segments": [{"weight": 0, "multiple": 1}]},
        {"bonus_min": 101, "bonus_max": 100},
        {"min": 101, "max": 100},
        {"jackpot_bp": 10_001},
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        convert(options, Boxes)


def test_a_table_may_take_bets_of_one_size_only() -> None:
    game = Boxes(min=100, max=100, bonus_min=50, bonus_max=50)
    state = game.open(STAKES, (), SideContext())
    assert game.apply(state, 1, Bet(1, 100, 50)).bets[0].bonus == 50


def test_what_a_table_has_unless_its_options_say_otherwise() -> None:
    game = Boxes()
    assert (game.bonus_min, game.bonus_max) == (100, 10_000)
    assert (game.jackpot_bp, game.mystery_bp) == (1_000, 100)
    assert [(one.weight, one.multiple) for one in game.wheel_segments] == [
        *((40, 1), (30, 2), (15, 5), (10, 10), (4, 20), (1, 50))
    ]
    assert [(one.weight, one.multiple) for one in game.lucky_prizes] == [(60, 2), (30, 5), (10, 10)]


def test_a_wheel_that_pays_the_bet_once_takes_nothing_back() -> None:
    game = replace(GAME, wheel_segments=(Segment(1, 1),))
    moves: list[tuple[Party, Action]] = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    settlement = settled("2c3c", moves, SideContext(wheel_card=Card.C2, wheel=0), game)
    assert settlement.net[1] == 50 - 100


def test_a_lost_bonus_bet_is_told_as_one() -> None:
    settlement = settled("2c3c", [(1, Bet(1, 100, 50)), (HOUSE, Close())])
    lost = [line for line in settlement.lines if line.key == "box_lost"]
    assert [(line.amount, line.values["bet"]) for line in lost] == [(100, "bet"), (50, "bonus")]


def test_the_smallest_share_makes_a_jackpot() -> None:
    assert replace(GAME, jackpot_bp=1).has_jackpot


@pytest.mark.parametrize(("bonus", "code"), [(9, "bet_too_small"), (10_001, "bet_too_large")])
def test_bonus_limits(bonus: int, code: str) -> None:
    state = GAME.open([Stake(1, 10**6)], (), SideContext())
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, 1, Bet(1, 100, bonus))
    assert refusal.value.code == code


def test_the_bonus_counts_against_the_purse() -> None:
    moves: list[Move] = [(1, Bet(1, 5_000, 1_000))]
    state = replay(GAME, STAKES, (), SideContext(), moves)
    assert GAME.choices(state, 1)[0].most == 4_000
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, 1, Bet(2, 3_000, 1_001))
    assert refusal.value.code == "above_purse"


def test_the_jackpot_gets_its_share_of_every_bonus_bet() -> None:
    moves: list[tuple[Party, Action]] = [
        (1, Bet(1, 100, 59)),
        (2, Bet(2, 100, 10)),
        (3, Bet(3, 100)),
        (HOUSE, Close()),
    ]
    settlement = settled("2c3c2d3d2h3h", moves)
    # 10% of 59 is 5, rounded down, and of 10 it is 1. The house carries it: net alone is balanced.
    assert settlement.pools == {"progressive": 6}
    assert settlement.net == {1: -159, 2: -110, 3: -100, "house": 369}
    shares = [line for line in settlement.lines if line.key == "pool_share"]
    assert [(line.source, line.target, line.amount) for line in shares] == [
        (HOUSE, "progressive", 5),
        (HOUSE, "progressive", 1),
    ]
    assert sentence(shares[0]) == "10% of the bonus of 59 of 1 on box 1 go to the progressive pool"


def test_a_hit_waits_for_the_house_to_name_the_pool() -> None:
    moves: list[Move] = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    state = replay(GAME, STAKES, parse_cards("KcKd"), SideContext(), moves)
    assert GAME.to_act(state) == {HOUSE}
    assert GAME.choices(state, HOUSE) == (Choice("pool", least=0, among=("progressive",)),)
    assert GAME.fallback(state, HOUSE) == Pool("progressive", 0)
    for party, action, code in [
        (1, Pool("progressive", 5), "not_your_turn"),
        (HOUSE, Pool("mystery", 5), "pool_not_hit"),
        (HOUSE, Close(), "no_more_bets"),
        (HOUSE, Done(), "no_more_bets"),
    ]:
        with pytest.raises(Illegal) as refusal:
            GAME.apply(state, party, action)
        assert refusal.value.code == code
    with pytest.raises(Illegal):
        GAME.settle(state)


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
        with pytest.raises(Illegal) as refusal:
            game.apply(state, seat, action)
        assert refusal.value.code == code
    with pytest.raises(Illegal) as refusal:
        game.settle(dealt)
    assert refusal.value.code == "hand_not_over"
    assert game.settle(game.apply(dealt, 1, Hit())).net[1] == -100


def test_the_house_that_is_to_name_a_pool_decides_nothing() -> None:
    game = Deciding()
    moves: list[Move] = [(1, Bet(1, 100, 100)), (HOUSE, Close()), (1, Hit())]
    state = replay(game, STAKES, parse_cards("KcKd"), SideContext(), moves)
    assert game.to_act(state) == {HOUSE}
    with pytest.raises(Illegal) as refusal:
        game.apply(state, HOUSE, Hit())
    assert refusal.value.code == "not_now"


def test_one_deck_and_one_to_nine_seats_unless_a_game_says_otherwise() -> None:
    assert (GAME.seats, GAME.decks, GAME.rules_version) == (range(1, 10), 1, 1)
    assert GAME.composition() == DECK
    with pytest.raises(Unreadable) as refusal:
        GAME.open(STAKES, parse_cards("2c3c2c"), SideContext())
    assert (refusal.value.code, refusal.value.path) == ("card_not_in_shoe", "$.cards[2]")
    assert (GAME.min, GAME.max, GAME.max_payout) == (100, 100_000, 5_000_000)


class TwoDecks(Boxes, frozen=True, kw_only=True):
    decks: ClassVar[int] = 2


@pytest.mark.parametrize("more", ["", "4h5h6h", "4h4h5h5h", "4h4h5h5h6h6h7h7h8h8h"])
def test_no_card_comes_out_of_the_shoe_more_often_than_it_has_decks(more: str) -> None:
    game = TwoDecks()
    assert game.open(STAKES, parse_cards("2c2c" + more), SideContext()).phase == "bet"
    assert game.open(STAKES, game.composition(), SideContext()).phase == "bet"
    for wrong in ("2c2c2c" + more, "2c2c" + more + "2c", "RJ2c" + more):
        with pytest.raises(Unreadable) as refusal:
            game.open(STAKES, parse_cards(wrong), SideContext())
        assert refusal.value.code == "card_not_in_shoe"
    with pytest.raises(Unreadable):
        game.open(STAKES, (*game.composition()[1:], game.composition()[1]), SideContext())


def test_the_whole_purse_can_be_bet_and_not_a_unit_more() -> None:
    state = GAME.open([Stake(1, 1_000)], (), SideContext())
    assert GAME.apply(state, 1, Bet(1, 900, 100)).bets[0].amount == 900
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, 1, Bet(1, 901, 100))
    assert refusal.value.sentence == ("That needs 1001, and only 1000 of the purse is not bet yet.")


def test_too_few_cards_are_counted_in_the_refusal() -> None:
    state = replay(GAME, STAKES, parse_cards("2c3c4c"), SideContext(), [(1, Bet(1, 100))])
    with pytest.raises(Unreadable) as refusal:
        GAME.apply(GAME.apply(state, 1, Bet(2, 100)), HOUSE, Close())
    assert refusal.value.sentence == "the hand needs 4 cards, not 3"


@pytest.mark.parametrize("moment", [0, 1])
def test_a_pool_cannot_be_named_before_it_is_hit(moment: int) -> None:
    moves: list[Move] = [(1, Bet(1, 100, 50))]
    state = replay(GAME, STAKES, parse_cards("KcKd"), SideContext(), moves[:moment])
    for party, code in ((HOUSE, "pool_not_hit"), (1, "house_only")):
        with pytest.raises(Illegal) as refusal:
            GAME.apply(state, party, Pool("progressive", 1))
        assert refusal.value.code == code


def test_hits_share_the_pool_as_it_stood_in_box_order_while_it_lasts() -> None:
    moves: list[tuple[Party, Action]] = [
        (1, Bet(3, 100, 100)),
        (2, Bet(2, 100, 100)),
        (3, Bet(1, 100, 100)),
        (1, Bet(4, 100, 100)),
        (HOUSE, Close()),
        (HOUSE, Pool("progressive", 1_004)),
    ]
    settlement = settled("AcAdAhAsKcKd2c3d", moves)
    paid = [(line.target, line.amount) for line in settlement.lines if line.key == "jackpot"]
    # Three fifths of 1,004 to box 1, the rest of it to box 2, nothing is left for the kings.
    assert paid == [(3, 602), (2, 402)]
    assert settlement.pools == {"progressive": 4 * 10 - 1_004}
    assert settlement.net == {
        1: -100 - 100 - 100,
        2: 150 + 402,
        3: 150 + 602,
        "house": 300 - 552 - 752,
    }


def test_a_hit_on_an_empty_pool_keeps_its_stake() -> None:
    moves: list[tuple[Party, Action]] = [
        (1, Bet(1, 100, 50)),
        (HOUSE, Close()),
        (HOUSE, Pool("progressive", 0)),
    ]
    settlement = settled("KcKd", moves)
    assert settlement.net[1] == -100
    assert settlement.pools == {"progressive": 5}


@pytest.mark.parametrize("options", [{"jackpot_bp": 0}, {"tournament": True}])
def test_without_a_jackpot_nothing_waits_and_nothing_is_taken(options: dict[str, Any]) -> None:
    moves: list[tuple[Party, Action]] = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    settlement = settled("KcKd", moves, game=replace(GAME, **options))
    assert settlement.pools == {}
    assert settlement.net[1] == -100 + 250


@pytest.mark.parametrize(
    ("left", "winner"),
    [(1, 1), (5, 1), (6, 3), (12, 3), (13, 2), (14, 2), (15, None)],
)
def test_the_mystery_prize_falls_to_the_bet_that_reaches_the_trigger(
    left: int, winner: int | None
) -> None:
    """The shares in box order are 5, 7 and 2."""
    game = replace(GAME, mystery_bp=500, jackpot_bp=0)
    bets: list[tuple[Party, Action]] = [
        (1, Bet(1, 100, 119)),
        (2, Bet(5, 100, 40)),
        (3, Bet(3, 100, 140)),
        (HOUSE, Close()),
    ]
    moves = [*bets, (HOUSE, Pool("mystery", 12_345))] if winner else bets
    settlement = settled("2c3c2d3d2h3h", moves, SideContext(mystery_left=left), game)
    losses = {1: -219, 2: -140, 3: -240}
    prizes = {seat: settlement.net[seat] - losses[seat] for seat in losses}
    assert prizes == {seat: 12_345 if seat == winner else 0 for seat in losses}
    assert settlement.pools == {"mystery": 14 - (12_345 if winner else 0)}


def test_two_pools_hit_in_one_round_are_both_awaited() -> None:
    context = SideContext(mystery_left=1)
    moves: list[tuple[Party, Action]] = [
        (1, Bet(1, 100, 100)),
        (HOUSE, Close()),
        (HOUSE, Pool("mystery", 30_000)),
        (HOUSE, Pool("progressive", 1_000)),
    ]
    settlement = settled("KcKd", moves, context)
    assert settlement.net[1] == -100 + 30_000 + 200
    assert settlement.pools == {"progressive": 10 - 200, "mystery": 1 - 30_000}
    waiting = replay(GAME, STAKES, parse_cards("KcKd"), context, moves[:3])
    with pytest.raises(Illegal) as refusal:
        GAME.apply(waiting, HOUSE, Pool("mystery", 1))
    assert refusal.value.code == "pool_not_hit"


def test_draws_are_shown_when_the_betting_has_ended_and_the_mystery_pool_never() -> None:
    draws = SideContext(
        bonus_card=Card.C2,
        wheel_card=Card.C3,
        wheel=3,
        lucky_card=Card.C4,
        lucky_game=5,
        mystery_left=77,
    )
    moves: list[Move] = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    before = replay(GAME, STAKES, parse_cards("5c6c"), draws, moves[:1])
    after = replay(GAME, STAKES, parse_cards("5c6c"), draws, moves)
    for seat in (None, 1, 2):
        assert GAME.view(before, seat).sides is None
        assert GAME.view(after, seat).sides == SideView(
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
    moves: list[tuple[Party, Action]] = [
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
    settlement = Till([Stake(2, 100)], 5).settlement(500)
    assert settlement == Settlement({2: 0, HOUSE: 0}, {}, (), (), {})
    till = Till([Stake(2, 100)], 5)
    till.fill_pool("progressive", 7, {})
    assert till.settlement(500).pools == {"progressive": 7}


def test_random_rounds_balance_with_house_and_pools() -> None:
    """Whatever was drawn and hit, seats, house and pools together neither win nor lose."""
    kinds = set()
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
        moves: list[Move] = []
        for box in range(1, random.randint(2, 8)):
            bet = Bet(box, random.randint(100, 1_000), random.choice((0, 10, 333)))
            moves.append((random.choice((1, 2, 3)), bet))
        moves.append((HOUSE, Close()))
        path = [state]
        for party, action in moves:
            path.append(game.apply(path[-1], party, action))
        while game.to_act(path[-1]):
            awaited = game.choices(path[-1], HOUSE)[0].among
            pool = Pool(random.choice(awaited), random.randint(0, 10**6))
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
