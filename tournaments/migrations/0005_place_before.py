"""The places of players when the level, round or deal began."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0004_byes_and_arrangements'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='place_before',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
    ]
