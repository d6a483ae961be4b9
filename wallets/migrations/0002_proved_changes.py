"""Changes of record are sealed, and those of staff point to their entry of the journal."""

import django.db.models.deletion
from django.db import migrations, models

from wallets.of_record import guards


def install(apps, schema_editor):
    # SQLite has rebuilt both tables.
    for files in (guards.STAFF, guards.RECORD, guards.PROOF):
        guards.install(schema_editor.connection, files)


class Migration(migrations.Migration):
    dependencies = [("wallets", "0001_first_release")]

    operations = [
        migrations.AddField(
            "journalentry", "act", models.CharField(max_length=32, null=True, unique=True)
        ),
        migrations.AddField(
            "journalentry",
            "changes",
            models.CharField(blank=True, db_default="", max_length=64),
        ),
        migrations.AddField(
            "recordedchange", "act", models.CharField(blank=True, db_default="", max_length=32)
        ),
        migrations.AddField(
            "recordedchange", "seal", models.CharField(blank=True, db_default="", max_length=64)
        ),
        migrations.AddField(
            "recordedchange",
            "entry",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="wallets.journalentry",
                to_field="act",
            ),
        ),
        migrations.AddIndex(
            "recordedchange",
            models.Index(
                condition=models.Q(("entry__isnull", False)),
                fields=["entry", "id"],
                name="recorded_by_staff",
            ),
        ),
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
