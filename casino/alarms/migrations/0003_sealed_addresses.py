"""Encrypt the addresses of alarms and anchors: the URL of a webhook is enough to write to it."""

from django.db import migrations, models
from django.utils.translation import gettext_lazy as _

from wallets.sealing_columns import seal_column

OF_ALARM, OF_ANCHOR = "one_delivery_an_address", "one_delivery_of_an_anchor"


class Migration(migrations.Migration):
    dependencies = [("alarms", "0002_deliveries_of_anchors")]

    operations = [
        migrations.RemoveConstraint("delivery", OF_ALARM),
        migrations.RemoveConstraint("delivery", OF_ANCHOR),
        *seal_column(
            "alarms", "delivery", "address", digest="address_digest", verbose_name=_("address")
        ),
        migrations.AddConstraint(
            "delivery",
            models.UniqueConstraint(
                fields=["alarm", "channel", "address_digest"], name=OF_ALARM
            ),
        ),
        migrations.AddConstraint(
            "delivery",
            models.UniqueConstraint(
                fields=["anchor", "channel", "address_digest"], name=OF_ANCHOR
            ),
        ),
    ]
