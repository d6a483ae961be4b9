"""What a look of a program costs: statements, and how often a public part is made for all."""

from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Table
from tests.games.house import House
from tests.games.program import Program
from tests.games.viewers import people_of
from wallets.money import jackpots

# The table and its seats, which PostgreSQL reads in one.
OF_A_STRANGER = {"sqlite": 2, "postgresql": 1}
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
    assert statements(stranger, table) == OF_A_STRANGER[connection.vendor]
    assert statements(alice, table) <= OF_A_PLAYER
    house.until(table, lambda table: table.hand_id is None)
    assert statements(stranger, table) == OF_A_STRANGER[connection.vendor]
    assert statements(alice, table) <= OF_A_PLAYER


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


def test_another_share_of_a_pool_is_seen_at_once(
    house: House, django_capture_on_commit_callbacks: Any
) -> None:
    table = house.table("blackjack")
    program, path = Program(), f"tables/{table.pk}/"
    pool = jackpots.create(
        "the pool", "progressive", house.currency, actor="o", seed=100_000, share_bp=1_000
    )
    seen = []
    for change in (partial(table.jackpots.add, pool), pool.save, table.jackpots.clear):
        pool.share_bp += 1
        with django_capture_on_commit_callbacks(execute=True):
            change()
        shown = program.get(path)
        seen.append((shown["version"], shown["options"]["jackpot_bp"]))
    versions, shares = zip(*seen, strict=True)
    assert shares == (1_000, 1_002, 0)
    assert versions == (1, 2, 3)
