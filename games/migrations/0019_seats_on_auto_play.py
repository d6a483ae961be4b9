"""A seat for which the house plays is on auto-play, in the column as everywhere."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0018_seats_reserved_for_players")]

    operations = [migrations.RenameField("seat", "trustee", "auto_play")]
