"""The record of changes; its triggers on other tables are installed after each `migrate`."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from wallets import guards


def install(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    guards.install(schema_editor.connection, guards.RECORD)


def remove(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(schema_editor.connection, guards.RECORD)


class Migration(migrations.Migration):
    dependencies = [("wallets", "0009_postings_in_batches")]

    operations = [
        migrations.CreateModel(
            name="RecordedChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("table", models.CharField(max_length=63)),
                ("row", models.CharField(max_length=64)),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("insert", "Insert"),
                            ("update", "Update"),
                            ("delete", "Delete"),
                            ("declared", "Declared"),
                            ("baseline", "Baseline"),
                        ],
                        max_length=8,
                    ),
                ),
                ("before", models.TextField(null=True)),
                ("after", models.TextField(null=True)),
                ("verb", models.CharField(blank=True, max_length=100)),
                ("position", models.BigIntegerField(null=True, unique=True)),
                ("hash", models.CharField(blank=True, db_default="", max_length=64)),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["table", "row", "id"], name="recorded_of_row"),
                    models.Index(
                        models.F("id"),
                        condition=models.Q(("position__isnull", True)),
                        name="recorded_unlinked",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClosingDigest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table", models.CharField(max_length=63)),
                ("position", models.BigIntegerField()),
                ("rows", models.BigIntegerField()),
                ("total", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "closing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="digests",
                        to="wallets.closing",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "position"), name="closing_digest_once"
                    )
                ],
            },
        ),
        migrations.RunPython(install, remove),
    ]
