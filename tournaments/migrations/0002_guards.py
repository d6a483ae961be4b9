"""The triggers that let the rows of an event only grow."""

from django.db import migrations

from tournaments.guards import FIRST, FOLDER
from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection, FIRST, FOLDER)


def remove(apps, schema_editor):
    """On the way back: a trigger that names a table which has gone would stop every later step."""
    guards.remove(schema_editor.connection, FIRST, FOLDER)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.RunPython(install, remove)]
