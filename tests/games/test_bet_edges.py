"""The rules say what the house keeps of each bet, by the figures of the operator's preview."""

import re
from math import hypot
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.boards.rule_tables import edge_tables
from games.models import Reckoning
from games.profiles import reckoning
from games.profiles.figures import MAIN, Figure, exact_bets
from games.profiles.public_figures import ask_for_tables, main_figure
from games.rules.analysis.figures import has_main_bet
from games.rules.casino_holdem.calling import rule_is_call
from games.rules.casino_holdem.edges import strategy_edge
from games.rules.catalogue import GAMES
from games.rules.house.game import HouseGame
from games.tables.hand_state import game_from
from tests.games import profiles
from tests.games.house import House

AGAINST_THE_HOUSE = [key for key in GAMES if isinstance(game_from(key, {}), HouseGame)]
AMONG_PLAYERS = [key for key in GAMES if key not in AGAINST_THE_HOUSE]
MAIN_BETS = [key for key in GAMES if has_main_bet(key)]


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
        str(edge_tables(game_from("baccarat", {**options}), None))
        for options in ({}, {"banker_note_literal": True}, {"banker_note_literal": False})
    }
    assert len(texts) == 2


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize("game", MAIN_BETS)
def test_the_main_bet_of_the_usual_rules_stands_there_at_once(game: str) -> None:
    figure = main_figure(game_from(game, {}))
    assert figure is not None
    assert "Main bet" in shown(game)
    assert f"{100 * figure.mean:.2f}%" in shown(game)


def test_what_was_reckoned_before_is_what_the_preview_reckons_now() -> None:
    """Casino hold'em in a small sample; blackjack takes too long for a test, and is in the docs."""
    figure = main_figure(game_from("casino_holdem", {}))
    assert figure is not None
    assert figure.error is not None
    estimate = strategy_edge(rule_is_call, 60, Random(4))
    assert abs(estimate.mean - figure.mean) < 4 * hypot(estimate.standard_error, figure.error)


@pytest.mark.django_db
def test_other_rules_stand_there_once_a_worker_has_reckoned_them() -> None:
    """For a version, and for every table with such rules whatever its limits are."""
    maria = profiles.manager("maria")
    version = profiles.change(maria, profiles.draft(maria, "russian_poker"), max_insurance=50_000)
    game = reckoning.game_of(version)
    other = game_from("russian_poker", {"max_insurance": 50_000, "bonus_max": 5_000})
    assert "Main bet" not in str(edge_tables(game, version))
    assert main_figure(other) is None
    profiles.reckoned(version, [Figure(MAIN, 0.00625, 0.00031, 6_000)])
    for table in (*edge_tables(game, version), *edge_tables(other, None)):
        assert table.rows[0] == ("Main bet", ("0.62%", "99.38%"), "± 0.03%")


@pytest.mark.always
@pytest.mark.django_db
def test_a_worker_is_requested_for_the_main_bets_of_open_tables() -> None:
    house = House()
    house.table("russian_poker", options={"max_insurance": 50_000})
    house.table("russian_poker")
    assert ask_for_tables(timezone.now()) == 1
    assert Reckoning.objects.get().options["max_insurance"] == 50_000
