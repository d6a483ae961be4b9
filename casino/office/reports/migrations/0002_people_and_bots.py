"""Tell people from bots in the stored sums; the days are summed again from their hands."""

from typing import Any

from django.db import migrations, models


def forget_sums(apps: Any, _editor: Any) -> None:
    """Reports read days without sums from their hands, and each closing sums some of them."""
    for name in ("TableDay", "PlayerDay", "PoolDay", "HeldDay", "SummedDay"):
        apps.get_model("reports", name).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("reports", "0001_first_release")]

    operations = [
        migrations.RunPython(forget_sums, migrations.RunPython.noop),
        migrations.AddField("tableday", "with_people", models.BigIntegerField(default=0)),
        migrations.AddField("tableday", "from_bots", models.BigIntegerField(default=0)),
    ]
