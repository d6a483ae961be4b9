"""Why a seat sits out, whom the table knows to be offline, and whether a loss was seen."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0010_receipts_for_reveals'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='loss_seen',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name='seat',
            name='sat_out_why',
            field=models.CharField(blank=True, choices=[('missed', 'turns missed'), ('absent', "offline")], max_length=8, verbose_name='why the house had it sit out'),
        ),
        migrations.AddField(
            model_name='seat',
            name='told_offline',
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
