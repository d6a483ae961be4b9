"""The winnings stated at a spot are the most that the rules pay, in money."""

import re
from itertools import product

import pytest
from django.utils.translation import override

from games.rules.baccarat.coup import deal_coup
from games.rules.baccarat.game import SPOTS, Baccarat, BaccaratCommission, BaccaratState, Wager
from games.rules.blackjack.game import Blackjack
from games.rules.cards import DECK
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import SeatStack
from games.rules.russian_poker.game import RussianPoker
from tests.games.families import bet_winnings as winnings
from tests.games.families import paytables
from tests.games.house import House
from tests.games.viewers import board_of
from tests.people import client_of

SMALL_CARDS = [card for card in DECK if card.rank in (3, 6, 9, 14)]


@pytest.mark.parametrize("game", [Baccarat(), BaccaratCommission(), Baccarat(max_payout=700)])
def test_stated_winnings_are_the_exact_maximum_of_all_coups(game: Baccarat) -> None:
    most = winnings(game)
    best = dict.fromkeys(SPOTS, 0)
    won = {on: set[int]() for on in SPOTS}
    for cards in list(product(SMALL_CARDS[::3], repeat=4)):
        coup = deal_coup((*cards, DECK[0], DECK[1]), False)
        for on in SPOTS:
            bet = Wager(1, on, 333)
            state = BaccaratState(
                stakes=(SeatStack(1, 10_000),), cards=cards, wagers=(bet,), coup=coup, phase="over"
            )
            net = game.settle_round(state).net[1]
            best[on] = max(best[on], net)
            if net > 0:
                won[on].add(net)
    assert best == {on: most[on].of(333) for on in SPOTS}
    # Where it pays now this and now that, it says "up to".
    assert all(most[on].several or len(won[on]) == 1 for on in SPOTS)


@pytest.mark.parametrize("jackpot_bp", [0, 1_000])
@pytest.mark.parametrize("kind", [Blackjack, RussianPoker, CasinoHoldem])
def test_a_bonus_says_its_best_line_and_what_cards_add(kind: type, jackpot_bp: int) -> None:
    game = kind(jackpot_bp=jackpot_bp, bonus_card=False, wheel=False, lucky_game=False)
    rows = next(paytable.rows for paytable in paytables(game) if paytable.bet == "bonus")
    best = max(int(row.pays.split(":")[0]) for row in rows if ":" in row.pays)
    bonus = winnings(game)["bonus"]
    assert bonus.of(100) == best * 100
    assert bonus.jackpot == bool(jackpot_bp)
    added = winnings(kind(jackpot_bp=jackpot_bp))["bonus"].of(100) - best * 100
    assert added >= 100 * max(segment.multiple for segment in game.wheel_segments)


def test_main_bets_are_cut_where_the_box_is() -> None:
    assert winnings(Blackjack())["amount"].of(1_001) == 1_501
    assert winnings(Blackjack(max_payout=1_200))["amount"].of(1_001) == 1_200
    assert winnings(CasinoHoldem())["amount"].of(100) == 10_000
    assert winnings(RussianPoker())["amount"].of(100) == 100


@pytest.mark.always
def test_the_spot_says_it_in_the_language_of_its_reader(house: House) -> None:
    table = house.dealt_in("baccarat_commission", "alice")
    house.act(table, "alice", {"do": "bet", "on": "banker", "amount": 150_00})
    client = client_of(house.person("alice"))
    text = board_of(client, table)
    said = dict(re.findall(r'id="spot-(\w+)".*?class="wins">(.*?)<', text, re.DOTALL))
    assert said["banker"] == "pays 142.50"
    assert said["tie"] == ""
    with override("zh-hans"):
        assert "{amount}" in winnings(Baccarat())["banker"].words
