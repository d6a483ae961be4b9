"""What a screen reader is told: against the house every open card, at Dou Dizhu the landlord."""

import re

import pytest
from django.test import Client

from games.models import Hand, Table
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.games.markup import cards_in, words

AGAINST_THE_HOUSE = ("blackjack", "russian_poker", "casino_holdem", "baccarat")


class Listener:
    """A player at a table who hears the page and does not see it."""

    def __init__(self, house: House, table: Table, name: str) -> None:
        self.table, self.client = table, Client()
        self.client.force_login(house.person(name))

    def board(self) -> str:
        answer = self.client.get(f"/tables/{self.table.pk}/board/", headers={"HX-Request": "true"})
        return answer.content.decode()

    def heard(self) -> list[str]:
        log = self.board().partition('id="said"')[2].partition("</div>")[0]
        return [words(paragraph) for paragraph in re.findall(r"<p .*?</p>", log, re.DOTALL)]

    def lies_open(self) -> set[str]:
        """The cards on the felt, without those that decide bonus bets alone."""
        felt = self.board().partition('id="felt"')[2].partition('id="said"')[0]
        return cards_in(re.sub(r'<p class="sides".*?</p>', "", felt, flags=re.DOTALL))


@pytest.mark.django_db
@pytest.mark.parametrize("game", AGAINST_THE_HOUSE)
def test_against_the_house_every_open_card_is_heard(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice", grace_seconds=3_600)
    alice = Listener(house, table, "alice")
    decided = over = False
    while table.hand_id is not None and house.let_people_act(table):
        table.refresh_from_db()
        if alice.lies_open() and table.turns:
            decided = True
            assert cards_in(alice.heard()[-1]) == alice.lies_open()
    over = bool(alice.lies_open())
    assert cards_in(alice.heard()[-1]) == alice.lies_open()
    assert over
    assert decided or game == "baccarat"


@pytest.mark.django_db
def test_the_landlord_and_the_middle_cards_are_heard(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol", grace_seconds=3_600)
    bob = Listener(house, table, "bob")
    while not (
        lands := [sentence for sentence in bob.heard() if "is the landlord and takes" in sentence]
    ):
        house.let_people_act(table)
        table.refresh_from_db()
    middle = bob.board().partition('id="middle-')[2].partition('class="worth')[0]
    assert cards_in(lands[0]) == cards_in(middle)
    assert len(cards_in(middle)) == 3


# What a settlement distinguishes: how the cards fall, what the only player does, the words for it.
DISTINGUISHED = {
    "the dealer's blackjack": ("blackjack", "9cKdThAd", ("stand",), "Blackjack"),
    "a blackjack": ("blackjack", "Ac9dTh8s", (), "Blackjack"),
    "a bust hand": ("blackjack", "Tc9d6hKs8s", ("hit",), "bust"),
    "the dealer's bust": ("blackjack", "Tc6d9hKs8s", ("stand",), "bust"),
    "a surrendered hand": ("blackjack", "Tc9d6h8s", ("surrender",), "surrendered"),
    "a natural": ("baccarat", "4c2d5h2s", (), "natural"),
    "a dealer without a hand": (
        "casino_holdem",
        "Kh2cKd7d9hTsQd3s5c",
        ("call",),
        "does not qualify",
    ),
    "a folded box": ("casino_holdem", "Kh2cKd7d9hTsQd3s5c", ("fold",), "folded"),
    "a dealer with a hand": (
        "russian_poker",
        "KhAcKdKs9hQdThJs2c3d",
        ("bet",),
        "qualifies",
    ),
}
BETS = {
    "blackjack": {"do": "bet", "box": 1, "amount": 1_000},
    "baccarat": {"do": "bet", "on": "player", "amount": 1_000},
}
ANTE = {"do": "ante", "box": 1, "amount": 1_000}


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize("case", DISTINGUISHED)
def test_all_that_a_settlement_distinguishes_is_named_in_every_view(
    house: House, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    game, cards, moves, word = DISTINGUISHED[case]
    deal_first(monkeypatch, cards)
    table = house.dealt_in(game, "alice")
    house.act(table, "alice", BETS.get(game, ANTE))
    house.act(table, "alice", {"do": "done"})
    hand = Hand.objects.get(table=table)
    for do in moves:
        on_hand = {"hand": 0} if do in ("stand", "hit") else {}
        house.act(table, "alice", {"do": do, "box": 1} | on_hand)
    alice = Listener(house, table, "alice")
    replayed = alice.client.get(f"/history/{hand.pk}/").text
    views = {
        "felt": alice.board().partition('id="felt"')[2].partition('id="said"')[0],
        "heard": alice.heard()[-1],
        "replay": replayed.partition('id="felt"')[2].partition("</section>")[0],
    }
    for view, text in views.items():
        assert re.search(rf"\b{word}\b", words(text)), view
        assert "soft 21" not in text, view
