"""The guided first hands: the advised way to the end, ways of one's own, and odd addresses."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.boards.family import family_of
from games.families.lesson import LEARNER, OK, PASS, pick_of
from games.families.lessons import LESSONS
from games.rules.catalogue import GAMES
from games.rules.contract import HOUSE
from games.words.naming import GUIDED
from tests.games.house import House

DOUDIZHU, THIRTEEN = "/learn/doudizhu/", "/learn/chinese_poker/"
ROWS = ["AsTs8s6s3s", "5h6d7c8h9d"]


def advised(game: str) -> list[str]:
    """The picks of a player who does what every step says."""
    picks: list[str] = []
    while (stand := LESSONS[game].stand(picks)).asks != "over":
        picks.append(stand.advised_pick)
    return picks


WON = {
    "doudizhu": 1_140,
    "chinese_poker": 570,
    "thirteen_hongkong": 950,
    "thirteen_taiwan": 1_235,
    "thirteen_philippine": 950,
    "thirteen_fujian": 1_235,
    "blackjack": 3_000,
    "casino_holdem": 3_000,
    "russian_poker": 5_000,
    "baccarat": 1_000,
    "baccarat_commission": 950,
}


@pytest.mark.always
@pytest.mark.parametrize(("game", "won"), WON.items())
def test_the_advised_way_wins_in_few_steps(game: str, won: int) -> None:
    lesson, picks = LESSONS[game], advised(game)
    assert 4 <= lesson.steps <= 10
    assert len(picks) + 1 == lesson.steps
    for count in range(len(picks)):
        stand = lesson.stand(picks[:count])
        assert stand.words
        assert not stand.remark
        assert set(stand.advised) <= set(stand.offered)
    end = lesson.stand(picks).state
    settlement = lesson.game.settle(end)
    assert settlement.net[LEARNER] == won
    assert sum(settlement.net.values()) + sum(settlement.rake.values()) == 0
    assert lesson.game.to_act(end) == frozenset()
    banked = -won if lesson.game.against_house else 0
    assert settlement.net.get(HOUSE, 0) == banked


@pytest.mark.parametrize("game", [game for game in GUIDED if LESSONS[game].game.against_house])
def test_the_advice_against_the_house_is_that_of_the_strategy(game: str) -> None:
    lesson, picks = LESSONS[game], advised(game)
    for count in range(1, len(picks)):
        stand = lesson.stand(picks[:count])
        if stand.asks == "pick":
            best = family_of(lesson.game).hint(lesson.game, stand.view)
            assert best is not None
            assert stand.advised_pick == (pick_of(best.cards) or best.do)


def test_every_game_has_a_lesson() -> None:
    assert set(LESSONS) == set(GUIDED) == set(GAMES)


# A way of one's own: the picks, and words of what is said then.
OTHER_WAYS = [
    (DOUDIZHU, ["call0"], "3 was the better call"),
    (DOUDIZHU, ["call1"], "3 was the better call"),
    (DOUDIZHU, ["call3", "3h"], "The straight from 3 to 8 was better"),
    (DOUDIZHU, ["call3", "3h4s5d6c7h8s", "JsJd", PASS], "The bomb was better"),
    (THIRTEEN, ["5h6d7c8h9d"], "That is possible, too"),
    (THIRTEEN, ["5h6d7c8h9d", "AsTs8s6s3s"], "these rows are out of order"),
    (THIRTEEN, ["5h6d7c8h9d", "AsTs8s6s3s", OK], "These rows are allowed, too"),
    (THIRTEEN, ["AsTs8s6s3s", "9dKhKd8h4c", OK], "These rows are allowed, too"),
    ("/learn/thirteen_hongkong/", [], "Mei is the banker, and you have bet 10"),
    ("/learn/thirteen_fujian/", ["AsTs8s6s3s", "9dKhKd8h4c", OK], "These rows are allowed, too"),
    ("/learn/thirteen_taiwan/", [*ROWS, OK, OK, OK, OK], "each is a scoop"),
    ("/learn/blackjack/", ["bet", "hit"], "Splitting was better"),
    ("/learn/blackjack/", ["bet", "split", "hit"], "From here on the strategy"),
    ("/learn/blackjack/", ["bet", "surrender"], "You lost 5"),
    ("/learn/casino_holdem/", ["ante", "fold"], "You lost 10"),
    ("/learn/russian_poker/", ["ante", "buy"], "Exchanging three cards was better"),
    ("/learn/baccarat/", ["tie"], "Banker was better"),
    ("/learn/baccarat/", ["player", OK], "As player has drawn a 5"),
    ("/learn/baccarat_commission/", ["player", OK, OK], "You lost 10"),
]


def test_another_legal_pick_is_taken_and_what_was_better_is_said(client: Client, db: None) -> None:
    for address, picks, words in OTHER_WAYS:
        page = client.get(address, {"p": picks})
        assert (page.status_code, words in page.text) == (200, True), picks


OWN_HANDS = [
    ("doudizhu", ["call0"]),
    ("doudizhu", ["call1"]),
    ("doudizhu", ["call2"]),
    ("blackjack", ["bet", "hit"]),
    ("blackjack", ["bet", "double"]),
    ("russian_poker", ["ante", "buy"]),
    ("russian_poker", ["ante", "9h5d"]),
]


def test_a_hand_of_ones_own_is_played_to_the_end() -> None:
    """Off the advised way the hint of a table is the advice, and every hand ends."""
    for game, first in OWN_HANDS:
        lesson, picks = LESSONS[game], [*first]
        while (stand := lesson.stand(picks)).asks != "over":
            picks.append(stand.advised_pick)
            assert len(picks) < 30
        assert lesson.game.settle(stand.state) is not None


REFUSED = [
    (DOUDIZHU, ["call3"], ["3h", "9s"], "cards"),
    (DOUDIZHU, ["call3", "3h4s5d6c7h8s", "JsJd"], ["Kh", "Kd"], "cards"),
    (DOUDIZHU, ["call3"], [], "pass"),
    (DOUDIZHU, [], [], "call7"),
    (DOUDIZHU, ["call3"], ["As"], "cards"),
    (DOUDIZHU, ["call3"], [], "cards"),
    (THIRTEEN, [], ["As", "Ts"], "cards"),
    (THIRTEEN, ROWS[:1], ["As", "5h", "6d", "7c", "8h"], "cards"),
    (THIRTEEN, ROWS[:1], [], OK),
    ("/learn/blackjack/", [], [], "ante"),
    ("/learn/blackjack/", ["bet"], [], "fold"),
    ("/learn/russian_poker/", ["ante"], ["5d"], "cards"),
    ("/learn/baccarat/", ["banker"], [], "player"),
]


@pytest.mark.always
def test_what_the_rules_refuse_is_explained_and_can_be_tried_again(
    client: Client, db: None
) -> None:
    for address, picks, cards, pick in REFUSED:
        page = client.get(address, {"p": picks, "cards": cards, "pick": pick})
        assert page.status_code == 422, (picks, pick)
        assert re.search(r'class="refused" role="alert">[^<]{10,}<', page.text)
        assert page.text.count('name="p"') == len(picks)


def test_a_pick_becomes_part_of_the_address(client: Client, db: None) -> None:
    answer = client.get(DOUDIZHU, {"pick": "call3"})
    assert answer["Location"] == f"{DOUDIZHU}?p=call3"
    answer = client.get(DOUDIZHU, {"p": ["call3"], "cards": ["Js", "Jd"], "pick": "cards"})
    assert answer["Location"] == f"{DOUDIZHU}?p=call3&p=JsJd"


def test_an_address_that_holds_no_hand_is_a_bad_request(client: Client, db: None) -> None:
    long = (["Ts" * 500], [PASS] * 500)
    odd = (["x"], ["call3", "\0"], ["call3", "As"], ["call3"] * 2, ["call3", "３ｈ"], [""])
    for picks in (*long, *odd):
        for address in (DOUDIZHU, THIRTEEN):
            assert client.get(address, {"p": picks}).status_code == 400, picks[:2]


def test_only_lessons_have_pages_and_they_are_only_read(client: Client, db: None) -> None:
    assert client.get("/learn/all-thirteen/").status_code == 404
    assert client.post(DOUDIZHU).status_code == 405


@pytest.mark.always
def test_no_card_of_the_others_is_on_the_page_before_it_is_played(client: Client, db: None) -> None:
    hidden = [
        (DOUDIZHU, ["call3", "3h4s5d6c7h8s"], {"2h", "BJ", "Ac", "2d"}),
        (THIRTEEN, ROWS, {"2h", "BJ", "Ac", "Qd"}),
        ("/learn/blackjack/", ["bet", "split"], {"Ks", "5d", "Th"}),
        ("/learn/casino_holdem/", ["ante"], {"4c", "4h", "9d", "Qs"}),
        ("/learn/russian_poker/", ["ante"], {"Kc", "Ts", "8s", "Qh", "9d"}),
    ]
    for address, picks, others in hidden:
        page = client.get(address, {"p": picks}).text
        # The form sends the picks that were made.
        assert re.findall(r'name="p" value="([^"]+)"', page) == picks
        shown = set(re.findall(r'data-card="(\w+)"', page))
        assert shown
        assert not shown & others


@pytest.mark.always
def test_a_lesson_leaves_nothing_behind(house: House) -> None:
    client = Client()
    with CaptureQueriesContext(connection) as captured:
        for picks in ([], advised("doudizhu")):
            assert client.get(DOUDIZHU, {"p": picks}).status_code == 200
    assert all(query["sql"].startswith("SELECT") for query in captured.captured_queries)
    assert "sessionid" not in client.cookies


def test_the_end_leads_to_a_table(house: House) -> None:
    page = Client().get(DOUDIZHU, {"p": advised("doudizhu")})
    assert "/players/guest/" in page.text
    signed_in = Client()
    signed_in.force_login(house.player("alice"))
    page = signed_in.get(DOUDIZHU, {"p": advised("doudizhu")})
    assert "/play/doudizhu/" in page.text
    assert "/players/guest/" not in page.text
