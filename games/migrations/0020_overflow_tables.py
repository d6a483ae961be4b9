"""The tables that the house opens beside a full one are overflow tables, in columns too."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0019_seats_on_auto_play")]

    operations = [
        migrations.RenameField("table", "twin_of", "overflow_of"),
        migrations.RenameField("table", "twins_max", "overflow_max"),
        # From a table to its overflow tables: a name in Python, no column.
        migrations.AlterField(
            "table",
            "overflow_of",
            models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="overflow_tables",
                to="games.table",
                verbose_name="opened beside",
            ),
        ),
    ]
