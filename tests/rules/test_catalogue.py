"""The catalogue: what games declare of themselves, and what cannot stand in it."""

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from games.rules.catalogue import GAMES, Misdeclared, catalogue, game_type, installed_folders

PAGODA = GAMES["chinese_poker"]


def test_every_game_is_declared_as_its_rules_say() -> None:
    for key, declared in GAMES.items():
        game = game_type(key)
        assert game.key == key
        assert {"best", "house"} <= import_module(declared.bots_module).STRATEGIES.keys()
        assert (declared.sit_and_go is None) == game.against_house
    assert installed_folders() == {}


def test_games_stand_in_the_order_of_their_places() -> None:
    last = replace(PAGODA, key="other", place=1_000)
    assert list(catalogue([last, PAGODA])) == ["chinese_poker", "other"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, "There are two games called chinese_poker"),
        ({"key": "Two Words"}, "'Two Words' is no key of a game"),
        ({"key": "other", "module": "elsewhere.game"}, "Two packages declare .* thirteen"),
    ],
)
def test_what_would_be_ambiguous_is_refused(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Misdeclared, match=sentence):
        catalogue([PAGODA, replace(PAGODA, **changed)])
