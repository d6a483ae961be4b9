"""Links to private tables and to shared hands are encrypted; they go on leading where they led."""

from django.db import migrations
from django.utils.translation import gettext_lazy as _

import games.models.common
from wallets.sealing_columns import seal_column


class Migration(migrations.Migration):
    dependencies = [("games", "0037_results_of_all")]

    operations = [
        *seal_column(
            "games",
            "table",
            "invitation",
            digest="invitation_digest",
            default=games.models.common.new_sealed_token,
            verbose_name=_("invitation"),
        ),
        *seal_column(
            "games",
            "sharedhand",
            "token",
            digest="token_digest",
            unique=True,
            default=games.models.common.new_sealed_token,
        ),
    ]
