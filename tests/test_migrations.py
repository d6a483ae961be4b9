"""A new house creates in one step what an older one reached migration by migration."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState

from tests.older_databases import (
    empty_database,
    last,
    left_to_apply,
    migrate_one_by_one,
    rows,
    schema,
    upgrade,
)
from wallets import guards


def described(model: ModelState) -> Any:
    """What a model is, without the order of what is added to it."""
    options = {name: value for name, value in model.options.items() if value or value == ()}
    added = {
        name: sorted(repr(one.deconstruct()) for one in options.pop(name, ()))
        for name in ("indexes", "constraints")
    }
    fields = {name: field.deconstruct()[1:] for name, field in model.fields.items()}
    return fields, repr(options), added, model.bases


def described_by(loader: MigrationLoader, nodes: Any) -> Any:
    return {key: described(model) for key, model in loader.project_state(nodes).models.items()}


def test_models_are_created_as_the_migrations_before_left_them() -> None:
    """What `test_both_ways_lead_to_one_database` shows of databases, in a second."""
    new, old = MigrationLoader(None), MigrationLoader(None, replace_migrations=False)
    assert described_by(new, None) == described_by(old, last(old))


@pytest.mark.django_db
def test_models_have_all_their_migrations() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.release
@pytest.mark.django_db
def test_both_ways_lead_to_one_database() -> None:
    with empty_database():
        migrate_one_by_one()
        assert left_to_apply() == []
        upgrade()
        old = schema(), rows()
    with empty_database():
        upgrade()
        assert guards.missing() == []
        new = schema(), rows()
    assert [line for line in old[0] if line not in new[0]] == []
    assert new[0] == old[0]
    assert new[1] == old[1]
