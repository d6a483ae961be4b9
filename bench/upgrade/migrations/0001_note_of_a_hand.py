"""A column in the busiest tables, which the running code does not know, and a table of its own."""

from django.db import migrations, models

ADD = "ALTER TABLE {} ADD COLUMN upgrade_note text NOT NULL DEFAULT ''"
DROP = "ALTER TABLE {} DROP COLUMN upgrade_note"


class Migration(migrations.Migration):
    initial = True
    # A transaction each: one that locked moves and hands before tables would wait for play while
    # play waits for it, and PostgreSQL would end one of them.
    atomic = False
    operations = [
        migrations.CreateModel(
            name="Note",
            fields=[("id", models.BigAutoField(primary_key=True)), ("text", models.TextField())],
        ),
        *(
            migrations.RunSQL(ADD.format(table), DROP.format(table))
            for table in ("games_table", "games_hand", "games_move")
        ),
    ]
