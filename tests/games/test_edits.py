"""Whatever is edited by SQL in a house that has played all eleven games is noticed."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.db.models import Count, Model

from games.models import Hand, HandSeat, Move, Shoe, ShoeSeat
from tests.games.edits import EDITS, table_of_edits
from tests.games.falsified import (
    Edit,
    World,
    edited,
    nothing_guards,
    noticed,
    played,
    sql,
    update,
)
from tests.games.house import START
from wallets.values.columns import declared_tables

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with played(django_db_blocker) as world:
        yield world


@pytest.fixture(autouse=True)
def no_files_of_another_test() -> None:
    """The anchors of the house stay for all tests of it."""


def test_an_honest_house_has_nothing_to_notice(world: World) -> None:
    assert noticed() == {}


def kind_of(edit: Edit) -> str:
    """The check that the edits of a kind are for; some tear down the guards themselves."""
    return "triggers" if "triggers" in edit.noticed_by else edit.noticed_by[0]


# The first one waits for the house to play, so it has the fewest edits.
KINDS = [kind for kind, _count in reversed(Counter(map(kind_of, EDITS)).most_common())]


@pytest.mark.always
@pytest.mark.parametrize("kind", KINDS)
def test_every_edit_is_noticed(world: World, kind: str) -> None:
    missed = {}
    guards = nullcontext() if kind == "triggers" else nothing_guards()
    with transaction.atomic(), guards:
        for edit in EDITS:
            if kind_of(edit) == kind:
                due = set(edit.noticed_by)
                checks = found_after(edit, world)
                if not due <= checks:
                    missed[edit.what] = due - checks
    assert missed == {}


def found_after(edit: Edit, world: World) -> set[str]:
    """The checks that notice an edit, of those that are due to."""
    world.edited = {world.reversed.pk}
    with edited(world, edit.make):
        findings = noticed(*edit.noticed_by, hands=world.edited)
        if not findings.keys() >= set(edit.noticed_by):
            findings = noticed(*edit.noticed_by)
    return set(findings)


def columns() -> Iterator[tuple[type[Model], str]]:
    """Every column that the audit of hands is declared to prove of what a hand was."""
    for model in (Hand, HandSeat, Move, Shoe, ShoeSeat):
        proved = declared_tables[model._meta.db_table].derived["hands"]
        for field in model._meta.concrete_fields:
            if field.column in proved:
                yield model, field.attname


def row_of(hand: Hand, model: type[Model]) -> Model:
    """The row of a model that belongs to a hand, or the first of them."""
    rows: dict[type[Model], Any] = {HandSeat: hand.seats, Move: hand.moves}
    if model in rows:
        row: Model = rows[model].earliest("number")
        return row
    shoe = hand.shoe
    return {Hand: hand, Shoe: shoe}.get(model) or shoe.seats.earliest("number")


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


class Damage(NamedTuple):
    model: type[Model]
    name: str
    kind: str

    def suits(self, hand: Hand) -> bool:
        return self.kind != "nothing" or getattr(row_of(hand, self.model), self.name) is not None

    def make(self, hand: Hand) -> None:
        field: Any = self.model._meta.get_field(self.name)
        row = row_of(hand, self.model)
        if self.kind == "other":
            update(row, **{field.name: other(field, getattr(row, self.name))})
            return
        damaged = garbage(field) if self.kind == "garbage" else None
        table, key = self.model._meta.db_table, self.model._meta.pk.column
        sql(f'UPDATE {table} SET "{field.column}" = %s WHERE {key} = %s', damaged, row.pk)


def damages() -> Iterator[Damage]:
    for model, name in columns():
        field = model._meta.get_field(name)
        yield Damage(model, name, "other")
        # No table of this world follows a profile (`test_no_hand_loses_its_version_unseen`).
        if field.null and name != "profile_version_id":
            yield Damage(model, name, "nothing")
        # What is no time reads as nothing, and what is neither true nor false as false.
        read = field.get_internal_type() not in ("DateTimeField", "BooleanField")
        # PostgreSQL keeps none: each column has its type.
        if read and garbage(field) and connection.vendor != "postgresql":
            yield Damage(model, name, "garbage")


def test_every_column_is_watched_and_the_audit_goes_on(world: World) -> None:
    """Each damage is found in a hand of its own, and all others are examined too."""
    waiting = list(damages())
    # A hand may be taken back before any player has moved in it.
    moved = Hand.objects.exclude(status="live").filter(pk__in=Move.objects.values("hand"))
    alone = moved.annotate(of_shoe=Count("shoe__hands")).filter(of_shoe=1)
    hands = [world.mixed.hands.earliest("number"), world.reversed, *alone]
    while waiting:
        made: dict[int, Damage] = {}
        for hand in hands:
            damage = next((damage for damage in waiting if damage.suits(hand)), None)
            if damage and hand.pk not in made:
                made[hand.pk] = damage
                waiting.remove(damage)
        assert made, waiting

        def make(_world: World, made: dict[int, Damage] = made) -> None:
            for hand in Hand.objects.filter(pk__in=made).select_related("shoe"):
                made[hand.pk].make(hand)

        with edited(world, make):
            findings = noticed("hands", "shoes")
        said = " ".join(
            sentence.partition(":")[0] for sentences in findings.values() for sentence in sentences
        )
        for hand in hands:
            if damage := made.get(hand.pk):
                names = {str(hand.pk), str(hand.pk + 5_000), hand.shoe_id}
                assert names & set(said.split()), damage


def test_the_page_says_how_many_edits_are_tried(repository: Path) -> None:
    """`python -m tests.games.print_edits` prints them for auditors."""
    assert table_of_edits().count("\n| ") == len(EDITS) + 1
    assert f"{len(EDITS)} edits" in (repository / "docs" / "ledger.md").read_text()
