"""Where somebody signed up: what the house gives away is limited by it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0003_reads_as")]

    operations = [
        migrations.AddField(
            "player",
            "signed_up_from",
            models.CharField(
                blank=True,
                db_default="",
                db_index=True,
                default="",
                editable=False,
                max_length=40,
            ),
        ),
    ]
