"""The triggers that let the ledger only grow, and PostgreSQL's function for a posting."""

from django.db import migrations

from wallets import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("wallets", "0001_initial")]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
