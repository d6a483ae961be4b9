"""What a look of a program costs: statements, and how often a public part is made for all."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Table
from tests.games.house import House
from tests.games.program import Program
from tests.games.viewers import people_of

# The table and its seats.
OF_A_STRANGER = 2
# Besides, the token, the player's part in the mix of the next shoe, and their presence.
OF_A_PLAYER = 5


def statements(program: Program, table: Table) -> int:
    """How many statements a look takes, after one that finds out what a process remembers."""
    program.get(f"tables/{table.pk}/")
    with CaptureQueriesContext(connection) as queries:
        program.get(f"tables/{table.pk}/")
    assert program.status == 200
    return len(queries)


@pytest.mark.parametrize("game", ["doudizhu", "thirteen_hongkong", "blackjack"])
def test_a_look_takes_few_statements(house: House, game: str) -> None:
    table = house.dealt_in(game, *people_of(game))
    alice, stranger = Program("alice"), Program()
    assert statements(stranger, table) == OF_A_STRANGER
    assert statements(alice, table) <= OF_A_PLAYER
    house.until(table, lambda table: table.hand_id is None)
    assert statements(stranger, table) == OF_A_STRANGER


def test_the_public_part_is_made_once_for_many_programs(
    house: House, public_parts: list[str]
) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    programs = [Program(name) for name in ("alice", "bob", "carol", None)]
    for _look in range(3):
        for program in programs:
            program.get(f"tables/{table.pk}/")
    assert public_parts == ["en"]
    Program(language="zh-hans").get(f"tables/{table.pk}/")
    assert public_parts == ["en", "zh-hans"]
