"""What the others at a table see of a player's absence, under a plainer name."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0021_smallest_stack")]

    operations = [migrations.RenameField("seat", "told_offline", "shown_offline")]
