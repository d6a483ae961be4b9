"""Family-specific code lives in the families' folders, and every game has a family."""

import pytest

from games.boards.family import families, family_of
from games.boards.labels import LABELS
from games.rules.catalogue import GAMES, game_type


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_family_that_knows_it(key: str) -> None:
    family, game = family_of(key), game_type(key)()
    assert family is family_of(game)
    assert family in families()
    assert family.winnings(game)
    assert family.costs(game)


@pytest.mark.parametrize("key", GAMES)
def test_every_action_of_a_player_has_its_words(key: str) -> None:
    by_house = {"close", "pool", "top_up"}
    actions = {str(kind.__struct_config__.tag) for kind in game_type(key).actions} - by_house
    assert actions <= LABELS.keys() | family_of(key).labels.keys()
