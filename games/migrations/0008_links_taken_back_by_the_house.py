"""Who took a link back, and why; operators may."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F


def tell_who(apps, _editor):
    """So far players alone have taken links back, and only their own."""
    links = apps.get_model("games", "SharedHand").objects
    links.filter(revoked_at__isnull=False).update(revoked_by=F("player"))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_days_say_where_to_look"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            "sharedhand",
            {
                "permissions": [("revoke_sharedhand", "Can revoke links to hands")],
                "verbose_name": "shared hand",
                "verbose_name_plural": "shared hands",
            },
        ),
        migrations.AddField(
            "sharedhand",
            "revoked_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="revoked by",
            ),
        ),
        migrations.AddField(
            "sharedhand",
            "revoked_why",
            models.CharField(blank=True, max_length=200, verbose_name="reason"),
        ),
        migrations.AlterField("sharedhand", "made_at", models.DateTimeField(verbose_name="made")),
        migrations.AlterField(
            "sharedhand", "named", models.BooleanField(default=False, verbose_name="by name")
        ),
        migrations.AlterField(
            "sharedhand",
            "player",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            "sharedhand", "revoked_at", models.DateTimeField(null=True, verbose_name="revoked")
        ),
        migrations.AddIndex(
            "sharedhand", models.Index(fields=["player", "-id"], name="links_of_player")
        ),
        # The last, since PostgreSQL alters no table whose keys are still to be checked.
        migrations.RunPython(tell_who, migrations.RunPython.noop),
    ]
