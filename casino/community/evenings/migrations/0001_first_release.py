"""The tables of evenings as the first release has them."""

import django.db.models.deletion
import uuid
import wallets.storage.creating_models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Evening',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('hands', models.PositiveSmallIntegerField()),
                        ('stake', models.PositiveSmallIntegerField()),
                        ('rematch', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evenings.evening')),
                        ('table', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                        ('begun_at', models.DateTimeField(null=True)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
            ],
        ),
    ]
