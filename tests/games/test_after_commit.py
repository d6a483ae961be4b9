"""What runs after a commit can fail, and then Django logs its name."""

import ast
from pathlib import Path

import pytest
from django.db import transaction

from games.profiles import publishing
from tests.games import profiles
from tests.games.house import House

TOP = Path(__file__).parents[2]
PACKAGES = ("casino", "games", "tournaments", "wallets")


def calls_after_commit() -> list[tuple[str, ast.Call]]:
    return [
        (f"{path.relative_to(TOP)}:{node.lineno}", node)
        for package in PACKAGES
        for path in sorted((TOP / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "on_commit"
    ]


def test_whatever_may_fail_after_a_commit_has_a_name() -> None:
    """A `partial` has none: Django fails at its failure, and runs nothing that comes after it."""
    robust = [
        (where, call)
        for where, call in calls_after_commit()
        if any(word.arg == "robust" for word in call.keywords)
    ]
    assert len(robust) > 8
    assert [where for where, call in robust if isinstance(call.args[0], ast.Call)] == []


@pytest.mark.django_db(transaction=True)
def test_a_table_that_cannot_be_woken_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = profiles.draft(profiles.manager("mona"))
    tables = [house.table("doudizhu", profile=version.profile) for _number in range(3)]
    woken: list[int] = []

    def wake(table_id: int, _now: object) -> None:
        woken.append(table_id)
        if table_id == tables[0].pk:
            raise OSError("no such luck")

    monkeypatch.setattr(publishing, "wake", wake)
    with transaction.atomic():
        publishing.wake_tables(version.profile_id, house.now)
    assert sorted(woken) == [table.pk for table in tables]
