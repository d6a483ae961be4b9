"""The level that a player shows at the tables."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0002_email_and_passkeys'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='level',
            field=models.CharField(db_default='', default='', editable=False, max_length=10, verbose_name='level'),
        ),
    ]
