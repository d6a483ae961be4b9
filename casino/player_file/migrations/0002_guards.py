"""The triggers that keep what staff wrote."""

from django.db import migrations

from casino.player_file.guards import GUARDS
from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection, GUARDS.files, GUARDS.folder)


def remove(apps, schema_editor):
    """On the way back: a trigger that names a table which has gone would stop every later step."""
    guards.remove(schema_editor.connection, GUARDS.files, GUARDS.folder)


class Migration(migrations.Migration):
    dependencies = [("player_file", "0001_file")]
    operations = [migrations.RunPython(install, remove)]
