"""What a player's history is filtered by stands beside the player's results; links to hands."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Subquery

import games.models


def tell_seats(apps, _editor):
    """Copy the facts of a hand to the rows of its seats, for hands played before."""
    Hand, HandSeat = apps.get_model("games", "Hand"), apps.get_model("games", "HandSeat")
    sources = {
        "game": "game",
        "table_id": "table_id",
        "currency_id": "table__currency_id",
        "status": "status",
        "ended_at": "ended_at",
    }
    hand = Hand.objects.filter(pk=OuterRef("hand_id"))
    HandSeat.objects.update(
        **{name: Subquery(hand.values(source)[:1]) for name, source in sources.items()}
    )


def loosely(to, **values):
    return models.ForeignKey(
        to,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
        **values,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_private_tables"),
        ("wallets", "0002_guards"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "handseat",
            "game",
            models.CharField(choices=games.models.game_choices, default="", max_length=40),
            preserve_default=False,
        ),
        migrations.AddField("handseat", "table", loosely("games.table", null=True)),
        migrations.AddField("handseat", "currency", loosely("wallets.currency", null=True)),
        migrations.AddField(
            "handseat",
            "status",
            models.CharField(
                choices=[("live", "live"), ("finished", "finished"), ("void", "void")],
                default="live",
                max_length=10,
            ),
        ),
        migrations.AddField("handseat", "ended_at", models.DateTimeField(null=True)),
        migrations.RunPython(tell_seats, migrations.RunPython.noop),
        migrations.AlterField("handseat", "table", loosely("games.table")),
        migrations.AlterField("handseat", "currency", loosely("wallets.currency")),
        migrations.AddIndex(
            "handseat",
            models.Index(
                condition=models.Q(("ended_at__isnull", False)),
                fields=[
                    "player",
                    "-ended_at",
                    "-hand",
                    "game",
                    "table",
                    "currency",
                    "status",
                    "net",
                ],
                name="history_of_player",
            ),
        ),
        migrations.CreateModel(
            name="SharedHand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=games.models.new_token, editable=False, max_length=40, unique=True
                    ),
                ),
                ("named", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shared",
                        to="games.hand",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "shared hand",
                "verbose_name_plural": "shared hands",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("hand", "player"),
                        name="one_link_a_player",
                    )
                ],
            },
        ),
    ]
