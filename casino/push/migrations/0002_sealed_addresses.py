"""The addresses of browsers at their push services, and their secrets, are encrypted."""

from django.db import migrations

from wallets.sealing_columns import seal_column


class Migration(migrations.Migration):
    dependencies = [("push", "0001_push_subscriptions")]

    operations = [
        *seal_column("push", "subscription", "endpoint", digest="endpoint_digest", unique=True),
        *seal_column("push", "subscription", "secret"),
    ]
