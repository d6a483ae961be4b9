"""What a simulation reports: hands that draw, stakes and the house's share of them, and pools."""

from math import sqrt

import pytest
from msgspec.structs import replace

from games.bots.simulate import Edge, PlayedHand, Pools, Strategy, Tally, play_hand, simulate
from games.rules.baccarat.game import BaccaratCommission
from games.rules.contract import Action, AnyGame, SeatStack, View
from games.rules.doudizhu.game import Doudizhu
from games.rules.house.actions import Done
from games.rules.house.bonus import BonusGame
from games.rules.settlement import Line, Settlement
from tests.rules.boxes import GAME, Bet, BoxView
from wallets.values import AMOUNT_MAX

STAKES = [SeatStack(1, AMOUNT_MAX)]
KEY = bytes(range(32))


def better(amount: int, bonus: int) -> Strategy:
    """Bets once, on one box."""
    waiting = [Done(), Bet(1, amount, bonus)]

    def play(game: AnyGame, view: View) -> Action:
        assert isinstance(view, BoxView)
        waiting.reverse()
        return waiting[0]

    return play


def played(game: BonusGame, hands: int, amount: int = 100, bonus: int = 50) -> list[PlayedHand]:
    pools = Pools(KEY)
    path = []
    for number in range(hands):
        path.append(play_hand(game, STAKES, {1: better(amount, bonus)}, KEY, number, pools))
        pools.add(path[-1].settlement)
    return path


def settled(net: int, *lines: Line, rake: int = 0) -> Settlement:
    return Settlement({1: -net - rake, "house": net}, {1: rake} if rake else {}, (), lines)


def test_hands_draw_what_their_table_draws() -> None:
    """Each of two cards is named by one of 52 draws: in many hands each feature pays some box."""
    keys = {line.key for hand in played(GAME, 300) for line in hand.settlement.lines}
    assert keys >= {"bonus_card", "wheel", "lucky_game", "bonus_won"}
    off = replace(GAME, wheel=False, bonus_card=False)
    keys = {line.key for hand in played(off, 300) for line in hand.settlement.lines}
    assert "lucky_game" in keys
    assert not keys & {"bonus_card", "wheel"}


@pytest.mark.slow
def test_jackpot_pays_what_earlier_hands_contributed() -> None:
    game = replace(GAME, jackpot_bp=1_000)
    held = hits = 0
    for hand in played(game, 1_500):
        for line in hand.settlement.lines:
            if line.key == "jackpot":
                hits += 1
                assert line.values["pool"] == held
        held += hand.settlement.pools["progressive"]
    assert hits > 3


def test_mystery_prizes_fall_between_their_bounds_again_and_again() -> None:
    game = replace(GAME, jackpot_bp=0, mystery_bp=2_000, bonus_max=10**6)
    prizes, held = [], 0
    for hand in played(game, 60, bonus=10_000):
        held += hand.settlement.pools["mystery"]
        prizes += [line.amount for line in hand.settlement.lines if line.key == "mystery"]
        assert 0 <= held < 50_000
    assert 2 <= len(prizes) == len(set(prizes))
    assert all(10_000 <= prize <= 50_000 for prize in prizes)


def test_what_was_staked_on_main_bet_and_bonus() -> None:
    (hand,) = played(GAME, 1)
    assert hand.staked == {"main": 100, "bonus": 50}
    (hand,) = played(GAME, 1, bonus=0)
    assert hand.staked == {"main": 100}


def test_among_players_the_report_has_no_bets_and_no_edge() -> None:
    report = simulate(Doudizhu(), 4, "suite", "legal")
    assert len(report["net"]) == 3
    assert "bets" not in report


def test_main_bet_and_bonus_have_an_edge_each() -> None:
    tally = Tally()
    lost = Line("box_lost", 1, "house", 100, {"bet": "bet", "box": 1})
    won = Line("box_won", "house", 1, 150, {"bet": "bet", "box": 1})
    cut = Line("box_payout_cap", 1, "house", 30, {"box": 1})
    bonus_lost = Line("box_lost", 1, "house", 50, {"bet": "bonus", "box": 1})
    bonus_won = Line("bonus_won", "house", 1, 250, {"box": 1, "combination": "pair"})
    share = Line("pool_share", "house", "progressive", 5, {"box": 1})
    staked = {"main": 100, "bonus": 50}
    tally.add(PlayedHand(settled(150, lost, bonus_lost, share), staked))
    tally.add(PlayedHand(settled(-370, won, cut, bonus_won), staked))
    tally.add(PlayedHand(settled(0), {}))
    report = tally.report()
    assert report["frequencies"]["bonus_won pair"] == pytest.approx(1 / 3)
    assert report["frequencies"]["box_lost bonus"] == pytest.approx(1 / 3)
    bets = report["bets"]
    assert {bet: edge["staked"] for bet, edge in bets.items()} == {
        "all": 100,
        "main": pytest.approx(200 / 3),
        "bonus": pytest.approx(100 / 3),
    }
    assert bets["main"]["house_edge"] == pytest.approx((100 - 150 + 30) / 200)
    assert bets["bonus"]["house_edge"] == pytest.approx((50 - 250) / 100)
    assert bets["all"]["house_edge"] == report["house_edge"] == pytest.approx(-220 / 300)


def test_rake_is_part_of_what_the_house_keeps() -> None:
    tally = Tally()
    tally.add(PlayedHand(settled(-200, rake=10), {"main": 100}))
    assert tally.report()["house_edge"] == pytest.approx(-1.9)


def test_hands_in_which_nothing_was_bet_have_no_edge() -> None:
    tally = Tally()
    tally.add(PlayedHand(settled(0), {}))
    assert "bets" not in tally.report()
    assert "house_edge" not in tally.report()
    assert "pools" not in tally.report()


def test_the_standard_error_of_an_edge_with_equal_and_with_different_stakes() -> None:
    equal = Edge()
    for kept in (100, -100, -100, 100):
        equal.add(kept, 100)
    assert equal.report(4) == {"staked": 100, "house_edge": 0, "standard_error": 0.5}
    # A share that is always the same has no error, however the stakes differ.
    steady = Edge()
    for staked in (100, 300, 700):
        steady.add(staked // 10, staked)
    assert steady.report(3)["house_edge"] == pytest.approx(0.1)
    assert steady.report(3)["standard_error"] == 0
    uneven = Edge()
    uneven.add(100, 100)
    uneven.add(-200, 300)
    # The share is -1/4; the hands are 125 above it and 125 below.
    assert uneven.report(2)["standard_error"] == pytest.approx(sqrt(2 * 125**2) / 400)


def test_pools_report_what_a_hand_brings_them() -> None:
    tally = Tally()
    hands = played(replace(GAME, mystery_bp=0), 40)
    for hand in hands:
        tally.add(hand)
    change = sum(hand.settlement.pools.get("progressive", 0) for hand in hands) / 40
    assert tally.report()["pools"] == {"progressive": pytest.approx(change)}


def test_against_the_house_one_seat_plays() -> None:
    report = simulate(BaccaratCommission(), 40, "suite", "banker")
    assert set(report["net"]) == {"1", "house"}
    assert set(report["bets"]) == {"all", "banker"}
    assert report["bets"]["banker"] == report["bets"]["all"]
    assert report["house_edge"] == report["net"]["house"]["mean"] / 100
    assert {"bet_won banker", "bet_lost banker"} <= set(report["frequencies"])
