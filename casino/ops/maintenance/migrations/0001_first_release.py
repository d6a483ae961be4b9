"""The tables of maintenance as the first release has them."""

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
                    name='Maintenance',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('since', models.DateTimeField(null=True)),
                        ('message', models.CharField(blank=True, default='', max_length=200)),
                    ],
                    options={
                        'permissions': [('switch', 'Can switch maintenance on and off')],
                        'default_permissions': (),
                    },
                ),
            ],
        ),
    ]
