"""The view through which PostgreSQL posts is now called `wallets_post`.

An upgraded database keeps the old view and its trigger, so processes of the previous version can
still post until they are restarted. Nothing else uses the old view.
"""

from django.db import migrations

from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("wallets", "0003_door")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
