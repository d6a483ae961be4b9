"""Rename `purse_min` to `stack_min`: what a seat must hold to be dealt in is its stack."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0020_overflow_tables")]

    operations = [migrations.RenameField("table", "purse_min", "stack_min")]
