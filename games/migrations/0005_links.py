from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_here_until")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="tip",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=64
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="locked_ahead",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=50
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="late_locks",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        # Shoes that are there already were mixed by the first version.
        migrations.AddField(
            model_name="shoe",
            name="version",
            field=models.PositiveSmallIntegerField(default=1, editable=False),
        ),
        migrations.AlterField(
            model_name="shoe",
            name="version",
            field=models.PositiveSmallIntegerField(default=2, editable=False),
        ),
    ]
