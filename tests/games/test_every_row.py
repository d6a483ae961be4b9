"""Whatever is edited in any table is noticed by the nightly run, or is declared free."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.casino.desk_scene import Desk
from tests.games import every_row
from tests.games.falsified import World, nothing_guards, played
from tests.games.rows_of_record import fill_and_close
from tests.tournaments.edits_while_open import LEVELS, PAYING, open_events, stopped
from tests.tournaments.events import structure
from wallets.values.columns import of_table

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.postgresql,
    pytest.mark.release,
]

PLAYED = ("doudizhu", "baccarat", "casino_holdem")


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """A house that has played, with its desk, and events in every state."""
    every_row.forget()
    with played(django_db_blocker, lambda world: world.play_one_day(PLAYED)) as world:
        Desk(world.house.now).evening()
        open_events()
        stopped(structure(name="finished", levels=LEVELS[PAYING]), lambda event: event.is_over)
        fill_and_close(world.house)
        yield world


@pytest.fixture(autouse=True)
def no_files_of_another_test() -> None:
    """The anchors of the house stay for all tests of it."""


def test_every_table_is_declared(house: World) -> None:
    assert every_row.undeclared() == []


@pytest.mark.parametrize("table", every_row.declared_tables())
def test_every_edit_of_every_row_is_noticed(house: World, table: str) -> None:
    declared = of_table(table)
    assert declared
    with transaction.atomic():
        with nothing_guards():
            missed = every_row.missed(declared, every_row.every_edit(declared))
        transaction.set_rollback(True)
    assert "\n".join(missed) == ""


def test_free_columns_change_no_right_money_card_or_proof(house: World) -> None:
    """All of them are edited at once, as far as the database lets them be."""
    with transaction.atomic():
        before = every_row.what_matters()
        with nothing_guards():
            assert every_row.edit_what_is_free() > 100
        assert every_row.what_matters() == before
        transaction.set_rollback(True)
