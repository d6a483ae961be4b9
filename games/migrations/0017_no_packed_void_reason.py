"""The text that held who voided a hand and why has columns in its place."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0016_void_reason_in_columns")]

    operations = [migrations.RemoveField("hand", "void_reason")]
