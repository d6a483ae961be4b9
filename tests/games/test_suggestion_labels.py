"""Suggested arrangements have distinct labels in every language."""

from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from games.rules.catalogue import GAMES, game_type
from games.rules.contract import SeatStack, State
from games.rules.thirteen.state import ThirteenContext
from games.rules.thirteen.view import ThirteenView
from tests.games.families import suggestions

THIRTEEN = [key for key in GAMES if GAMES[key].family == "thirteen"]
HANDS = 12


def views(key: str) -> list[ThirteenView]:
    """The views of the seats that must arrange, over many random deals."""
    game: Any = game_type(key)()
    random = Random(key)
    cards = list(game.composition())
    thirteen_views: list[ThirteenView] = []
    while len(thirteen_views) < HANDS:
        random.shuffle(cards)
        seats = range(1, game.seats[-1] + 1)
        stakes = [SeatStack(seat, 1_000_000) for seat in seats]
        state: State = game.open(stakes, cards, ThirteenContext(button=1))
        while game.view(state, min(game.to_act(state))).phase != "arrange":
            seat = min(game.to_act(state))
            state = game.apply(state, seat, game.fallback(state, seat))
        thirteen_views += [game.view(state, seat) for seat in game.to_act(state)]
    return thirteen_views


@pytest.mark.parametrize("game", THIRTEEN)
def test_no_two_suggestions_of_a_hand_read_alike(game: str) -> None:
    played, varied = game_type(game)(), 0
    for view in views(game):
        counts = set()
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                shown = suggestions(played, view)
                said = [suggested.makes for suggested in shown]
                assert len(set(said)) == len(said)
                assert shown[0].makes
                counts.add(len(said))
                varied += any(suggested.makes[-1] in "23456789TJQKA0" for suggested in shown)
        assert len(counts) == 1
    assert varied
