"""Insurance by the third edition: everybody is asked once, about all their boxes."""

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet, Decline, Hit, Insure
from games.rules.contract import HOUSE, Choice, SeatStack
from tests.rules.blackjack_table import closed, moved, settle
from tests.rules.cases import each, illegal

GAME = Blackjack(edition=3)
# Box 1 has a blackjack, box 2 a ten and a nine, both of seat 1; the dealer shows an ace.
CARDS, BETS = "AcTcAdKc9c", [(1, Bet(1, 100)), (1, Bet(2, 200))]


def test_one_answers_for_all_boxes_at_once_and_then_plays_them() -> None:
    state = closed(CARDS, BETS, GAME)
    assert (state.phase, GAME.view(state, 1).box) == ("offer", None)
    assert GAME.choices(state, 1) == (
        Choice("insure", 1, least=50, most=50),
        Choice("even_money", 1),
        Choice("insure", 2, least=50, most=100),
        Choice("decline"),
    )
    assert GAME.fallback(state, 1) == Decline()
    state = moved(state, "insure:100@2", GAME)
    assert [choice.do for choice in GAME.choices(state, 1)] == ["insure", "even_money", "decline"]
    # The last answer leaves nothing to decline, and the blackjack nothing to play.
    state = moved(state, "even:1", GAME)
    assert (state.phase, state.box.number) == ("play", 2)
    assert "insure" not in {choice.do for choice in GAME.choices(state, 1)}
    illegal("insurance_late", GAME.apply, state, 1, Insure(2, 100))


@each(
    # The dealer's blackjack pays insurance 2:1; the waiting blackjack is a push.
    ("insure:50@1 insure:100@2 stand", "Ks", -200 + 100 + 200),
    ("insure:100@2 decline stand", "Ks", -200 + 200),
    ("decline stand", "Ks", -200),
    ("even:1 decline stand", "Ks", 100 - 200),
    # The dealer has seventeen.
    ("insure:50@1 insure:100@2 stand", "6s", 150 + 200 - 150),
)
def test_insurance_pays_box_by_box(words: str, dealer: str, won: int) -> None:
    assert settle(CARDS + dealer, words, BETS, GAME).net[1] == won


def test_the_boxes_are_played_when_all_have_answered() -> None:
    state = closed("Tc8cAdKc9c", [(2, Bet(1, 100)), (1, Bet(2, 100))], GAME)
    assert state.waiting == (1, 2)
    state = moved(state, "2=decline", GAME)
    assert (state.phase, state.waiting) == ("offer", (1,))
    state = moved(state, "1=insure:50@2", GAME)
    assert (state.phase, state.waiting, state.box.number) == ("play", (2,), 1)


def test_who_has_nothing_to_insure_is_offered_nothing() -> None:
    assert closed("TcTdKc9d", game=GAME).phase == "play"
    bet = [(1, Bet(1, 100))]
    assert closed("TcAdKc", bet, GAME, [SeatStack(1, 100)]).phase == "play"


@each(
    (Hit(1, 0), "offer_first"),
    (Insure(3, 50), "no_bet_on_box"),
    (Insure(2, 101), "insurance_large"),
    (Insure(1, 10**9), "above_purse"),
)
def test_the_offer_is_answered_first(action: Insure, code: str) -> None:
    state = closed(CARDS, BETS, GAME)
    illegal(code, GAME.apply, state, 1, action)


def test_a_box_is_insured_once_and_nothing_is_declined_later() -> None:
    state = moved(closed(CARDS, BETS, GAME), "insure:100@2", GAME)
    for action, code in ((Insure(2, 100), "insured"),):
        illegal(code, GAME.apply, state, 1, action)
    state = GAME.apply(state, 1, Decline())
    illegal("nothing_offered", GAME.apply, state, 1, Decline())
    assert HOUSE not in GAME.to_act(state)
