"""Thinking ahead: which hands are imagined, and how they are played out."""

from games.bots.doudizhu import layouts, likely, missed, passed_on, seats_from
from games.bots.doudizhu_playouts import Playout, Standing, answer, has_answer, move_of, plan_of
from games.bots.doudizhu_position import position
from games.rules.doudizhu.combinations import readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import EVERYTHING
from games.rules.doudizhu.ranks import count, holds, names, rank_set
from games.rules.doudizhu.state import DoudizhuState
from tests.bots.test_doudizhu_bot import ending
from tests.rules.cases import each, every
from tests.rules.doudizhu_table import after, dealt, ranks

GAME = Doudizhu()
LEAD = Standing(0, 0, 0)


def winner(*hands: str, landlord: int = 0, eager: tuple[int, ...] = ()) -> int:
    return Playout(tuple(map(ranks, hands)), landlord, LEAD, eager).winner(0)


@every(seat=[1, 2, 3])
def test_imagined_hands_agree_with_what_the_seat_sees(seat: int) -> None:
    state = after(dealt(), "1 call 3")
    view = GAME.view(state, seat)
    now = position(view)
    order = seats_from(view)
    deals = layouts(view, now, 20)
    assert len(set(deals)) > 10
    for hands in deals:
        assert hands[0] == rank_set(view.hand)
        assert sum(hands) == EVERYTHING
        assert [count(hand) for hand in hands] == [view.cards_left[player] for player in order]
        assert holds(hands[order.index(1)], rank_set(view.middle))
    assert layouts(view, now, 20) == deals


def passing() -> DoudizhuState:
    """Seat 3 has let a 5 stand, and seat 1 leads again."""
    state = ending(("5c6cJc3c", "QdKd8d9h", "7h8hTh4h"), 1, "1 play 5c")
    return after(state, "2 pass", "3 pass", "1 play 6c")


def test_a_pass_counts_where_an_easy_answer_would_have_been_held() -> None:
    view = GAME.view(passing(), 2)
    (passed,) = passed_on(view)
    order = seats_from(view)
    assert (order[passed.place], passed.reading) == (3, readings(ranks("5"))[0])
    weak, strong = (0, ranks("4422"), 0), (0, ranks("4479"), 0)
    assert (missed(weak, [passed]), missed(strong, [passed])) == (0, 1)


def test_the_deals_that_explain_the_passes_are_kept() -> None:
    view = GAME.view(passing(), 2)
    now, passes = position(view), passed_on(GAME.view(passing(), 2))

    def average(deals: list[tuple[int, ...]]) -> float:
        return sum(missed(hands, passes) for hands in deals) / len(deals)

    assert average(likely(view, now)) < average(layouts(view, now, 300))


@each(
    ("7", "5", True),
    ("77", "5", False),  # A pair would have to be broken.
    ("2BJ", "5", False),
    ("77", "66", True),
    ("45678", "34567", True),
    ("45679", "34567", False),
    ("4444", "3333", False),
)
def test_an_easy_answer_breaks_and_spends_nothing(hand: str, beaten: str, expected: bool) -> None:
    assert has_answer(ranks(hand), readings(ranks(beaten))[0]) is expected


@each(
    ("3779", "5", "7"),
    ("3779", "66", "77"),
    ("4445567", "3338", "4446"),
    ("4445567", "33388", "44455"),
    ("444555667", "33344478", "44455567"),
    ("345678", "34567", "45678"),
    ("9", "T", ""),
    ("44449", "3", "4"),
)
def test_the_lowest_answer_and_what_it_carries(hand: str, beaten: str, expected: str) -> None:
    move = move_of(ranks(beaten), readings(ranks(beaten))[0])
    play = answer(ranks(hand), move.shape, move.place)
    assert (names(play.ranks) if play else "") == expected
    if play:
        assert play == move_of(play.ranks, readings(play.ranks)[0])


def test_a_plan_is_the_whole_hand_low_before_high() -> None:
    hand = ranks("3334445566789TJ2BJRJ")
    plan = plan_of(hand)
    assert sum(move.ranks for move in plan) == hand
    assert [move.place for move in plan] == sorted(move.place for move in plan)
    assert all(move == move_of(move.ranks, readings(move.ranks)[0]) for move in plan)


def test_a_playout_goes_on_until_somebody_is_out() -> None:
    assert winner("34567", "3", "4") == 0
    assert winner("39", "TJ", "88") == 1
    # A farmer feeds the partner who holds one card.
    assert winner("3355", "6", "4AA", landlord=2) == 1


@each(((), 1), ((2,), 2))
def test_only_an_eager_seat_takes_an_ace_from_its_partner(
    eager: tuple[int, ...], expected: int
) -> None:
    """The landlord, seat 1, has passed on the ace, and goes out on the next single."""
    ace = move_of(ranks("A"), readings(ranks("A"))[0])
    hands = (ranks("456"), ranks("8"), ranks("23"))
    assert Playout(hands, 1, Standing(ace.shape, ace.place, 0), eager).winner(2) == expected
