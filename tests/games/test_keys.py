"""The keys of a table: every action has one in the list, or a reason why not."""

import re

import pytest

from games.boards.forms import forms_for
from games.boards.keys import LETTERS, key_of_button, keys_of
from games.models import Table
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import AnyGame, Choices
from games.tables.jackpots import game_at
from tests.games.house import House
from tests.games.markup import words
from tests.people import client_of

WITHOUT = {
    "arrange": "Enter sends the rows from among the cards, whose list names it",
    "close": "the house's own move",
    "play": "Enter plays the chosen cards from among them",
    "pool": "the house's own move",
    "remove": "U takes back the last chip, and C all",
    "top_up": "the house's own move",
}
# Actions with several buttons have a key for each of them.
ANSWERS = {"follow": "Y N", "pick": "1 2 3"}


def test_every_action_has_a_key_of_its_own_in_the_list_or_a_reason(house: House) -> None:
    for game in GAMES:
        kind = game_at(house.table(game))
        pressed = {key.pressed for key in keys_of(kind)}
        assert "G" in pressed, game
        letters = []
        for action in kind.actions:
            do, names = str(action.__struct_config__.tag), action.__struct_fields__
            if kind.against_house and action is kind.bet_action:
                # Bets are chips on numbered spots.
                assert "B" in pressed
                assert any(key[0] == "1" for key in pressed)
            elif do not in WITHOUT:
                expected = "0 1 2 3" if "points" in names else ANSWERS.get(do) or LETTERS[do]
                assert expected in pressed, (game, do)
            # To be done with one's bets, and to decline insurance, are never offered together.
            if action is not kind.bet_action and LETTERS.get(do, "N") != "N":
                letters.append(LETTERS[do])
        assert len(set(letters)) == len(letters), game


@pytest.mark.parametrize("game", ["blackjack", "doudizhu", "baccarat", "casino_holdem"])
def test_the_page_lists_the_keys_of_its_buttons(house: House, game: str) -> None:
    names = ("alice", "bob", "carol")[: game_type(game).seats[0]]
    table = house.dealt_in(game, *names)
    button_keys: set[str] = set()
    for name in names:
        page = client_of(house.person(name)).get(f"/tables/{table.pk}/").text
        keys = page.split('id="keys"')[1].split("</dl>")[0]
        shown = set(words(" ".join(re.findall(r"<dt>.*?</dt>", keys))).split())
        button_keys |= set(re.findall(r'data-key="(\w)"', page))
        numbers = {key for key in button_keys if key.isdigit()} if "1–" in keys else set()
        assert button_keys - numbers <= shown
        assert "This list" in keys
    assert button_keys, "no button of this table has a key"


@pytest.mark.always
def test_bids_have_their_numbers_and_confirmed_buttons_have_none(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    game, choices = _choices(house, table)
    (form,) = forms_for(game, choices)
    assert [key_of_button(form.do, button) for button in form.buttons] == ["0", "1", "2", "3"]
    confirmed = form.buttons[0]._replace(asks="Are you sure?")
    assert key_of_button(form.do, confirmed) == ""


def _choices(house: House, table: Table) -> tuple[AnyGame, Choices]:
    _hand, state = house.state(table)
    game = game_at(table)
    (seat,) = game.to_act(state)
    return game, game.choices(state, seat)
