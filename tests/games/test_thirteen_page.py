"""Tables of thirteen cards: the page while players arrange, and the end of a hand."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from msgspec.structs import replace

from games.families.thirteen.tags import showdown
from games.models import Hand, Table
from games.rules.cards import parse_cards
from games.rules.contract import SeatStack
from games.rules.thirteen.state import Arrange, order_from_left
from games.rules.thirteen.view import ShownHand, ThirteenView
from games.shoes import custody
from games.words.naming import row_term, term
from tests.games.house import House
from tests.games.markup import Page, cards_in, words
from tests.games.viewers import NAMES
from tests.people import client_of

# The others show it as the second one does.
ALIKE = ("thirteen_hongkong", "thirteen_philippine", "thirteen_fujian")
GAMES = [
    "chinese_poker",
    "thirteen_taiwan",
    *(pytest.param(game, marks=pytest.mark.release) for game in ALIKE),
]
DRAGON = "2c3d4h5s6c7d8h9sTcJdQhKsAc"


def page_of(house: House, table: Table, name: str, **query: str) -> str:
    return client_of(house.person(name)).get(f"/tables/{table.pk}/", query).text


def deal(
    monkeypatch: pytest.MonkeyPatch, house: House, game: str, *hands: str, **fields: Any
) -> Table:
    """A table where these people hold these cards, and the others what is left of the deck."""
    table = house.dealt_in(game, *NAMES, **fields)
    _hand, state = house.state(table)
    given = [list(parse_cards(hand)) for hand in hands]
    used = {card for hand in given for card in hand}
    left = sorted({*state.cards} - used, key=lambda card: card.text)
    random.Random(1).shuffle(left)
    while len(given) < len(NAMES):
        given.append(left[:13])
        del left[:13]
    order = order_from_left(state.seats, state.banker or state.button)
    cards = tuple(given[seat - 1][turn] for turn in range(13) for seat in order)
    monkeypatch.setattr(custody, "cards", lambda _shoe: cards + tuple(left))
    return table


def rows(front: str, middle: str, back: str) -> dict[str, Any]:
    named = {"front": front, "middle": middle, "back": back}
    return {"do": "arrange"} | {
        row: [card.text for card in parse_cards(cards)] for row, cards in named.items()
    }


def test_a_natural_is_declared_only_when_it_has_been_said_what_it_pays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = deal(monkeypatch, house, "chinese_poker", DRAGON)
    text = page_of(house, table, "alice")
    question = re.search(r'<span id="ask-arrange-dragon"[^>]*\spopover>(.*?)</button>', text, re.S)
    assert question
    assert "worth 13 points against each opponent" in question[1]
    assert text.count('name="declare" value="dragon"') == question[1].count('value="dragon"') == 1
    assert 'popovertarget="ask-arrange-dragon">Declare: dragon…</button>' in text
    form = Page(text).forms["act-arrange"]
    declare = next(button for button in form.buttons if button.name == "declare")
    client = client_of(house.person("alice"))
    assert client.post(form.address, form.sent(declare)).status_code == 302
    declared = page_of(house, table, "alice")
    assert "dragon" in words(declared)
    assert cards_in(declared) == {card.text for card in parse_cards(DRAGON)}
    assert "dragon" not in words(page_of(house, table, "bob"))


def test_natural_pays_the_bet_at_tables_with_bets(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = deal(monkeypatch, house, "thirteen_hongkong", DRAGON)
    _hand, state = house.state(table)
    for seat, name in enumerate(NAMES, 1):
        if seat != state.banker:
            house.act(table, name, {"do": "bet", "amount": 200})
    assert "it is paid 13 times the bet" in words(page_of(house, table, "alice"))


def test_a_joker_is_called_what_it_stands_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = ("KsQd RJ", "5h6h7h8h BJ", "9c9d9h9s2c")
    table = deal(monkeypatch, house, "thirteen_fujian", " ".join(hand))
    placed = {
        f"place-{card.text}": row
        for row, cards in zip(("front", "middle", "back"), hand, strict=True)
        for card in parse_cards(cards)
    }
    address = f"/tables/{table.pk}/rows/"
    names = Client().post(address, placed).json()
    assert (names["front"], names["RJ"]) == ("Pair of kings", "K♥")
    assert (names["middle"], names["BJ"]) == ("Straight flush", "9♥")
    del placed["place-8h"]
    assert "BJ" not in Client().post(address, placed).json()

    house.act(table, "alice", rows("KsQd RJ", "9c9d9h9s2c", "5h6h7h8h BJ"))
    house.until(table, lambda table: table.hand_id is None)
    text = page_of(house, table, "bob")
    assert "Pair of kings" in text
    for joker, other in (("RJ", "K♥"), ("BJ", "9♥")):
        assert re.search(rf'data-card="{joker}"(?:(?!data-card).)*\b{other}', text, re.S)


@pytest.mark.parametrize("game", GAMES)
def test_matrix_shows_what_moved_between_the_stacks(house: House, game: str) -> None:
    table = house.dealt_in(game, *NAMES)
    hand_id = table.hand_id
    house.until(table, lambda table: table.hand_id is None)
    hand = Hand.objects.get(pk=hand_id)
    assert hand.settlement
    moved: Counter[tuple[str, str]] = Counter()
    for source, target, amount, _reason in hand.settlement["transfers"]:
        payer, other = NAMES[int(source) - 1], NAMES[int(target) - 1]
        moved[other, payer] += amount
        moved[payer, other] -= amount
    for viewer in ("alice", "carol"):
        cells = matrix(page_of(house, table, viewer))
        assert next(iter(cells)) == viewer, "the viewer stands first"
        for name in NAMES:
            for other in NAMES:
                assert cells[name].get(other, 0) == moved[name, other]
            assert cells[name]["In all"] == sum(moved[name, other] for other in NAMES)
    # The live table turns one row after the other; the history shows all at once.
    assert 'class="showdown revealing"' in page_of(house, table, "alice")
    text = client_of(house.person("alice")).get(f"/history/{hand_id}/").text
    assert 'class="showdown"' in text
    assert "revealing" not in text


def matrix(text: str) -> dict[str, dict[str, int]]:
    """The table of who won what from whom, in minor units."""
    table = re.search(r'<table class="matrix step-4">.*?</table>', text, re.S)
    assert table
    lines = [
        [words(cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.S)]
        for line in re.findall(r"<tr.*?</tr>", table[0], re.S)
    ]
    heads = [head.removeprefix("from ") for head in lines[0][1:]]
    return {
        name: {
            head: round(100 * float(cell.replace("−", "-").replace("\N{MINUS SIGN}", "-")))
            for head, cell in zip(heads, cells, strict=True)
            if cell not in ("", "·")
        }
        for name, *cells in lines[1:]
    }


def test_winner_sees_the_rake_on_their_win(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = deal(monkeypatch, house, "chinese_poker", DRAGON)
    house.act(table, "alice", {"do": "arrange", "declare": "dragon"})
    house.until(table, lambda table: table.hand_id is None)
    sentence = "The house takes its share of the 39 that you have won · 1.95"
    board = words(page_of(house, table, "alice"))
    assert board.index("Row by row") < board.index(sentence)
    assert sentence not in words(page_of(house, table, "bob"))


def test_matrix_includes_what_a_short_stack_could_not_pay() -> None:
    """The part that a stack could not pay is shown outside the rows."""
    line: Any = {
        "source": "2",
        "target": "1",
        "amount": 300,
        "values": {"row": "back", "points": 3},
    }
    back: Any = {"source": "1", "target": "2", "amount": 100, "key": "purse_limit", "values": {}}
    ended = showdown(_ended((1, 2)), [line | {"key": "royalty"}, back])
    assert ended
    pair = ended.pairs[0]
    assert (pair.rows, pair.beside, pair.total) == ((0, 0, 300), -100, 200)
    assert [seat.won for seat in ended.seats] == [{2: 200}, {1: -200}]


def test_badges_beside_points_against_a_rival_are_about_these_two() -> None:
    """The second seat has shot the first and the third; the third has rolled over the first."""
    lines: Any = [
        {"key": key, "source": source, "target": target, "amount": 300, "values": {}}
        for key, source, target in (("gun", "1", "2"), ("gun", "3", "2"), ("roll_over", "1", "3"))
    ]
    view = _ended((1, 2, 3))
    badges = {
        viewer: [seat.badges for seat in sorted(ended.seats)]
        for viewer in (1, 2, 3, None)
        if (ended := showdown(replace(view, seat=viewer), lines))
    }
    gun, shot, rolls = {"gun": 1}, {"shot": 1}, {"roll_over": 1}
    assert badges[1] == [shot, gun, rolls]
    assert badges[2] == [shot, {"gun": 2}, shot]
    assert badges[3] == [{}, gun, rolls | shot]
    # One who looks on reads what each has won in all.
    assert badges[None] == [shot, {"gun": 2}, rolls | shot]


def _ended(seats: Sequence[int]) -> ThirteenView:
    over: dict[str, Any] = {"arranged": Arrange(), "hand": (), "foul": False, "natural": None}
    return ThirteenView(
        seat=1, stakes=tuple(SeatStack(seat, 1000) for seat in seats), to_act=(), phase="over",
        button=1, banker=None, bets={}, exchanges=0, exchanges_left=0, direction=None,
        shown=tuple(ShownHand(seat=seat, categories=(), **over) for seat in seats),
    )  # fmt: skip


def seat_on(page: str, number: int) -> str:
    match = re.search(rf'<li id="seat-{number}".*?</li>', page, re.S)
    assert match
    return match[0]


def test_shots_and_the_home_run_are_called_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = ("AsAhAd", "KsKhKdKc2s", "QsJsTs9s8s")
    low = ("2c3d5h", "2d2h4c6c8d", "3c3h7d9cTd")
    table = deal(monkeypatch, house, "thirteen_taiwan", " ".join(best), " ".join(low))
    house.act(table, "alice", rows(*best))
    house.act(table, "bob", rows(*low))
    assert "has arranged" in words(page_of(house, table, "carol"))
    house.until(table, lambda table: table.hand_id is None)
    for name in ("bob", "carol"):
        page = page_of(house, table, name)
        assert set(re.findall(r'data-moment="(\w+)"', page)) == {"home_run", "scoop", "loss"}
        text = words(page)
        assert "Sweep of the table: alice wins every row from every opponent" in text
        assert "alice scoops" in text
        assert "scooped" in text
        # The result comes before its reasons.
        assert text.index("You lost") < text.index("Sweep") < text.index("How it was settled")
    # A player's sign stands at the rows of rivals: the winner sees three beaten rows, tinted as a
    # scoop; the loser sees none, and the same tint.
    beaten, lost = seat_on(page_of(house, table, "alice"), 2), page_of(house, table, "bob")
    assert beaten.count("row-shown step") == beaten.count(" beaten") == 3
    assert "scoop-won" in beaten
    assert "3 to 0 in rows" in words(beaten)
    assert " beaten" not in seat_on(lost, 1)
    assert "scoop-lost" in seat_on(lost, 1)
    assert "0 to 3 in rows" in words(seat_on(lost, 1))
    assert "◎ scooped" in words(beaten)
    # Alice has shot carol as well, which is not beside bob's points against carol.
    assert "scooped" not in words(seat_on(lost, 3))
    # The last hand's replay is a link that stays.
    assert f'id="last-hand" href="/history/{table.hands.get().pk}/"' in lost


def test_board_shows_who_has_arranged_but_no_cards(house: House) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    house.act(table, "bob", house.best_action(table, "bob"))
    _hand, state = house.state(table)
    text = page_of(house, table, "alice")
    front = re.search(r'id="work-\d+-2">.*?</li>', text, re.S)
    assert front
    assert "has arranged" in front[0]
    assert words(text).count("has arranged") == 1
    assert cards_in(text) == {card.text for card in state.hands[0]}
    own = page_of(house, table, "bob")
    assert "Arrange</button>" not in own
    assert cards_in(own) == {card.text for card in state.hands[1]}
    onlooker = client_of(house.player("eve")).get(f"/tables/{table.pk}/").text
    assert "help=" not in onlooker
    assert not cards_in(onlooker)


@pytest.mark.always
def test_exchanges_are_ordered_and_what_came_is_marked(house: House) -> None:
    table = house.dealt_in("thirteen_philippine", *NAMES)
    _hand, state = house.state(table)
    banker = state.banker
    assert banker
    assert "You are the banker" in words(page_of(house, table, NAMES[banker - 1]))
    assert f"{NAMES[banker - 1]} is the banker" in words(page_of(house, table, NAMES[banker % 4]))
    for seat, name in enumerate(NAMES, 1):
        if seat != banker:
            house.act(table, name, {"do": "bet", "amount": 500})
    assert page_of(house, table, "alice").count('class="bet"') == 3
    order = {"do": "exchange", "rounds": 1, "direction": "clockwise"}
    house.act(table, NAMES[banker - 1], order)
    assert "Choose three cards for bob (to the left)." in words(page_of(house, table, "alice"))
    for seat, name in enumerate(NAMES, 1):
        _hand, state = house.state(table)
        cards = [card.text for card in state.hands[state.place(seat)][:3]]
        house.act(table, name, {"do": "give", "cards": cards})
    text = page_of(house, table, "alice")
    assert text.count('<span class="hidden">received</span>') == 3
    _hand, state = house.state(table)
    marked = set(re.findall(r'class="place received" id="place-(\w\w)"', text))
    assert marked == {card.text for card in state.received[0]}


def test_suggestions_say_what_they_make(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = "AsAhAd KsKhKdKc2s QsJsTs9s8s"
    table = deal(monkeypatch, house, "thirteen_taiwan", hand)
    opened = page_of(house, table, "alice", help="best_expected")
    assert "Best three aces · four kings · straight flush" in words(opened)
    placed = dict(Page(opened).forms["act-arrange"].fields)
    assert {placed[f"place-{card.text}"] for card in parse_cards(hand)[:3]} == {"front"}


def test_the_best_suggestion_says_what_it_makes_before_one_is_opened(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = "AsAhAd KsKhKdKc2s QsJsTs9s8s"
    table = deal(monkeypatch, house, "thirteen_taiwan", hand)
    address = f"/tables/{table.pk}/best/"
    assert f'hx-get="{address}"' in page_of(house, table, "alice")
    alice, stranger = client_of(house.person("alice")), client_of(house.player("mallory"))
    assert alice.get(address).content.decode() == "three aces · four kings · straight flush"
    assert stranger.get(address).content == b""
    assert alice.post(address).status_code == 405


def test_new_player_is_not_shown_with_the_previous_players_rows(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    client_of(house.person("bob")).post(f"/tables/{table.pk}/leave/")
    assert '<p class="note of-desk">bob</p>' not in page_of(house, table, "alice")
    house.sit(house.player("carol"), table, 2)
    place = seat_on(page_of(house, table, "alice"), 2)
    assert words(place).split()[:2] == ["carol", "500"]
    assert '<p class="note of-desk">bob</p>' in place
    assert "rows-shown" in place


def test_a_row_without_a_combination_has_its_own_name_in_chinese() -> None:
    with override("zh-hans"):
        assert (row_term("high_card"), term("high_card")) == ("乌龙", "散牌")
        assert row_term("pair") == term("pair")
