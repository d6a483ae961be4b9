"""The bonus bet of casino hold'em: its lines, its draws, and its share of the jackpot."""

from msgspec.structs import replace

from games.rules.cards import Card, parse_cards
from games.rules.casino_holdem.game import Call
from games.rules.contract import HOUSE, Action, PlayedMove
from games.rules.house.actions import Close, Pool
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import Segment, SideContext
from tests.rules.cases import each, every
from tests.rules.casino_holdem_round import GAME, dealing, played, settled
from tests.rules.harness import Moves


# Hole cards and flop, what a bet of 50 wins, and the name of the hand.
@each(
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
)
@every(end=["call", "fold", "blind"])
def test_the_bonus_is_paid_on_hole_cards_and_flop_whatever_becomes_of_the_box(
    player: str, flop: str, pays: int | None, name: str, end: str
) -> None:
    game = replace(GAME, bonus_min=50)
    # The other box folds; turn and river, which improve every hand, do not count.
    bets: Moves = [(1, Ante(1, 100, 0 if end == "blind" else 50))]
    hands = [player]
    if end == "blind":
        bets += [(1, Ante(2, 100, 50, blind=True))]
        hands = ["6h7s", player]
    decision: PlayedMove = (1, Call(1) if end == "call" else Fold(1))
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


@each(
    ("8c6c", "9cTc7c", {}, 150),
    ("Ac2c", "3c4c5c", {}, 150),
    ("AcKc", "QcJcTc", {}, 500),
    ("8c6c", "9cTc7c", {"straight_flush_share_bp": 2_000}, 200),
    ("AcKc", "QcJcTc", {"royal_share_bp": 10_000}, 1_000),
)
@every(decision=[Call(1), Fold(1)])
def test_straight_flushes_win_their_share_of_the_jackpot(
    player: str, flop: str, options: dict[str, int], share: int, decision: Action
) -> None:
    moves: Moves = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, decision)]
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


@every(options=[{"jackpot_bp": 0}, {"tournament": True}])
@each(("8c6c", "9cTc7c"), ("AcKc", "QcJcTc"))
def test_without_a_jackpot_straight_flushes_pay_as_four_of_a_kind(
    player: str, flop: str, options: dict[str, object]
) -> None:
    moves: Moves = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    settlement = settled(moves, dealing([player], "4h5s", flop), replace(GAME, **options))
    assert settlement.net[1] == -100 + 10_000


@each(("Tc", 7), ("4d", 7), ("Kh", 0), ("4h", 0), ("8c", 0), ("2c", 0))
def test_the_wheel_card_counts_in_the_hand_and_nowhere_else(card: str, multiple: int) -> None:
    game = replace(GAME, wheel_segments=(Segment(1, 7),))
    context = SideContext(wheel_card=parse_cards(card)[0], wheel=0)
    moves: Moves = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    settlement = settled(moves, dealing(["Tc4d"], "4h5s", "Kh9c8d 8c2c"), game, context)
    assert settlement.net[1] == -100 + (100 * multiple or -100)


def test_the_bonus_card_is_not_played_for() -> None:
    context = SideContext(bonus_card=Card.CT, lucky_card=Card.CT, lucky_game=0)
    moves: Moves = [(1, Ante(1, 100, 100)), (HOUSE, Close()), (1, Fold(1))]
    settlement = settled(moves, dealing(["Tc4d"], "4h5s", "Kh9c8d"), context=context)
    assert settlement.net[1] == -200
