"""The trigger of entries takes those of several postings in one statement, and checks each of them."""

from django.db import migrations

from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("wallets", "0008_permission_to_run_commands")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
