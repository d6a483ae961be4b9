"""Treat names that read alike as one name from now on; existing players keep theirs."""

from typing import Any

from django.db import migrations

from casino.players.models import NameKeyField
from casino.players.names import reads_as


def compare(apps: Any, _schema: Any) -> None:
    players, taken = apps.get_model("players", "Player").objects, set()
    for number, name in players.order_by("pk").values_list("pk", "username"):
        # No name contains this sign, so no player is mistaken for the second of two.
        read = reads_as(name) if reads_as(name) not in taken else f"{reads_as(name)}#{number}"
        taken.add(read)
        players.filter(pk=number).update(reads_as=read)


class Migration(migrations.Migration):
    dependencies = [("players", "0002_accesstoken")]

    operations = [
        migrations.AddField(
            "player", "reads_as", NameKeyField(editable=False, max_length=60, null=True)
        ),
        migrations.RunPython(compare, migrations.RunPython.noop),
        migrations.AlterField(
            "player", "reads_as", NameKeyField(editable=False, max_length=60, unique=True)
        ),
    ]
