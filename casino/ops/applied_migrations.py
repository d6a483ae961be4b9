"""Compare the migrations that the database has noted with those of the code.

A row that is deleted has its migration run again, and one that is added keeps one from running.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def findings(_since: date | None = None) -> Iterator[str]:
    loader = MigrationLoader(connection)
    rows = MigrationRecorder.Migration.objects.values_list("app", "name")
    noted, there = Counter(rows), Counter(loader.disk_migrations.keys())
    for app, name in sorted(there - noted):
        yield f"the migration {name} of {app} is not noted as applied"
    for app, name in sorted(noted - there):
        yield f"the migration {name} of {app} is noted as applied, and there is none, or twice"
