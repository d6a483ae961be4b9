from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0035_options_of_hands'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='next_bets',
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='time_bank',
            field=models.PositiveSmallIntegerField(db_default=30, default=30, editable=False),
        ),
    ]
