"""Every card game in a real browser: whole hands against bots, in each way and each language."""

import pytest
from django.utils import translation
from playwright.sync_api import expect

from games.words.naming import game_name
from tests.browser import play_hand
from tests.browser.journeys.rows import BEST, SEND
from tests.browser.play_hand import Keys, Player, Taps, Way
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.release

# Each language is played in; words that only it has stand on the table then.
FRONT = {"en": "Front", "zh-hans": "头道", "zh-hant": "頭墩"}
AUTO_PLAY = {"en": "Auto-play", "zh-hans": "托管", "zh-hant": "託管"}
THIRTEEN = [
    ("chinese_poker", "en"),
    ("thirteen_hongkong", "zh-hans"),
    ("thirteen_taiwan", "zh-hant"),
    ("thirteen_philippine", "en"),
    ("thirteen_fujian", "zh-hans"),
]
NATURAL = "#act-arrange [popovertarget^=ask-]"
PLACED = "#arrange .three .place"


def arrange(player: Player) -> None:
    """Put thirteen cards into rows: by a suggestion, card by card, or by a key for each card."""
    page = player.page
    if isinstance(player.way, Keys):
        best = page.evaluate(BEST)
        player.way.reach(player.at(".in-hand .lifted").first)
        for row, key in (("front", "1"), ("middle", "2")):
            for card in best[row]:
                walk(player, card)
                page.keyboard.press(key)
    elif isinstance(player.way, Taps):
        best = page.evaluate(BEST)
        for row in ("front", "middle"):
            for card in best[row]:
                player.press(f"#{card} .pick")
            player.press(f"#head-{row}")
    else:
        player.press("#help-best_expected")
    expect(player.at(PLACED)).to_have_count(13)
    expect(player.at("#head-back .rank")).not_to_be_empty()
    expect(player.at("#foul")).to_be_empty()


def walk(player: Player, card: str) -> None:
    """With the arrows along the hand, from wherever the focus is, to a card."""
    here = player.page.locator(".place:has(.lifted:focus)")
    hand = player.at(".in-hand .place").evaluate_all("cards => cards.map((one) => one.id)")
    steps = hand.index(card) - hand.index(here.get_attribute("id"))
    for _ in range(abs(steps)):
        player.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")


class Thirteen:
    """Play a hand of thirteen cards; a Philippine one up to the exchange."""

    def __init__(self, players: list[Player], term: str, *, exchanges: bool) -> None:
        self.players, self.term = players, term
        self.exchanges = exchanges

    def move(self, player: Player) -> None:
        turn = player.at("#shoe").get_attribute("data-turn")
        if player.has("#act-bet"):
            player.in_sight("#act-bet button", ".place-at")
            player.press("#act-bet .chip", 1)
            player.press("#act-bet .buttons button")
            expect(player.at(".side.mine .bet")).to_contain_text("2")
        elif player.has("#act-exchange"):
            player.in_sight("#act-exchange button", "#act-exchange label", ".place-at")
            player.press("[name=rounds][value='1']")
            player.press("#act-exchange .buttons button")
        elif player.has("#act-give"):
            self.give(player)
        elif player.has("#arrange"):
            self.send(player)
        expect(player.at(f"#shoe[data-turn='{turn}']")).to_have_count(0)

    def give(self, player: Player) -> None:
        player.in_sight("#my-cards .pick", "#act-give .main", ".place-at")
        for at in range(3):
            tick = ".picks input" if player.way.by_keys else ".picks .pick"
            player.press(f"#my-cards {tick}", at)
        player.press("#act-give .main")

    def send(self, player: Player) -> None:
        player.in_sight(
            ".place-at", "#arrange .place", "#arrange .row-head", SEND, "#help-best_expected"
        )
        expect(player.at("#head-front b")).to_have_text(self.term)
        if self.exchanges and player.has(".received"):
            expect(player.at(".received")).to_have_count(3)
            self.exchanges = False
        player.sit_out()
        if player.has(NATURAL):
            player.press(NATURAL)
            player.press("#act-arrange .ask .main")
        else:
            arrange(player)
            player.in_sight("#arrange .place", "#arrange .row-head", SEND)
            player.press(SEND)


@pytest.mark.parametrize(("game", "language"), THIRTEEN)
def test_thirteen_cards(visitor: Visitor, game: str, language: str) -> None:
    host = THIRTEEN.index((game, language))
    players = play_hand.come(visitor, language, Way(), Taps(), Keys(), host=host)
    with translation.override(language):
        name = str(game_name(game))
    hand = Thirteen(players, FRONT[language], exchanges=game == "thirteen_philippine")
    with play_hand.a_table(players, name):
        play_hand.play(players, hand.move, 1)
        for player in players:
            see_rows(player)


def see_rows(player: Player) -> None:
    """The rows of all four lie there, and a matrix with headers, one's own line first."""
    lines = player.at(".showdown .matrix >> nth=0").locator("tbody tr")
    expect(lines).to_have_count(4)
    expect(lines.first).to_have_class("mine")
    expect(lines.first.locator("th")).not_to_be_empty()
    expect(player.at(".rows-shown")).to_have_count(4)
    expect(player.at(".plate:has(.bot)")).to_have_count(1)
    expect(player.at(".row-shown").first).to_be_visible()
    player.press("#by-row summary")
    expect(player.at("#by-row tbody tr").first).to_be_visible()


class Doudizhu:
    """Play a hand of Dou Dizhu, in which the first player makes the highest call."""

    def __init__(self, players: list[Player], term: str, hands: int) -> None:
        self.players, self.term, self.hands = players, term, hands

    def move(self, player: Player) -> None:
        turn = player.at("#shoe").get_attribute("data-turn") or ""
        player.in_sight(".place-at", "#my-cards .pick", ".forms button", "#hint", ".middle")
        expect(player.at("#auto-play")).to_have_text(self.term)
        last = min(len(person.results) for person in self.players) + 1 == self.hands
        if last and not player.has("#do-sit.main"):
            player.sit_out()
        if player.has("#act-call"):
            player.press("#act-call button", -1 if player is self.players[0] else 0)
        elif player.way.by_keys:
            self.play_by_keys(player)
        elif player.has("#only-pass"):
            player.press("#act-pass button")
        else:
            player.press("#hint")
            expect(player.at("#reading:is([data-playable], [data-pass])")).to_be_visible()
            passes = player.has("#reading[data-pass]")
            player.press("#act-pass button" if passes else "#act-play button")
        expect(player.at(f"#shoe[data-turn='{turn}']")).to_have_count(0)

    def play_by_keys(self, player: Player) -> None:
        """Letters are heard while a card has the focus."""
        way, keyboard = player.way, player.page.keyboard
        assert isinstance(way, Keys)
        cards = player.at("#my-cards .pick input")
        way.reach(cards.first)
        if player.has("#only-pass"):
            keyboard.press("p")
            return
        keyboard.press("ArrowRight")
        for chosen in (1, 0):
            keyboard.press("Space")
            expect(player.at("#my-cards .pick input:focus:checked")).to_have_count(chosen)
        keyboard.press("h")
        expect(player.at("#reading:is([data-playable], [data-pass])")).to_be_visible()
        expect(player.at("#moves :focus")).to_have_count(1)
        if player.has("#reading[data-pass]"):
            keyboard.press("p")
            return
        expect(player.at("#my-cards .pick input:checked").first).to_be_attached()
        way.reach(cards.last)
        keyboard.press("Enter")


def test_doudizhu(visitor: Visitor) -> None:
    """Two people and a bot: one plays a hand by mouse and one by keys, the other one on a phone."""
    language, hands = "zh-hant", 2
    players = play_hand.come(visitor, language, Way(), Taps(), host=1)
    with translation.override(language):
        name = str(game_name("doudizhu"))
    hand = Doudizhu(players, AUTO_PLAY[language], hands)
    with play_hand.a_table(players, name):
        play_hand.play(players, hand.move, 1)
        players[0].way = Keys()
        play_hand.play(players, hand.move, hands)
        for player in players:
            expect(player.at(".plate:has(.bot)")).to_have_count(1)
            expect(player.at(".crown")).to_contain_text("地主")
