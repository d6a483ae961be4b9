"""Houses that are older than the first release keep their tables, under one migration an app.

The first release has one migration an app. A house that had applied every migration before it has
nearly the same tables, so its list of applied migrations is replaced. Tables and columns that it
lacks are created; those that nothing uses any more are dropped.
"""

from typing import Final

from django.apps import apps
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

FIRST: Final = "0001_first_release"
# By app: its last migration before the first release.
LAST: Final = {
    "alarms": "0003_sealed_addresses",
    "backoffice": "0002_audits_of_hands",
    "care": "0001_limits_and_exclusions",
    "desk": "0001_desk",
    "evenings": "0002_begun_at",
    "games": "0040_reversed_hands_of_a_table",
    "games_api": "0001_initial",
    "games_chat": "0002_lines_of_player",
    "integrity": "0002_acts_by_line",
    "maintenance": "0001_switch",
    "player_file": "0002_guards",
    "players": "0013_sessions_under_a_hash",
    "push": "0002_sealed_addresses",
    "reports": "0001_initial",
    "returning": "0001_hands_days_and_achievements",
    "social": "0002_invitations_under_a_hash",
    "tournaments": "0005_place_before",
    "upkeep": "0002_permissions_of_five_roles",
    "wallets": "0011_decided_lines",
}
# What an older house lacks, in the order of creation: app, model, and a field or the whole table.
ADDED: Final = (
    ("backoffice", "tour", ""),
    ("player_file", "complaint", ""),
    ("tournaments", "rehearsal", ""),
    ("tournaments", "schedule", "weekdays"),
    ("tournaments", "schedule", "house_time"),
)
# On PostgreSQL encrypted columns kept the indexes for searching by the beginning of a text.
SEALED_TEXTS: Final = (
    ("games_sharedhand", "sealed_token"),
    ("push_subscription", "sealed_endpoint"),
)
OLD_INDEXES: Final = """SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()
    AND tablename = %s AND indexdef LIKE '%%' || %s || ' varchar_pattern_ops%%'"""


def adopt() -> bool:
    """Give a house the tables and migrations of the first release; return whether it was older.

    A house that lacks one of the migrations before the first release is refused unchanged.
    """
    recorder = MigrationRecorder(connection)
    applied = set(recorder.applied_migrations())
    older = {app for app, _name in applied if app in LAST and (app, FIRST) not in applied}
    if not older:
        return bool(applied) and _add_what_is_lacking()
    missing = [f"{app}.{name}" for app, name in LAST.items() if (app, name) not in applied]
    if missing:
        raise CommandError(
            "This house is older than the last version before the first release. "
            f"Upgrade it to that version first; it lacks {', '.join(missing)}."
        )
    _add_what_is_lacking()
    with transaction.atomic():
        recorder.migration_qs.filter(app__in=older).delete()
        for app in sorted(older):
            recorder.record_applied(app, FIRST)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                _drop_what_is_left(cursor)
    return True


def _add_what_is_lacking() -> bool:
    """Create the tables and columns that the first release gained after this house was founded."""
    lacking = [each for each in ADDED if not _exists(apps.get_model(*each[:2]), each[2])]
    if not lacking:
        return False
    states = MigrationLoader(connection).project_state([(app, FIRST) for app in LAST]).apps
    with connection.schema_editor() as editor:
        for app, name, field in lacking:
            model = states.get_model(app, name)
            if field:
                editor.add_field(model, model._meta.get_field(field))
            else:
                editor.create_model(model)
    return True


def _exists(model: type[Model], field: str) -> bool:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if not field:
            return table in connection.introspection.table_names(cursor)
        columns = connection.introspection.get_table_description(cursor, table)
    return field in {column.name for column in columns}


def _drop_what_is_left(cursor: CursorWrapper) -> None:
    """SQLite rebuilt these tables when it changed them, and kept none of it."""
    cursor.execute("ALTER TABLE games_seat DROP COLUMN IF EXISTS withheld")
    for table, column in SEALED_TEXTS:
        cursor.execute(OLD_INDEXES, [table, column])
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP INDEX "{name}"')
