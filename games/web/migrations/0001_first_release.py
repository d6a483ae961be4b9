"""The tables of games_api as the first release has them."""

import django.db.models.deletion
import uuid
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='AnsweredRequest',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('key', models.CharField(max_length=64)),
                        ('request', models.CharField(max_length=64)),
                        ('status', models.PositiveSmallIntegerField(default=200)),
                        ('refusal', models.TextField(blank=True)),
                        ('made_at', models.DateTimeField(db_index=True)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'answered request',
                        'verbose_name_plural': 'answered requests',
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'key'), name='one_request_a_key')],
                    },
                ),
            ],
        ),
    ]
