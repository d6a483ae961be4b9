"""Next shoes of tables, and of each seat which shoes it helped to mix.

How often a seat has withheld counts anew. The column of that count stays for one version, with a
default, so that processes of the previous version go on until they are restarted.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0038_sealed_links'),
    ]

    operations = [
        migrations.AlterField(
            model_name='seat',
            name='withheld',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='seat', name='withheld')],
        ),
        migrations.AddField(
            model_name='seat',
            name='house_shoes',
            field=models.PositiveBigIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='seat',
            name='reply_ms',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='seat',
            name='reveals',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=50),
        ),
        migrations.AddField(
            model_name='seat',
            name='shoes',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=50),
        ),
        migrations.AddField(
            model_name='shoe',
            name='reveal_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='shoeseat',
            name='late',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='table',
            name='next_shoe',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.shoe'),
        ),
    ]
