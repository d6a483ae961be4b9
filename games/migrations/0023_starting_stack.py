"""What a seat brings to a hand is its starting stack: a player's money away from tables is a wallet."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0022_seats_shown_offline")]

    operations = [migrations.RenameField("handseat", "purse", "starting_stack")]
