"""Whom a bot's seat is kept for: the columns are named after the reservation."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_no_packed_void_reason"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # The constraint names the column, so it goes and comes back under the new name.
        migrations.RemoveConstraint("seat", "one_kept_seat_a_player"),
        migrations.RenameField("seat", "heir", "reserved_for"),
        migrations.RenameField("seat", "heir_buy_in", "reserved_buy_in"),
        migrations.AddConstraint(
            "seat",
            models.UniqueConstraint(
                fields=["table", "reserved_for"],
                condition=models.Q(left_at__isnull=True),
                name="one_reservation_a_player",
            ),
        ),
    ]
