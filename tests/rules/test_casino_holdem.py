"""Casino hold'em case by case: the deal, what ante and call win, and each box by itself."""

from msgspec.structs import replace

from games.rules.cards import Card, cards_text
from games.rules.casino_holdem.game import Call, CasinoHoldem
from games.rules.contract import HOUSE, Choice, SeatStack
from games.rules.house.actions import Close
from games.rules.house.antes import Ante, Fold
from games.rules.messages import sentence
from tests.rules.cases import each, illegal, unreadable
from tests.rules.casino_holdem_round import ALL_BOXES, BOXES, GAME, dealing, played, settled
from tests.rules.harness import Moves


def net(player: str, dealer: str, board: str, game: CasinoHoldem = GAME, ante: int = 100) -> int:
    """What a box that calls wins, with an ante of 100 and no bonus."""
    moves: Moves = [(1, Ante(1, ante)), (HOUSE, Close()), (1, Call(1))]
    return settled(moves, dealing([player], dealer, board), game).net[1]


# Each hand of the player's is the higher one; the dealer holds a pair of fours and plays.
@each(
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
)
def test_a_higher_hand_wins_the_ante_by_the_table_and_the_call_even(
    player: str, dealer: str, board: str, pays: int
) -> None:
    assert net(player, dealer, board) == 100 * pays + 200


@each(
    # No player has anything.
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
)
def test_a_dealer_below_fours_pays_the_ante_by_the_table_and_returns_the_call(
    player: str, dealer: str, board: str, pays: int | None
) -> None:
    if pays is None:
        # Nines on the board: the dealer plays with them, and the full house wins all.
        assert net(player, dealer, board) == 300 + 200
    else:
        assert net(player, dealer, board) == 100 * pays


@each(
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
)
def test_a_dealer_who_plays_is_compared_with(
    player: str, dealer: str, board: str, won: int
) -> None:
    assert net(player, dealer, board) == won


@each(
    # The dealer does not play: the call is returned, which needs no line.
    ("AcKd", "QhJs", "9s7c5d 4h2c", ["1 is paid 1:1 on the ante of 100 on box 1"]),
    ("TcKd", "4hAs", "9s7c5d 4c2c", ["1 loses the ante on box 1", "1 loses the call on box 1"]),
    ("AcKd", "AhKs", "AsTc9d 5h2c", []),
)
def test_each_bet_that_is_won_or_lost_has_a_line(
    player: str, dealer: str, board: str, sentences: list[str]
) -> None:
    moves: Moves = [(1, Ante(1, 100)), (HOUSE, Close()), (1, Call(1))]
    settlement = settled(moves, dealing([player], dealer, board))
    assert [sentence(line) for line in settlement.lines] == sentences


def test_a_fold_loses_the_ante_alone_and_deals_no_more() -> None:
    moves: Moves = [(1, Ante(1, 100)), (HOUSE, Close()), (1, Fold(1))]
    cards = dealing(["AcAd"], "4h4s", "AsAhKd")
    state = played(moves, cards)
    assert settled(moves, cards).net == {1: -100, 2: 0, 3: 0, HOUSE: 100}
    assert cards_text(state.board) == "AsAhKd"
    view = GAME.view(state, 1)
    assert view.dealer == ()
    assert view.dealer_qualifies is None


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
    moves: Moves = [*ALL_BOXES, (1, Call(3)), (3, Fold(4)), (2, Call(6))]
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
    moves: Moves = [
        (1, Ante(2, 100)),
        (1, Ante(1, 100, blind=True)),
        (HOUSE, Close()),
        (1, Fold(2)),
    ]
    cards = dealing(["2c3d", "QcQd"], "TcTd", "Kh8s4c 6h9d")
    assert settled(moves, cards).net == {1: -300 - 100, 2: 0, 3: 0, HOUSE: 400}


def test_seven_boxes_take_sixteen_cards_and_five_of_the_board() -> None:
    moves: Moves = [(1, Ante(1, 100))]
    moves += [(1, Ante(box, 100, blind=True)) for box in range(2, 8)]
    moves += [(HOUSE, Close()), (1, Call(1))]
    cards = cards_text(list(Card)[:21])
    state = played(moves, cards)
    assert len(state.board) == 5
    for short in (18, 20):
        unreadable("too_few_cards", played, moves, cards_text(list(Card)[:short]))


def test_the_maximum_payout_cuts_what_ante_and_call_of_a_box_win_and_spares_the_bonus() -> None:
    moves: Moves = [
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


@each((False, 27_000), (True, 30_000))
def test_rake_is_taken_of_the_net_win_and_not_of_chips(tournament: bool, won: int) -> None:
    game = replace(GAME, rake_bp=1_000, tournament=tournament)
    assert net("AcKd", "4h4s", "AsJc9d 7h2c", game, ante=10_000) == won


def test_decisions_tell_their_price() -> None:
    bets: Moves = [(1, Ante(2, 150)), (2, Ante(1, 100)), (HOUSE, Close())]
    cards = dealing(["AcKd", "QcQd"], "TcTd", "Kh8s3c 6h9d")
    state = played(bets, cards)
    assert GAME.choices(state, 2) == (Choice("call", box=1, cost=200), Choice("fold", box=1))
    assert GAME.choices(state, 1) == ()
    assert GAME.fallback(state, 2) == Fold(1)
    state = GAME.apply(state, 2, Call(1))
    assert GAME.choices(state, 1) == (Choice("call", box=2, cost=300), Choice("fold", box=2))
    assert GAME.committed(state, 2) == 300


@each((450, True), (449, False))
def test_a_call_must_fit_the_stack_beside_all_that_is_bet(stack: int, calls: bool) -> None:
    state = played(
        [(1, Ante(2, 100, 150)), (HOUSE, Close())],
        dealing(["AcKd"], "TcTd", "Kh8s3c"),
        stakes=[SeatStack(1, stack)],
    )
    kinds = [choice.do for choice in GAME.choices(state, 1)]
    assert kinds == (["call", "fold"] if calls else ["fold"])
    if not calls:
        illegal("above_purse", GAME.apply, state, 1, Call(2))
