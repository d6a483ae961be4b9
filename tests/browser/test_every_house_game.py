"""Every game against the house in a real browser: rounds with side bets, in each way."""

from collections import defaultdict

import pytest
from django.utils import translation
from playwright.sync_api import expect

from games.words.naming import game_name
from tests.browser import play_hand
from tests.browser.play_hand import Keys, Player, Taps, Way
from tests.browser.play_round import BETTING
from tests.browser.visitors import Visitor, hand_on

pytestmark = pytest.mark.release

ROUNDS = 2
# Words that only one language has, as they stand on a spot.
BONUS = {"en": "Bonus", "zh-hans": "奖金注", "zh-hant": "獎金注"}
BANKER = {"en": "Banker", "zh-hans": "庄", "zh-hant": "莊"}
GAMES = [
    ("blackjack", "en"),
    ("russian_poker", "zh-hans"),
    ("casino_holdem", "zh-hant"),
    ("baccarat", "en"),
    ("baccarat_commission", "zh-hans"),
]
# What one who wants to see the end chooses, in this order.
TO_THE_END = ("stand", "call", "bet", "accept", "pick", "fold", "follow")
PLACED = ".pile:not(.pending)"


class RoundPlayer:
    """Play a round: a bet, a side bet, and decisions that lead to its end."""

    def __init__(self, game: str, players: list[Player], language: str) -> None:
        self.players = players
        self.baccarat = game.startswith("baccarat")
        self.term = (BANKER if self.baccarat else BONUS)[language]
        # Who has bet on a hand.
        self.bets = defaultdict[str, set[int]](set)

    def spots(self, player: Player) -> tuple[str, str]:
        """Each has a box, or a side of baccarat, of their own; and what may be bet beside it."""
        number = self.players.index(player)
        if self.baccarat:
            return ("player", "banker", "player")[number], ("player_pair", "tie", "tie")[number]
        return f"box-{number + 1}", f"box-{number + 1}-bonus"

    def move(self, player: Player) -> None:
        bets = self.bets[hand_on(player.page)]
        if not player.has(BETTING):
            self.decide(player)
        elif self.players.index(player) not in bets:
            self.bet(player)
            bets.add(self.players.index(player))
        elif len(bets) == len(self.players):
            # The betting ends when all who have bet are done: all bet before one is done.
            # A page that has not heard of the last bet is refused, and asked again.
            turn = player.page.get_attribute("#act-done [name=turn]", "value")
            player.press("#act-done button")
            expect(player.at(f"#act-done [name=turn][value='{turn}']")).to_have_count(0)

    def bet(self, player: Player) -> None:
        spots = [f"#spot-{spot}" for spot in self.spots(player)]
        term = "#spot-banker" if self.baccarat else spots[1]
        expect(player.at(f"{term} .spot-name")).to_have_text(self.term)
        player.in_sight("[data-bet]", ".disc", "#act-done button", "#spot-banker", *spots)
        if player.has("[data-bet=rebet]:not([disabled])"):
            player.press("[data-bet=rebet]")
        else:
            player.press(".disc input" if player.way.by_keys else ".disc", 1)
            for spot in spots:
                player.press(spot)
        if len(player.results) + 1 == ROUNDS:
            player.sit_out()
        for spot in spots:
            expect(player.at(f"{spot} {PLACED}")).to_contain_text("5")

    def decide(self, player: Player) -> None:
        """A player without a bet has nothing to decide in the round."""
        for button in ("#insurance [value=none]", *(f".act-{name} button" for name in TO_THE_END)):
            if player.has(button):
                player.in_sight("#deciding", ".forms button", "#dealer-cards")
                turn = player.at("#moves input[name=turn]").first.input_value()
                player.press(button, -1)
                gone = player.at(f"#moves input[name=turn][value='{turn}']")
                expect(gone).to_have_count(0)
                return


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_rounds_with_side_bets(visitor: Visitor, game: str, language: str) -> None:
    host = GAMES.index((game, language))
    players = play_hand.come(visitor, language, Way(), Taps(), Keys(), host=host)
    with translation.override(language):
        name = str(game_name(game))
    house = RoundPlayer(game, players, language)
    with play_hand.a_table(players, name):
        play_hand.play(players, house.move, ROUNDS)
        for player in players:
            expect(player.at("#lines[open] li").first).to_be_visible()
