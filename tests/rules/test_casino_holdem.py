"""Casino hold'em case by case: deal, decisions, every line of every paytable, refusals, views."""

import json
from typing import Any

import msgspec
import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from games.rules.cards import Card, cards_text, parse_cards
from games.rules.casino_holdem.actions import Call
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.casino_holdem.view import HoldemState, HoldemView
from games.rules.contract import HOUSE, Action, Choice, Move, Party, Stake, replay
from games.rules.errors import Illegal, Unreadable
from games.rules.house.actions import Close, Done, Pool
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import Segment, SideContext
from games.rules.messages import sentence
from games.rules.settlement import Settlement
from tests.rules.harness import Played, check_settlement, check_turns

GAME = CasinoHoldem()
STAKES = [Stake(1, 100_000), Stake(2, 100_000), Stake(3, 100_000)]


def dealing(hands: list[str], dealer: str, board: str) -> str:
    """The cards in dealing order: two rounds to the boxes and the dealer, then the board."""
    places = [parse_cards(hand) for hand in (*hands, dealer)]
    rounds = [place[at].text for at in (0, 1) for place in places]
    return "".join(rounds) + board.replace(" ", "")


def played(
    moves: list[Move],
    cards: str = "",
    game: CasinoHoldem = GAME,
    context: SideContext | None = None,
    stakes: list[Stake] = STAKES,
) -> HoldemState:
    return replay(game, stakes, parse_cards(cards), context or SideContext(), moves)


def settled(
    moves: list[Move],
    cards: str,
    game: CasinoHoldem = GAME,
    context: SideContext | None = None,
) -> Settlement:
    """The settlement, checked by the harness."""
    context = context or SideContext()
    path = [game.open(STAKES, parse_cards(cards), context)]
    for party, action in moves:
        path.append(game.apply(path[-1], party, action))
    settlement = game.settle(path[-1])
    hand = Played(game, STAKES, list(parse_cards(cards)), context, moves, path, settlement)
    check_settlement(hand)
    check_turns(hand)
    return settlement


def net(player: str, dealer: str, board: str, game: CasinoHoldem = GAME, ante: int = 100) -> int:
    """What a box that calls wins, with an ante of 100 and no bonus."""
    moves: list[Move] = [(1, Ante(1, ante)), (HOUSE, Close()), (1, Call(1))]
    return settled(moves, dealing([player], dealer, board), game).net[1]


# Each hand of the player's is the higher one; the dealer holds a pair of fours and plays.
PAYS = [
    ("AcKd", "4h4s", "AsJc9d 7h2c", 1),
    ("AcKd", "4h4s", "AsKc9d 7h2c", 1),
    ("AcAd", "4h4s", "AsKc9d 7h2c", 1),
    ("8c6d", "4h4s", "9sTc7d 2h2c", 1),
    ("Ac2d", "4h4s", "3s4c5d 9hTc", 1),
    ("Ac2c", "4h4s", "9cTc7c 2h3d", 2),
    ("AcAd", "4h4s", "AsKcKd 7h2c", 3),
    ("AcAd", "4h4s", "AsAhKd 7h2c", 10),
    ("8c6c", "4h4s", "9cTc7c 2h3d", 20),
    ("Ac2c", "4h4s", "3c4c5c 9hTd", 20),
    ("AcKc", "4h4s", "QcJcTc 2h3d", 100),
]


@pytest.mark.parametrize(("player", "dealer", "board", "pays"), PAYS)
def test_a_higher_hand_wins_the_ante_by_the_table_and_the_call_even(
    player: str, dealer: str, board: str, pays: int
) -> None:
    assert net(player, dealer, board) == 100 * pays + 200


@pytest.mark.parametrize(
    ("player", "dealer", "board", "pays"),
    [
        # Nobody has anything.
        ("AcKd", "QhJs", "9s7c5d 4h2c", 1),
        # The dealer would have won, but a pair of threes or twos does not play.
        ("TcKd", "3hAs", "9s7c5d 3c2c", 1),
        ("TcKd", "2hAs", "9s7c5d 3c2c", 1),
        ("TcKd", "AhJs", "9s7c3d 3c2c", 1),
        ("TdKd", "AhJs", "9d7d3d 3c2c", 2),
        ("3d9c", "AhJs", "9d9s3h 8c7d", None),
        ("3d3c", "AhJs", "3s9d8h 5c2d", 1),
        ("6d5c", "AhJs", "3s7d8h 4c2d", 1),
        # The royal flush beside a dealer of queen high.
        ("AdKd", "4h3s", "QdJdTd 7c2c", 100),
        ("9dKd", "4h3s", "QdJdTd 7c2c", 20),
    ],
)
def test_a_dealer_below_fours_pays_the_ante_by_the_table_and_returns_the_call(
    player: str, dealer: str, board: str, pays: int | None
) -> None:
    if pays is None:
        # Nines on the board: the dealer plays with them, and the full house wins all.
        assert net(player, dealer, board) == 300 + 200
    else:
        assert net(player, dealer, board) == 100 * pays


@pytest.mark.parametrize(
    ("player", "dealer", "board", "won"),
    [
        # A pair of fours plays, from hand, from both or from the board alone.
        ("TcKd", "4hAs", "9s7c5d 4c2c", -300),
        ("TcKd", "AhJs", "9s7c4d 4c2c", -300),
        ("AcKd", "QhJs", "9s7c4d 4c2c", 300),
        # The pair is the same, the kickers decide: the first, and the last of five.
        ("AcTd", "KhTs", "9s7c4d 4c2c", 300),
        ("KcTd", "AhTs", "9s7c4d 4c2c", -300),
        ("AcTd", "AhJs", "9s9c4d 6c2h", -300),
        ("AcTd", "AhTs", "9s9c4d 6c2h", 0),
        # The sixth and the seventh card do not count.
        ("Ac2d", "Ah3s", "KsKcQd JcTh", 0),
        ("2c3d", "4h5s", "AsKsQs JsTs", 0),
        ("2c3d", "4h5s", "AsKcQd JhTs", 0),
        ("3c3d", "2h2s", "AsAcQd QhKs", 0),
        # Suits do not matter.
        ("AcKd", "AhKs", "AsTc9d 5h2c", 0),
        ("2c3c", "4h5s", "AcKcQc 9c7c", 0),
        ("8c3c", "4h5s", "AcKcQc 9c7c", 200 + 200),
        ("2c3c", "8c5s", "AcKcQc 9c7c", -300),
        # The lower straight, and A-2-3-4-5 as the lowest.
        ("Ac9d", "6h9s", "2s3c4d 5hTc", -300),
        ("6c9d", "Ah9s", "2s3c4d 5hTc", 100 + 200),
        ("Ac9d", "AhKs", "2s3c4d 5hTc", 0),
    ],
)
def test_a_dealer_who_plays_is_compared_with(
    player: str, dealer: str, board: str, won: int
) -> None:
    assert net(player, dealer, board) == won


@pytest.mark.parametrize(
    ("player", "dealer", "board", "told"),
    [
        # The dealer does not play: the call is returned, which needs no line.
        ("AcKd", "QhJs", "9s7c5d 4h2c", ["1 is paid 1:1 on the ante of 100 on box 1"]),
        ("TcKd", "4hAs", "9s7c5d 4c2c", ["1 loses the ante on box 1", "1 loses the call on box 1"]),
        ("AcKd", "AhKs", "AsTc9d 5h2c", []),
    ],
)
def test_each_bet_that_is_won_or_lost_is_told(
    player: str, dealer: str, board: str, told: list[str]
) -> None:
    moves: list[Move] = [(1, Ante(1, 100)), (HOUSE, Close()), (1, Call(1))]
    settlement = settled(moves, dealing([player], dealer, board))
    assert [sentence(line) for line in settlement.lines] == told


def test_a_fold_loses_the_ante_alone_and_deals_no_more() -> None:
    moves: list[Move] = [(1, Ante(1, 100)), (HOUSE, Close()), (1, Fold(1))]
    cards = dealing(["AcAd"], "4h4s", "AsAhKd")
    state = played(moves, cards)
    assert settled(moves, cards).net == {1: -100, 2: 0, 3: 0, HOUSE: 100}
    assert cards_text(state.board) == "AsAhKd"
    view = GAME.view(state, 1)
    assert view.dealer == ()
    assert view.dealer_qualifies is None


ALL_BOXES: list[Move] = [
    (2, Ante(6, 200)),
    (1, Ante(3, 100)),
    (1, Ante(1, 100, blind=True)),
    (3, Ante(4, 300)),
    (HOUSE, Close()),
]
BOXES = dealing(["AcKd", "QcQd", "7c2d", "JcJd"], "TcTd", "Kh8s3c 6h9d")


def test_the_dealing_order_is_that_of_the_boxes_with_the_dealer_last() -> None:
    assert BOXES == "AcQc7cJcTcKdQd2dJdTd" + "Kh8s3c6h9d"
    state = played(ALL_BOXES, BOXES)
    assert {box.box: cards_text(box.cards) for box in state.boxes} == {
        1: "AcKd",
        3: "QcQd",
        4: "7c2d",
        6: "JcJd",
    }
    assert cards_text(state.dealer) == "TcTd"
    assert cards_text(state.board) == "Kh8s3c"


def test_open_boxes_decide_in_their_order_and_each_is_settled_by_itself() -> None:
    moves: list[Move] = [*ALL_BOXES, (1, Call(3)), (3, Fold(4)), (2, Call(6))]
    for at, party in ((5, 1), (6, 3), (7, 2)):
        assert GAME.to_act(played(moves[:at], BOXES)) == {party}
    settlement = settled(moves, BOXES)
    assert settlement.net == {1: 300 + 300, 2: 600, 3: -300, HOUSE: -900}
    assert [sentence(line) for line in settlement.lines] == [
        "1 is paid 1:1 on the ante of 100 on box 1",
        "1 is paid 1:1 on the call of 200 on box 1",
        "1 is paid 1:1 on the ante of 100 on box 3",
        "1 is paid 1:1 on the call of 200 on box 3",
        "3 loses the ante on box 4",
        "2 is paid 1:1 on the ante of 200 on box 6",
        "2 is paid 1:1 on the call of 400 on box 6",
    ]


def test_a_blind_box_plays_on_when_the_open_one_has_folded() -> None:
    moves: list[Move] = [
        (1, Ante(2, 100)),
        (1, Ante(1, 100, blind=True)),
        (HOUSE, Close()),
        (1, Fold(2)),
    ]
    cards = dealing(["2c3d", "QcQd"], "TcTd", "Kh8s4c 6h9d")
    assert settled(moves, cards).net == {1: -300 - 100, 2: 0, 3: 0, HOUSE: 400}


def test_seven_boxes_take_sixteen_cards_and_five_of_the_board() -> None:
    moves: list[Move] = [(1, Ante(1, 100))]
    moves += [(1, Ante(box, 100, blind=True)) for box in range(2, 8)]
    moves += [(HOUSE, Close()), (1, Call(1))]
    cards = cards_text(list(Card)[:21])
    state = played(moves, cards)
    assert len(state.board) == 5
    for short in (18, 20):
        with pytest.raises(Unreadable) as refused:
            played(moves, cards_text(list(Card)[:short]))
        assert refused.value.code == "too_few_cards"


# The bonus: hole cards and flop, what 50 win, and the name told.
BONUS = [
    ("AcAd", "Ks9c3d", 4, "pair_of_aces"),
    ("AcQd", "As9c3d", 4, "pair_of_aces"),
    ("TcQd", "AsAh3d", 4, "pair_of_aces"),
    ("KcKd", "As9c3d", None, ""),
    ("AcKd", "Qs9c3d", None, ""),
    ("2c2d", "3s3cTd", 4, "two_pair"),
    ("AcAd", "3s3cTd", 4, "two_pair"),
    ("2c2d", "2s3cTd", 8, "three"),
    ("Ac5d", "2s3c4d", 10, "straight"),
    ("AcKd", "QsJcTd", 10, "straight"),
    ("AcKc", "2c7cTc", 20, "flush"),
    ("2c2d", "2s3c3d", 40, "full_house"),
    ("2c2d", "2s2h3d", 100, "four"),
]


@pytest.mark.parametrize(("player", "flop", "pays", "name"), BONUS)
@pytest.mark.parametrize("end", ["call", "fold", "blind"])
def test_the_bonus_is_paid_on_hole_cards_and_flop_whatever_becomes_of_the_box(
    player: str, flop: str, pays: int | None, name: str, end: str
) -> None:
    game = replace(GAME, bonus_min=50)
    # The other box folds; turn and river, which improve every hand, do not count.
    bets: list[Move] = [(1, Ante(1, 100, 0 if end == "blind" else 50))]
    hands = [player]
    if end == "blind":
        bets += [(1, Ante(2, 100, 50, blind=True))]
        hands = ["6h7s", player]
    decision: Move = (1, Call(1) if end == "call" else Fold(1))
    cards = dealing(hands, "4h5s", flop + "8c8d")
    settlement = settled([*bets, (HOUSE, Close()), decision], cards, game)
    lines = [line for line in settlement.lines if line.key == "bonus_won"]
    lost = [line for line in settlement.lines if line.values.get("bet") == "bonus"]
    if pays is None:
        assert lines == []
        assert [line.amount for line in lost] == [50]
    else:
        assert lost == []
        assert [(line.amount, line.values["combination"]) for line in lines] == [(50 * pays, name)]


@pytest.mark.parametrize(
    ("player", "flop", "options", "share"),
    [
        ("8c6c", "9cTc7c", {}, 150),
        ("Ac2c", "3c4c5c", {}, 150),
        ("AcKc", "QcJcTc", {}, 500),
        ("8c6c", "9cTc7c", {"straight_flush_share_bp": 2_000}, 200),
        ("AcKc", "QcJcTc", {"royal_share_bp": 10_000}, 1_000),
    ],
)
@pytest.mark.parametrize("decision", [Call(1), Fold(1)])
def test_straight_flushes_win_their_share_of_the_jackpot(
    player: str, flop: str, options: dict[str, int], share: int, decision: Action
) -> None:
    moves: list[Move] = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, decision)]
    cards = dealing([player], "4h5s", flop + "2h2d")
    game = replace(GAME, mystery_bp=0, **options)
    waiting = played(moves, cards, game)
    assert waiting.phase == "pool"
    assert game.to_act(waiting) == {HOUSE}
    settlement = settled([*moves, (HOUSE, Pool("progressive", 1_000))], cards, game)
    won = [line.amount for line in settlement.lines if line.key == "jackpot"]
    assert won == [share]
    assert settlement.pools == {"progressive": 10 - share}
    assert not [line for line in settlement.lines if line.values.get("bet") == "bonus"]


@pytest.mark.parametrize("options", [{"jackpot_bp": 0}, {"tournament": True}])
@pytest.mark.parametrize(("player", "flop"), [("8c6c", "9cTc7c"), ("AcKc", "QcJcTc")])
def test_without_a_jackpot_straight_flushes_pay_as_four_of_a_kind(
    options: dict[str, Any], player: str, flop: str
) -> None:
    moves: list[Move] = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    settlement = settled(moves, dealing([player], "4h5s", flop), replace(GAME, **options))
    assert settlement.net[1] == -100 + 10_000


@pytest.mark.parametrize(
    ("card", "multiple"), [("Tc", 7), ("4d", 7), ("Kh", 0), ("4h", 0), ("8c", 0), ("2c", 0)]
)
def test_the_wheel_card_counts_in_the_hand_and_nowhere_else(card: str, multiple: int) -> None:
    game = replace(GAME, wheel_segments=(Segment(1, 7),))
    context = SideContext(wheel_card=parse_cards(card)[0], wheel=0)
    moves: list[Move] = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    settlement = settled(moves, dealing(["Tc4d"], "4h5s", "Kh9c8d 8c2c"), game, context)
    assert settlement.net[1] == -100 + (100 * multiple or -100)


def test_the_bonus_card_is_not_played_for() -> None:
    context = SideContext(bonus_card=Card.CT, lucky_card=Card.CT, lucky_game=0)
    moves: list[Move] = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    settlement = settled(moves, dealing(["Tc4d"], "4h5s", "Kh9c8d"), context=context)
    assert settlement.net[1] == -200


def test_the_maximum_payout_cuts_what_ante_and_call_of_a_box_win_and_spares_the_bonus() -> None:
    moves: list[Move] = [
        (1, Ante(1, 100, 100)),
        (1, Ante(2, 100, blind=True)),
        (HOUSE, Close()),
        (1, Call(1)),
    ]
    cards = dealing(["AcAd", "KcKd"], "4h4s", "AsAhKs 7h2c")
    settlement = settled(moves, cards, replace(GAME, max_payout=1_150))
    # Four aces win 1,000 and 200, of which 50 are cut; the bonus pays 10,000; kings full win 500.
    assert settlement.net[1] == 1_150 + 10_000 + 500
    cut = [sentence(line) for line in settlement.lines if line.key == "box_payout_cap"]
    assert cut == ["the wins of box 1 come to 1200, and the table pays no more than 1150"]


@pytest.mark.parametrize(("tournament", "won"), [(False, 27_000), (True, 30_000)])
def test_rake_is_taken_of_the_net_win_and_not_of_chips(tournament: bool, won: int) -> None:
    game = replace(GAME, rake_bp=1_000, tournament=tournament)
    assert net("AcKd", "4h4s", "AsJc9d 7h2c", game, ante=10_000) == won


def test_decisions_tell_their_price() -> None:
    bets: list[Move] = [(1, Ante(2, 150)), (2, Ante(1, 100)), (HOUSE, Close())]
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    state = played(bets, cards)
    assert GAME.choices(state, 2) == (Choice("call", box=1, cost=200), Choice("fold", box=1))
    assert GAME.choices(state, 1) == ()
    assert GAME.fallback(state, 2) == Fold(1)
    state = GAME.apply(state, 2, Call(1))
    assert GAME.choices(state, 1) == (Choice("call", box=2, cost=300), Choice("fold", box=2))
    assert GAME.committed(state, 2) == 300


@pytest.mark.parametrize(("purse", "calls"), [(450, True), (449, False)])
def test_a_call_must_fit_the_purse_beside_all_that_is_bet(purse: int, calls: bool) -> None:
    state = played(
        [(1, Ante(2, 100, 150)), (HOUSE, Close())],
        dealing(["AcKd"], "TcTd", "Kh8s3c"),
        stakes=[Stake(1, purse)],
    )
    kinds = [choice.do for choice in GAME.choices(state, 1)]
    assert kinds == (["call", "fold"] if calls else ["fold"])
    if not calls:
        with pytest.raises(Illegal) as refused:
            GAME.apply(state, 1, Call(2))
        assert refused.value.code == "above_purse"


TWO: list[Move] = [(1, Ante(2, 100)), (2, Ante(5, 100))]
CLOSED: list[Move] = [*TWO, (HOUSE, Close())]


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ([(1, Ante(8, 100))], "no_such_box"),
        ([*TWO, (1, Ante(5, 100, blind=True))], "box_taken"),
        ([(1, Ante(1, 100, blind=True))], "blind_without_open"),
        ([*TWO, (1, Ante(3, 100))], "second_open_box"),
        ([*TWO, (1, Ante(3, 200, blind=True))], "blind_unequal"),
        ([(1, Ante(1, 99))], "bet_too_small"),
        ([(1, Ante(1, 100_000)), (1, Ante(1, 1))], "above_purse"),
        ([(1, Ante(1, 100, 99))], "bet_too_small"),
        ([(1, Ante(1, 100, 10_001))], "bet_too_large"),
        ([(1, Call(1))], "not_now"),
        ([(1, Fold(1))], "not_now"),
        ([(4, Call(1))], "not_seated"),
        ([*TWO, (1, Done()), (1, Call(2))], "not_your_turn"),
        ([*CLOSED, (1, Ante(2, 100))], "no_more_bets"),
        ([*CLOSED, (1, Done())], "no_more_bets"),
        ([*CLOSED, (HOUSE, Close())], "not_your_turn"),
        ([*CLOSED, (1, Call(5))], "not_that_box"),
        ([*CLOSED, (1, Fold(5))], "not_that_box"),
        ([*CLOSED, (1, Call(3))], "not_that_box"),
        ([*CLOSED, (2, Call(5))], "not_your_turn"),
        ([*CLOSED, (3, Call(2))], "not_your_turn"),
        ([*CLOSED, (HOUSE, Fold(2))], "not_your_turn"),
        ([*CLOSED, (1, Call(2)), (1, Call(2))], "not_your_turn"),
        ([*CLOSED, (1, Call(2)), (2, Fold(2))], "not_that_box"),
        ([*CLOSED, (1, Call(2)), (2, Fold(5)), (2, Call(5))], "hand_over"),
        ([*CLOSED, (HOUSE, Pool("progressive", 1))], "not_your_turn"),
    ],
)
def test_what_is_refused(moves: list[Move], code: str) -> None:
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    state = played(moves[:-1], cards)
    with pytest.raises(Illegal) as refused:
        GAME.apply(state, *moves[-1])
    assert refused.value.code == code
    assert "{" not in refused.value.sentence


def test_an_action_that_means_nothing_here_is_refused_while_boxes_decide() -> None:
    state = played(CLOSED, dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c"))

    class Stand(Action, frozen=True):
        pass

    with pytest.raises(Illegal) as refused:
        GAME.apply(state, 1, Stand())
    assert refused.value.code == "not_now"


def test_a_round_is_not_settled_before_its_end() -> None:
    for moves in (TWO, CLOSED):
        state = played(moves, dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c"))
        with pytest.raises(Illegal) as refused:
            GAME.settle(state)
        assert refused.value.code == "hand_not_over"


def test_a_round_without_bets_is_over_and_not_dealt() -> None:
    settlement = settled([(HOUSE, Close())], "")
    assert settlement.net == {1: 0, 2: 0, 3: 0, HOUSE: 0}
    assert settlement.lines == ()
    view = GAME.view(played([(HOUSE, Close())]), None)
    assert (view.phase, view.board, view.dealer) == ("over", (), ())


@pytest.mark.parametrize(
    "options",
    [
        {"straight_flush_share_bp": 1_499},
        {"straight_flush_share_bp": 10_001},
        {"royal_share_bp": 4_999},
        {"royal_share_bp": 10_001},
        {"min": 200, "max": 100},
        {"bonus_min": 200, "bonus_max": 100},
        {"boxes": 7},
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        convert(options, CasinoHoldem)


def seen(moves: list[Move], seat: int | None) -> tuple[dict[int, str], str, str]:
    """The cards of the boxes, the dealer's and the board's in a view of the round."""
    view = GAME.view(played(moves, BOXES), seat)
    assert isinstance(view, HoldemView)
    shown = {box.box: cards_text(box.cards) for box in view.boxes if box.cards}
    return shown, cards_text(view.dealer), cards_text(view.board)


READERS: list[tuple[int | None, dict[int, str]]] = [
    (None, {}),
    (1, {3: "QcQd"}),
    (2, {6: "JcJd"}),
    (3, {4: "7c2d"}),
]


@pytest.mark.parametrize(("seat", "shown"), READERS)
def test_each_sees_the_own_open_box_and_the_flop_while_boxes_decide(
    seat: int | None, shown: dict[int, str]
) -> None:
    assert seen(ALL_BOXES[:-1], seat) == ({}, "", "")
    decisions: list[Move] = [(1, Call(3)), (3, Fold(4))]
    for count in range(3):
        assert seen([*ALL_BOXES, *decisions[:count]], seat) == (shown, "", "Kh8s3c")


@pytest.mark.parametrize("seat", [None, 1, 2, 3])
def test_at_the_end_all_is_open_but_what_was_folded_without_a_bonus(seat: int | None) -> None:
    moves: list[Move] = [*ALL_BOXES, (1, Call(3)), (3, Fold(4)), (2, Call(6))]
    shown = {1: "AcKd", 3: "QcQd", 6: "JcJd"} | ({4: "7c2d"} if seat == 3 else {})
    assert seen(moves, seat) == (shown, "TcTd", "Kh8s3c6h9d")
    with_bonus: list[Move] = [*moves[:4], (3, Ante(4, 0, 100)), *moves[4:]]
    assert seen(with_bonus, seat)[0] == {1: "AcKd", 3: "QcQd", 4: "7c2d", 6: "JcJd"}


def test_the_final_hands_are_named() -> None:
    moves: list[Move] = [*ALL_BOXES, (1, Call(3)), (3, Fold(4)), (2, Call(6))]
    view = GAME.view(played(moves, BOXES), 3)
    assert {box.box: box.hand for box in view.boxes} == {1: "pair", 3: "pair", 4: None, 6: "pair"}
    assert (view.dealer_hand, view.dealer_qualifies) == ("pair", True)
    before = GAME.view(played(ALL_BOXES, BOXES), 1)
    assert [box.hand for box in before.boxes] == [None] * 4
    assert before.dealer_hand is None


def test_a_dealer_who_does_not_play_says_so() -> None:
    moves: list[Move] = [(1, Ante(1, 100)), (HOUSE, Close()), (1, Call(1))]
    view = GAME.view(played(moves, dealing(["AcKd"], "QhJs", "9s7c5d 4h2c")), None)
    assert (view.dealer_hand, view.dealer_qualifies) == ("high_card", False)


def test_the_wheel_card_is_shown_when_the_betting_has_ended() -> None:
    context = SideContext(wheel_card=Card.C2, wheel=0)
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    before = played(TWO, cards, context=context)
    assert GAME.view(before, 1).sides is None
    sides = GAME.view(played(CLOSED, cards, context=context), 1).sides
    assert msgspec.to_builtins(sides) == {"wheel_card": "2c"}
    over = played([*CLOSED, (1, Fold(2)), (2, Fold(5))], cards, context=context)
    assert msgspec.to_builtins(GAME.view(over, None).sides) == {
        "wheel_card": "2c",
        "wheel_multiple": 1,
    }


def test_the_view_tells_the_bets_and_who_is_done() -> None:
    moves: list[Move] = [*TWO, (1, Ante(3, 100, 100, blind=True)), (2, Done())]
    view = GAME.view(played(moves), 1)
    told: dict[int, tuple[Party, bool, int, int, int]] = {
        box.box: (box.seat, box.blind, box.ante, box.bonus, box.bet) for box in view.boxes
    }
    assert told == {
        2: (1, False, 100, 0, 0),
        3: (1, True, 100, 100, 200),
        5: (2, False, 100, 0, 0),
    }
    assert (view.phase, view.done, view.to_act) == ("bet", (2,), (1, 3, HOUSE))


def test_the_view_as_a_page_gets_it() -> None:
    moves: list[Move] = [*TWO, (HOUSE, Close()), (1, Call(2)), (2, Fold(5))]
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    told = json.loads(msgspec.json.encode(GAME.view(played(moves, cards), 1)))
    bets = {"blind": False, "ante": 100, "bonus": 0}
    assert told["game"] == "casino_holdem"
    # What a reader may not see is not there: no cards and no hand beside a box that folded.
    assert told["boxes"] == [
        {"seat": 1, "box": 2, **bets, "bet": 200, "folded": False}
        | {"cards": ["Ac", "Kd"], "hand": "pair"},
        {"seat": 2, "box": 5, **bets, "bet": 0, "folded": True},
    ]
