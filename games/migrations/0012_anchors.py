"""Entries of the chain are found by their shoe, and heads are anchored outside the database."""

from typing import Any

from django.db import migrations, models

CHUNK = 2_000


def name_shoes(apps: Any, _editor: Any) -> None:
    """What is in the chain already gets its shoe beside its body."""
    entry = apps.get_model("games", "ChainEntry")
    last = 0
    while rows := list(entry.objects.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        for row in rows:
            row.shoe = str(row.body.get("shoe", ""))[:60] if isinstance(row.body, dict) else ""
        entry.objects.bulk_update(rows, ["shoe"], batch_size=500)
        last = rows[-1].pk


class Migration(migrations.Migration):
    dependencies = [("games", "0011_seats_sat_out_offline_and_lost")]

    operations = [
        migrations.CreateModel(
            name="Anchor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("made_at", models.DateTimeField()),
                ("position", models.BigIntegerField()),
                ("line", models.TextField()),
                ("written", models.BooleanField(default=False)),
            ],
            options={
                "verbose_name": "anchor",
                "verbose_name_plural": "anchors",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="AnchoredBook",
            fields=[
                ("book", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("position", models.BigIntegerField()),
            ],
        ),
        # With a default of the database's own, as processes of the version before write entries
        # until they are restarted; whoever links them names their shoe.
        migrations.AddField(
            "chainentry",
            "shoe",
            models.CharField(blank=True, db_default="", editable=False, max_length=60),
        ),
        migrations.RunPython(name_shoes, migrations.RunPython.noop),
    ]
