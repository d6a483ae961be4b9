"""Give every player a face; existing players get one by their number."""

from typing import Any

from django.db import migrations
from django.db.models import F

import casino.players.models

FACES = 48
# Has no divisor in common with the faces, so neighbours get different ones and all are given.
STEP = 29


def give(apps: Any, _schema: Any) -> None:
    players = apps.get_model("players", "Player").objects
    # Only the names of those whose data was erased have a space; bots have one, too.
    people = players.exclude(username__startswith="former ", is_bot=False)
    people.update(face=F("pk") * STEP % FACES + 1)


class Migration(migrations.Migration):
    dependencies = [("players", "0008_freeze_until_and_closing")]

    operations = [
        migrations.AddField(
            "player",
            "face",
            casino.players.models.FaceField(
                db_default=0, default=0, editable=False, verbose_name="face"
            ),
        ),
        migrations.RunPython(give, migrations.RunPython.noop),
    ]
