"""The tables of upkeep as the first release has them."""

import wallets.storage.creating_models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Heartbeat',
                    fields=[
                        ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'default_permissions': (),
                        'permissions': [('read_health', 'Can read which parts of the house work')],
                    },
                ),
            ],
        ),
    ]
