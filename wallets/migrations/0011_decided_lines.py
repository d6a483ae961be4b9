"""A decided proposal keeps in words what was decided."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("wallets", "0010_record_of_changes")]
    operations = [
        migrations.AddField(
            model_name="proposal",
            name="decided_lines",
            # Without a default SQLite need not rebuild the table, which would drop its triggers.
            field=models.JSONField(null=True, verbose_name="what was decided"),
        ),
    ]
