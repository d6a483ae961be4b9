"""Russian poker: blind boxes, the order of dealing, stacks, and what is seen."""

import json

import msgspec
from msgspec.structs import replace

from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action, SeatStack
from games.rules.house.actions import Close, Done
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import SideContext
from games.rules.russian_poker.boxes import (
    Accept,
    Bet,
    Buy,
    BuyDealer,
    Exchange,
    Insure,
    RussianState,
)
from tests.rules.cases import each, illegal, unreadable
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    NOTHING,
    PAIR,
    THREE,
    UNQUALIFIED,
    dealt,
    net,
    one_box,
    opened,
    settled,
)

# Blind boxes.


def blind_round(*actions: Action, open_ends: Action | None = None) -> Moves:
    """Seat 1 plays box 2 open and box 1 blind, with what it does before the deal."""
    before: Moves = [(1, Ante(2, 100)), (1, Ante(1, 100, blind=True))]
    return [
        *before,
        *[(1, action) for action in actions],
        (HOUSE, Close()),
        (1, open_ends or Fold(2)),
    ]


@each(
    (PAIR, [], -100 + 200),
    (NOTHING, [], -100 - 300),
    (PAIR, [Buy(1)], -100 - 100 + 600),
    (NOTHING, [Buy(1)], -100 - 100 + 200),
    # Insured before the deal: it stands beside three of a kind or better, up to its win.
    (THREE, [Insure(1, 50)], -100 + 600 - 50),
    (THREE, [Insure(1, 5_000)], -100 + 600 - 600),
    (PAIR, [Insure(1, 50)], -100 + 200),
    # What the sixth card makes counts.
    (PAIR, [Insure(1, 700), Buy(1)], -100 - 100 + 600 - 600),
)
def test_blind_boxes_against_a_dealer_who_qualifies(
    blind: str, actions: list[Action], won: int
) -> None:
    cards = dealt([blind, "Jc Ts 8d 5d 2c"], ACE_KING, "9s")
    if blind == THREE:
        cards = dealt([blind, "Jc Ts 8d 5d 2c"], ACE_KING)
    assert settled(cards, blind_round(*actions)).net[1] == won


@each(
    (NOTHING, [], Accept(1), -100 + 100),
    (THREE, [Insure(1, 80)], Accept(1), -100 + 100 + 80),
    (PAIR, [Insure(1, 80)], Accept(1), -100 + 100),
    (THREE, [Insure(1, 5_000)], Accept(1), -100 + 100 + 600),
    (THREE, [], BuyDealer(1), -100 - 100 + 600),
)
def test_blind_boxes_against_a_dealer_who_does_not_qualify(
    blind: str, actions: list[Action], answer: Action, won: int
) -> None:
    cards = dealt([blind, "Jc Ts 8d 5d 2c"], UNQUALIFIED, "4h")
    moves = [*blind_round(*actions), (1, answer)]
    assert settled(cards, moves).net[1] == won


def test_a_blind_box_draws_in_its_turn() -> None:
    """Boxes 1 and 4 are blind with a sixth card, 2 and 3 are open and draw between them."""
    moves: Moves = [
        (1, Ante(2, 100)),
        (1, Ante(1, 100, blind=True)),
        (1, Ante(4, 100, blind=True)),
        (2, Ante(3, 100)),
        (1, Buy(4)),
        (1, Buy(1)),
        (HOUSE, Close()),
        (1, Exchange(2, parse_cards("5d2c"))),
        (1, Bet(2)),
        (2, Buy(3)),
        (2, Bet(3)),
    ]
    hands = [PAIR, "Jc Ts 8d 5d 2c", "Jd Tc 8h 5h 2h", "Js 7d 7s 4h 2s"]
    state = opened(dealt(hands, ACE_KING, "As Ad Kd Qc Ks"), moves)
    assert [box.cards[-1].text for box in state.boxes] == ["As", "Kd", "Qc", "Ks"]
    assert state.boxes[1].cards == parse_cards("JcTs8dAdKd")
    assert state.taken == 30


# Dealing.


def test_dealing_goes_round_the_boxes_and_ends_with_the_dealer() -> None:
    moves: Moves = [(2, Ante(4, 100)), (1, Ante(2, 100)), (HOUSE, Close())]
    cards = list(GAME.composition())[:15]
    state = opened(cards, moves)
    assert [(box.box, box.cards) for box in state.boxes] == [
        (2, tuple(cards[0::3])),
        (4, tuple(cards[1::3])),
    ]
    assert state.dealer == tuple(cards[2::3])
    assert GAME.view(state, None).dealer == (cards[2],)


def test_a_round_without_bets_is_not_dealt() -> None:
    state = opened([], [(1, Done()), (2, Done())])
    assert (state.phase, state.boxes, state.dealer) == ("over", (), ())
    assert GAME.settle(state).net == {1: 0, 2: 0, "house": 0}


def test_no_decision_is_left_when_the_dealer_qualifies() -> None:
    state = opened(dealt([PAIR], ACE_KING), one_box(Bet(1)))
    assert GAME.to_act(state) == frozenset()


# Stacks.


def test_everything_bought_counts_against_the_stack() -> None:
    """Ante, bonus, sixth card, insurance, bet and the dealer's card: 100 + 50 + 100 + 60 + 200."""
    actions = [Buy(1), Insure(1, 60), Bet(1), BuyDealer(1)]
    cards = dealt([THREE], UNQUALIFIED, "2c 7h")
    moves = one_box(*actions, bonus=50)
    for stack, refused in ((610, None), (609, "buy_dealer"), (509, "bet"), (309, "insure")):
        stakes = [SeatStack(1, stack)]
        state: RussianState = GAME.open(stakes, cards, SideContext())
        for seat, action in moves:
            do = str(action.__struct_config__.tag)
            if do == refused:
                illegal("above_purse", GAME.apply, state, seat, action)
                offered = [choice for choice in GAME.choices(state, seat) if choice.do == do]
                assert all((choice.most or 0) < 60 and do == "insure" for choice in offered)
                break
            state = GAME.apply(state, seat, action)
        else:
            assert refused is None
            assert GAME.settle(state).net[1] == 50 * 10 - 200 + 100 + 60


def test_a_tournament_takes_no_rake() -> None:
    game = replace(GAME, rake_bp=1_000)
    assert net(PAIR, ACE_KING, Bet(1), game=game) == 180
    royal = net("Ac Kc Qc Jc Tc", ACE_KING, Bet(1), game=replace(game, tournament=True))
    assert royal == 20_000


def test_there_are_no_more_seats_than_boxes() -> None:
    unreadable(
        "seat_count", GAME.open, [SeatStack(seat, 100) for seat in range(1, 6)], (), SideContext()
    )


def test_the_view_as_a_page_gets_it() -> None:
    """Actions that a box has not taken leave no trace."""
    moves: Moves = [
        (1, Ante(1, 100)),
        (1, Ante(2, 100, 50, blind=True)),
        (1, Insure(2, 60)),
        (2, Ante(3, 200)),
        (HOUSE, Close()),
        (1, Exchange(1, parse_cards("5s3c"))),
    ]
    cards = dealt([THREE, "Ac Qd Th 4s 8d", "Qc Jc 7s 4h 2c"], ACE_KING, "2s2d")
    data = json.loads(msgspec.json.encode(GAME.view(opened(cards, moves), 1)))
    assert data["game"] == "russian_poker"
    assert data["boxes"] == [
        {"box": 1, "seat": 1, "ante": 100, "drawn": "exchange", "exchanged": 2, "committed": 200},
        # A blind box has its bet on it from the start.
        {"box": 2, "seat": 1, "blind": True, "ante": 100, "bonus": 50, "bet": 200}
        | {"insurance": 60, "committed": 410},
        {"box": 3, "seat": 2, "ante": 200, "committed": 200},
    ]
    (hand,) = data["hands"]
    assert hand == {"box": 1, "main": "full_house"} | {
        "dealt": ["9c", "9d", "9h", "5s", "3c"],
        "cards": ["9c", "9d", "9h", "2s", "2d"],
    }
    moves += [(1, Bet(1)), (2, Fold(3))]
    data = json.loads(msgspec.json.encode(GAME.view(opened(cards, moves), 2)))
    assert data["boxes"][0]["bet"] == 200
    assert data["boxes"][2] == {"box": 3, "seat": 2, "ante": 200, "folded": True, "committed": 200}


def test_before_the_deal_no_card_has_left_the_shoe() -> None:
    state = opened(dealt([THREE], ACE_KING), [(1, Ante(1, 100))])
    assert (GAME.dealt(state), GAME.shown(state, 1)) == (0, frozenset())
    assert GAME.dealt(GAME.apply(state, HOUSE, Close())) == 10
