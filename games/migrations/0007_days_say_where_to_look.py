"""Results of days say what their hands hold, so that a long history need not be read to search it.

Indexes that others cover are dropped: those of a seat in a hand are written twice a hand.
"""

from datetime import UTC, date, datetime, time, timedelta

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

KEPT = ("table_id", "player_id", "game", "currency_id")
NUMBERS = ("voids", "hands_won", "hands_lost", "hands_even", "gains", "losses")
STANDS = Q(status="finished")


def tell_days(apps, _editor):
    """Days that were closed before get what their hands give."""
    seats, results = apps.get_model("games", "HandSeat"), apps.get_model("games", "DayResult")
    for day in apps.get_model("games", "Day").objects.iterator():
        start = datetime.combine(day.day, time(), UTC)
        given = {
            (row["table_id"], row["player_id"]): row
            for row in seats.objects.filter(
                hand__ended_at__gte=start, hand__ended_at__lt=start + timedelta(days=1)
            )
            .order_by()
            .values("table_id", "player_id", "game", "currency_id")
            .annotate(
                voids=Count("pk", filter=Q(status="void")),
                hands_won=Count("pk", filter=STANDS & Q(net__gt=0)),
                hands_lost=Count("pk", filter=STANDS & Q(net__lt=0)),
                hands_even=Count("pk", filter=STANDS & Q(net=0)),
                gains=Coalesce(Sum("net", filter=STANDS & Q(net__gt=0)), 0),
                losses=Coalesce(Sum("net", filter=STANDS & Q(net__lt=0)), 0),
            )
        }
        rows = {(row.table_id, row.player_id): row for row in results.objects.filter(day=day)}
        # Where all hands were taken back there was no result so far.
        missing = given.keys() - rows.keys()
        for key in missing:
            kept = {name: given[key][name] for name in KEPT}
            rows[key] = results(day=day, hands=0, net=0, rake=0, **kept)
        for key, row in rows.items():
            row.on = day.day
            for name in NUMBERS:
                setattr(row, name, given[key][name] if key in given else 0)
        results.objects.bulk_create(rows[key] for key in missing)
        kept = [row for key, row in rows.items() if key not in missing]
        results.objects.bulk_update(kept, ["on", *NUMBERS], batch_size=500)


def by_another_index(related_name, to):
    return models.ForeignKey(
        to,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        db_index=False,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_kept_places"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "dayresult", "on", models.DateField(default=date.min), preserve_default=False
        ),
        *[
            migrations.AddField("dayresult", name, field(default=0), preserve_default=False)
            for name, field in (
                ("voids", models.PositiveBigIntegerField),
                ("hands_won", models.PositiveBigIntegerField),
                ("hands_lost", models.PositiveBigIntegerField),
                ("hands_even", models.PositiveBigIntegerField),
                ("gains", models.BigIntegerField),
                ("losses", models.BigIntegerField),
            )
        ],
        migrations.RunPython(tell_days, migrations.RunPython.noop),
        migrations.AlterField("dayresult", "player", by_another_index("+", settings.AUTH_USER_MODEL)),
        migrations.AlterField("handseat", "hand", by_another_index("seats", "games.hand")),
        migrations.AlterField(
            "handseat", "player", by_another_index("hands", settings.AUTH_USER_MODEL)
        ),
        migrations.AddIndex(
            "dayresult",
            models.Index(
                fields=[
                    "player",
                    "-on",
                    "currency",
                    "game",
                    "table",
                    "hands",
                    "net",
                    "rake",
                    "voids",
                    "hands_won",
                    "hands_lost",
                    "hands_even",
                    "gains",
                    "losses",
                ],
                name="days_of_player",
            ),
        ),
        migrations.AddIndex(
            "handseat",
            models.Index(
                condition=Q(status="finished"),
                fields=["player", "currency", "net"],
                name="results_of_player",
            ),
        ),
    ]
