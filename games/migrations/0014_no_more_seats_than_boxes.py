"""A table has no more seats than boxes.

Whoever sits beyond stays until they get up: a seat does not go with its number, and is dealt in as
long as it has its player.
"""

from django.db import migrations

# How many boxes a table has whose options do not say.
BOXES = {"blackjack": 7, "casino_holdem": 7, "russian_poker": 4}


def take_seats_away(apps, schema_editor):
    tables = apps.get_model("games", "Table")
    for table in tables.objects.filter(game__in=BOXES):
        boxes = table.options.get("boxes", 7) if table.game == "blackjack" else BOXES[table.game]
        if table.places > boxes:
            tables.objects.filter(pk=table.pk).update(places=boxes)


class Migration(migrations.Migration):
    dependencies = [("games", "0013_chain_of_shoe")]

    operations = [migrations.RunPython(take_seats_away, migrations.RunPython.noop)]
