"""The tables of games_chat as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
        ('players', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Silence',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('until', models.DateTimeField(verbose_name='until')),
                        ('reason', models.CharField(max_length=200, verbose_name='reason')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                    ],
                    options={
                        'verbose_name': 'silence',
                        'verbose_name_plural': 'silences',
                        'ordering': ['-until'],
                    },
                ),
                migrations.CreateModel(
                    name='ChatLine',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('text', models.CharField(blank=True, max_length=200, verbose_name='line')),
                        ('phrase', models.CharField(blank=True, max_length=20, verbose_name='quick phrase')),
                        ('said_at', models.DateTimeField(db_index=True, verbose_name='said')),
                        ('hidden', models.BooleanField(default=False, verbose_name='hidden')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                        ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.table')),
                    ],
                    options={
                        'verbose_name': 'chat message',
                        'verbose_name_plural': 'chat messages',
                        'ordering': ['-id'],
                        'indexes': [models.Index(fields=['table', '-id'], name='lines_of_table'), models.Index(fields=['player', '-id'], name='lines_of_player')],
                    },
                ),
                migrations.CreateModel(
                    name='Mute',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'muted'), name='one_mute_a_pair')],
                    },
                ),
            ],
        ),
    ]
