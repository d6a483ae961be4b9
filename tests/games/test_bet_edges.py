"""The rules say what the house keeps of each bet, by the figures of the operator's preview."""

import re

import pytest
from django.test import Client

from games.boards.bet_edges import edge_tables
from games.profiles import reckoning
from games.profiles.figures import MAIN, Figure, exact_bets
from games.rules.catalogue import GAMES
from games.rules.house.game import HouseGame
from games.tables.replay import game_from
from tests.games import profiles

AGAINST_THE_HOUSE = [key for key in GAMES if isinstance(game_from(key, {}), HouseGame)]
AMONG_PLAYERS = [key for key in GAMES if key not in AGAINST_THE_HOUSE]


def shown(game: str) -> str:
    return re.sub(r"\s+", " ", Client().get(f"/rules/{game}/").content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("game", AGAINST_THE_HOUSE)
def test_every_exact_bet_stands_on_the_rules_page(game: str) -> None:
    page = shown(game)
    for figure in exact_bets(game_from(game, {})):
        assert f"<td>{100 * figure.mean:.2f}%</td>" in page, figure.key
        assert f"<td>{100 * (1 - figure.mean):.2f}%</td>" in page, figure.key


@pytest.mark.django_db
@pytest.mark.parametrize("game", AMONG_PLAYERS)
def test_where_players_play_one_another_the_house_keeps_no_bet(game: str) -> None:
    assert edge_tables(game_from(game, {}), None) == ()
    assert "Return to player" not in shown(game)


def test_other_options_have_other_figures() -> None:
    texts = {
        str(edge_tables(game_from("baccarat", options), None))
        for options in ({}, {"banker_note_literal": True}, {"banker_note_literal": False})
    }
    assert len(texts) == 2


@pytest.mark.django_db
def test_the_main_bet_stands_there_once_it_is_reckoned() -> None:
    version = profiles.draft(profiles.manager("maria"), "blackjack")
    game = reckoning.game_of(version)
    assert "Main bet" not in str(edge_tables(game, version))
    profiles.reckoned(version, [Figure(MAIN, 0.00625, 0.00031, 6_000)])
    [table] = edge_tables(game, version)
    assert table.rows[0] == ("Main bet", ("0.62%", "99.38%"), "± 0.03%")
