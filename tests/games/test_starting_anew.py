"""A process that starts anew finds every live hand as it was: whose turn, with which cards."""

from typing import Any

import pytest

from games.models import Seat, Table
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables import clock
from games.tables.live_hands import REMEMBERED
from games.templatetags import remembered
from tests.games.house import House
from tests.games.program import Program
from tests.games.viewers import people_of

# Moves made before the process ends; a hand that is over by then is looked at where it is.
MOVES = 3


def forget_everything(table: Table) -> None:
    """Clear all that a process knows of hands and does not read from the database."""
    REMEMBERED.forget(table)
    custody.forget_opened()
    for one in vars(remembered).values():
        if hasattr(one, "cache_clear"):
            one.cache_clear()


def seen(table: Table, names: tuple[str, ...]) -> dict[str, Any]:
    """What each player and a visitor are answered about the table."""
    programs = {name: Program(name) for name in names} | {"": Program()}
    return {name: program.get(f"tables/{table.pk}/") for name, program in programs.items()}


@pytest.mark.parametrize("game", GAMES)
def test_the_exact_turn_is_there_again(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    for _ in range(MOVES):
        if table.hand_id is not None and house.let_people_act(table):
            table.refresh_from_db()
    before, due = seen(table, names), table.due_at
    forget_everything(table)
    assert seen(table, names) == before
    assert any(answer["turn"] is not None for answer in before.values()) or due is not None


def test_the_deadline_runs_on_and_the_turn_is_played_once(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    ((seat, turn),) = table.turns.items()
    deadline = table.deadline
    assert deadline is not None
    Seat.objects.update(time_bank=0)
    forget_everything(table)
    house.now = deadline
    clock.tick(table.pk, house.now)
    assert table.hand is not None
    assert list(table.hand.moves.values_list("seat", "turn", "by")) == [
        (int(seat), turn, "timeout")
    ]


def test_a_move_of_a_page_from_before_is_taken(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    ((seat, turn),) = table.turns.items()
    name = ("alice", "bob", "carol")[int(seat) - 1]
    forget_everything(table)
    house.act(table, name, {"do": "call", "points": 0}, turn)
    table.refresh_from_db()
    assert table.moves_made == 1
    assert str(seat) not in table.turns
