"""The migrations make the tables of the models, and take over a house of before them."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from casino.ops.first_release import ADDED, FIRST, LAST, adopt
from wallets.of_record import guards, triggers
from wallets.of_record.declarations import recorded

pytestmark = pytest.mark.django_db


def applied() -> set[tuple[str, str]]:
    return {key for key in MigrationRecorder(connection).applied_migrations() if key[0] in LAST}


def make_older() -> MigrationRecorder:
    """Record what a house had applied before the first release: some migrations of each app."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app__in=LAST).delete()
    for app, name in LAST.items():
        recorder.record_applied(app, name)
        recorder.record_applied(app, f"{name}_earlier")
    return recorder


@pytest.mark.always
def test_models_have_all_their_migrations() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    assert guards.missing() == []


def test_every_app_of_the_house_begins_with_the_first_release() -> None:
    own = {key for key in MigrationLoader(None).graph.root_nodes() if key[1] == FIRST}
    assert {app for app, _name in own} == set(LAST)


def remove_added() -> None:
    """Bring the tables back to those of an earlier house, whose triggers know no later columns."""
    tables = {apps.get_model(app, name)._meta.db_table for app, name, _field in ADDED}
    with connection.cursor() as cursor:
        for declared in recorded():
            if declared.table in tables:
                on = f' ON "{declared.table}"' if connection.vendor == "postgresql" else ""
                for trigger in triggers.on_sqlite(declared):
                    cursor.execute(f'DROP TRIGGER IF EXISTS "{trigger}"{on}')
    with connection.schema_editor() as editor:
        for app, name, field in reversed(ADDED):
            model = apps.get_model(app, name)
            if field:
                editor.remove_field(model, model._meta.get_field(field))
            else:
                editor.delete_model(model)


@pytest.mark.django_db(transaction=True)
def test_a_house_that_lacks_something_is_completed_once() -> None:
    before = applied()
    remove_added()
    assert adopt()
    # What came after the first release is left to `migrate`; the tables of this test have it.
    later = {one for one in before if one[1] != FIRST}
    assert applied() | later == before
    for one in later:
        MigrationRecorder(connection).record_applied(*one)
    assert not adopt()
    call_command("migrate", verbosity=0)
    for app, name, _field in ADDED:
        assert list(apps.get_model(app, name).objects.all()) == []
    assert guards.missing() == []


def test_a_house_with_later_migrations_is_no_older_one() -> None:
    MigrationRecorder(connection).record_applied("tournaments", "0999_later")
    assert not adopt()


def test_a_house_that_lacks_a_migration_is_refused_unchanged() -> None:
    make_older().record_unapplied("wallets", LAST["wallets"])
    before = applied()
    with pytest.raises(CommandError, match=r"lacks wallets\.0011_decided_lines"):
        adopt()
    assert applied() == before


def test_a_new_house_has_nothing_to_take_over() -> None:
    MigrationRecorder(connection).migration_qs.all().delete()
    assert not adopt()
    assert applied() == set()
