"""No button moves under a finger: each kind of decision has its actions in fixed places."""

import re
from typing import Any

import pytest

from games.boards.action_places import ANSWERS, bar_of, disabled_actions, in_places
from games.boards.forms import ActionForm, forms_for
from games.rules.catalogue import GAMES
from games.rules.contract import HOUSE, AnyGame
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.games.markup import words
from tests.games.viewers import board_of
from tests.people import client_of
from tests.rules import (
    test_baccarat_hands,
    test_blackjack_hands,
    test_casino_holdem_hands,
    test_doudizhu_hands,
    test_russian_poker_hands,
    test_thirteen_hands,
)
from tests.rules.harness import play

TABLES = {
    "baccarat": test_baccarat_hands.TABLE,
    "baccarat_commission": test_baccarat_hands.TABLE,
    "blackjack": test_blackjack_hands.TABLE,
    "casino_holdem": test_casino_holdem_hands.TABLE,
    "doudizhu": test_doudizhu_hands.TABLE,
    "russian_poker": test_russian_poker_hands.TABLE,
}
HANDS = 12


def places(game: AnyGame, state: Any, seat: Any) -> list[tuple[int, str, tuple[str, ...]]]:
    """The places of a decision: box and action, and the answers of an action that has several."""
    choices = game.choices(state, seat)
    disabled = disabled_actions(game, state, seat, choices)
    places = []
    for place in in_places(game, choices, forms_for(game, choices), disabled):
        answers: tuple[str, ...] = ()
        if isinstance(place, ActionForm) and place.buttons[0].name in ANSWERS:
            answers = tuple(button.value for button in place.buttons)
        places.append((place.box or 0, place.do, answers))
    return places


@pytest.mark.always
@pytest.mark.parametrize("key", GAMES)
def test_every_action_of_a_decision_has_its_place_in_all_states(key: str) -> None:
    table = TABLES[key] if key in TABLES else test_thirteen_hands.table(key)
    seen = set()
    for seed in range(HANDS):
        played = play(key, table, seed)
        game = played.game
        for state in played.states:
            betting = HOUSE in game.to_act(state)
            for seat in () if betting else sorted(game.to_act(state)):
                bar = bar_of(game, game.choices(state, seat))
                decision_places = places(game, state, seat)
                if not bar:
                    # Among its choices is a single action, which no other can replace.
                    assert len({do for _box, do, _answers in decision_places}) == 1
                    continue
                boxes = list(dict.fromkeys(box for box, *_place in decision_places))
                mine = [place for place in decision_places if place[1] in bar]
                assert [place[:2] for place in mine] == [(box, do) for box in boxes for do in bar]
                for _box, do, answers in mine:
                    assert answers in ((), *ANSWERS.values()), do
                seen.add(bar)
    assert seen or GAMES[key].family in ("baccarat", "thirteen")


# What is bet, how the cards fall, the order of the places, and what is impossible.
ANTE = {"do": "ante", "box": 2, "amount": 500}
PAGES: dict[str, tuple[dict[str, Any], str, list[str], str]] = {
    "blackjack": (
        {"do": "bet", "box": 2, "amount": 500},
        "9c6d3h",
        ["split-2", "surrender-2", "double-2", "stand-2", "hit-2"],
        "Split not a pair",
    ),
    "casino_holdem": (ANTE, "9c6d3h", ["fold-2", "call-2"], ""),
    "russian_poker": (
        ANTE,
        "9c6d3h8s2c",
        ["exchange-2", "buy-2", "insure-2", "fold-2", "bet-2"],
        "Insure needs three alike",
    ),
}


@pytest.mark.parametrize("game", PAGES)
def test_a_page_has_them_in_this_order(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    bet, cards, order, off = PAGES[game]
    deal_first(monkeypatch, cards)
    table = house.dealt_in(game, "alice")
    house.act(table, "alice", bet)
    house.act(table, "alice", {"do": "done"})
    page = board_of(client_of(house.person("alice")), table)
    forms = page.partition('id="forms"')[2].partition('class="beside-turn"')[0]
    assert re.findall(r'data-place="([^"]+)"', forms) == order
    assert off in words(forms)
