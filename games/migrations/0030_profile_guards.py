"""The triggers that keep a version of a profile as it was proposed."""

from django.db import migrations

from games.profiles.guards import PROFILES
from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection, PROFILES.files, PROFILES.folder)


def remove(apps, schema_editor):
    """On the way back: a trigger that names a table which has gone would stop every later step."""
    guards.remove(schema_editor.connection, PROFILES.files, PROFILES.folder)


class Migration(migrations.Migration):
    dependencies = [("games", "0029_profiles")]
    operations = [migrations.RunPython(install, remove)]
