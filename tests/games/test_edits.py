"""Whatever is edited by SQL in a house that has played all eleven games is noticed."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import Model

from games.models import Hand, HandSeat, Move, Shoe, ShoeSeat
from tests.games.edits import EDITS, table_of_edits
from tests.games.falsified import Edit, World, edited, noticed, played, sql, update
from tests.games.house import START

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with played(django_db_blocker) as world:
        yield world


@pytest.fixture(autouse=True)
def nothing_anchored() -> None:
    """The anchors of the house stay for all tests of it."""


def test_an_honest_house_has_nothing_to_notice(world: World) -> None:
    assert noticed() == {}


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.what.replace(" ", "-"))
def test_every_edit_is_noticed(world: World, edit: Edit) -> None:
    with edited(world, edit.make):
        found = noticed()
    assert set(edit.noticed_by) <= found.keys(), found


def columns() -> Iterator[tuple[type[Model], str]]:
    """Every column of what a hand was, but for the numbers of rows that nothing refers to."""
    for model in (Hand, HandSeat, Move, Shoe, ShoeSeat):
        for field in model._meta.concrete_fields:
            if not (field.primary_key and model in (HandSeat, Move, ShoeSeat)):
                yield model, field.attname


def rows_of(world: World, model: type[Model]) -> list[Model]:
    """Rows of a paid hand, and of a void one."""
    hands = [world.ended("casino_holdem"), world.reversed]
    found: dict[type[Model], list[Model]] = {
        Hand: [*hands],
        HandSeat: [hand.seats.earliest("number") for hand in hands],
        Move: [hand.moves.earliest("number") for hand in hands],
        Shoe: [hand.shoe for hand in hands],
        ShoeSeat: [
            hand.shoe.seats.earliest("number")
            for hand in (*hands, world.mixed.hands.earliest("number"))
        ],
    }
    return found[model]


def other(field: Any, value: Any) -> Any:
    """Something else that the column holds."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 5_000
    if isinstance(value, datetime):
        return value + timedelta(seconds=1)
    if value is None:
        some = {"DateTimeField": START, "UUIDField": uuid4(), "JSONField": {}, "ForeignKey": 5_000}
        return some[field.get_internal_type()]
    if isinstance(value, UUID):
        return uuid4()
    return "damaged" if isinstance(value, str) else {"damaged": 1}


def garbage(field: Any) -> Any:
    """Values that do not belong in a column but that SQLite stores there."""
    if field.get_internal_type() == "JSONField":
        return json.dumps("damaged")
    return "[damaged" if not field.primary_key else None


def damages() -> Iterator[Any]:
    for model, name in columns():
        field = model._meta.get_field(name)
        yield pytest.param(model, name, "other", id=f"{model.__name__}-{name}-other")
        # No table of this world follows a profile (`test_no_hand_loses_its_version_unseen`).
        if field.null and name != "profile_version_id":
            yield pytest.param(model, name, "nothing", id=f"{model.__name__}-{name}-nothing")
        # What is no time reads as nothing, and what is neither true nor false as false.
        read = field.get_internal_type() not in ("DateTimeField", "BooleanField")
        if read and garbage(field):
            yield pytest.param(model, name, "garbage", id=f"{model.__name__}-{name}-garbage")


@pytest.mark.parametrize(("model", "name", "damage"), list(damages()))
def test_every_column_is_watched_and_the_audit_goes_on(
    world: World, model: type[Model], name: str, damage: str
) -> None:
    """`noticed` sees to it that all other hands are examined too."""
    if damage == "garbage" and connection.vendor == "postgresql":
        return  # It keeps none: each column has its type.
    field = model._meta.get_field(name)
    value = None
    for row in rows_of(world, model):
        value = getattr(row, name)
        if damage != "nothing" or value is not None:
            break
    assert value is not None or damage != "nothing"

    def make(_world: World) -> None:
        if damage == "other":
            update(row, **{field.name: other(field, value)})
            return
        damaged = garbage(field) if damage == "garbage" else None
        key = model._meta.pk.column
        table = model._meta.db_table
        sql(f'UPDATE {table} SET "{field.column}" = %s WHERE {key} = %s', damaged, row.pk)

    with edited(world, make):
        found = noticed()
    assert found.keys() & {"hands", "shoes"}, found


def test_the_documentation_has_the_table_of_edits(repository: Path) -> None:
    """`python -m tests.games.print_edits` prints it anew."""
    assert len(EDITS) >= 30
    assert table_of_edits() in (repository / "docs" / "history.md").read_text()


def test_what_was_edited_is_as_it_was(world: World) -> None:
    assert noticed() == {}
