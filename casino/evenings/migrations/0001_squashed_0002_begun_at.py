"""What a new house creates at once; an older house applies those that this one replaces."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from wallets.creating_models import CreateModels


class Migration(migrations.Migration):

    replaces = [('evenings', '0001_evenings'), ('evenings', '0002_begun_at')]

    initial = True

    dependencies = [
        ('games', '0035_options_of_hands'),
    ]

    operations = [
        CreateModels([
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
        ]),
    ]
