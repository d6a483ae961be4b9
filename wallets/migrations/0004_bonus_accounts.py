"""Accounts for bonuses that their players have not released yet; they are never overdrawn."""

from django.db import migrations, models

from wallets.of_record import guards


def remove(apps, schema_editor):
    # SQLite rebuilds a table only while no trigger speaks of it.
    guards.remove(schema_editor.connection, guards.LEDGER)


def install(apps, schema_editor):
    # PostgreSQL posts by the function of this release.
    guards.install(schema_editor.connection, guards.LEDGER)


class Migration(migrations.Migration):
    dependencies = [("wallets", "0003_lines_of_proposals")]

    operations = [
        migrations.RunPython(remove, install),
        migrations.AlterField(
            model_name="account",
            name="kind",
            field=models.CharField(
                choices=[
                    ("player", "player's wallet"),
                    ("stack", "stack at a table"),
                    ("escrow", "held in escrow"),
                    ("house", "house bank"),
                    ("rake", "rake"),
                    ("jackpot", "jackpot pool"),
                    ("prize", "prize pool"),
                    ("fee", "fees"),
                    ("issue", "issued money"),
                    ("promotion", "promotions"),
                    ("bonus", "bonus of a player"),
                ],
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.RemoveConstraint(model_name="account", name="account_not_overdrawn"),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ["player", "stack", "escrow", "prize", "bonus"]), _negated=True
                    ),
                    ("balance__gte", 0),
                    _connector="OR",
                ),
                name="account_not_overdrawn",
            ),
        ),
        migrations.RunPython(install, remove),
    ]
