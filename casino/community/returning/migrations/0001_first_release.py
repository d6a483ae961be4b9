"""The tables of returning as the first release has them."""

import django.db.models.deletion
import games.models.common
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
                    name='Counting',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('ended_at', models.DateTimeField()),
                        ('hand', models.PositiveBigIntegerField(default=0)),
                        ('reversed_until', models.DateTimeField()),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Achievement',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=24)),
                        ('hand', models.PositiveBigIntegerField()),
                        ('day', models.DateField()),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'achievement',
                        'verbose_name_plural': 'achievements',
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'name'), name='achieved_once')],
                    },
                ),
                migrations.CreateModel(
                    name='CountedHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('hand', models.PositiveBigIntegerField()),
                        ('table', models.PositiveBigIntegerField()),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40)),
                        ('day', models.DateField()),
                        ('week', models.DateField()),
                        ('won', models.BooleanField()),
                        ('points', models.BigIntegerField(null=True)),
                        ('feats', models.JSONField(default=list)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', 'day'], name='counted_of_player'), models.Index(condition=models.Q(('points__isnull', False)), fields=['week', 'game', 'player'], name='counted_for_board'), models.Index(fields=['day'], name='counted_by_day')],
                        'constraints': [models.UniqueConstraint(fields=('hand', 'player'), name='hand_counts_once')],
                    },
                ),
                migrations.CreateModel(
                    name='DayPlayed',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('day', models.DateField()),
                        ('hands', models.PositiveIntegerField()),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'day'), name='one_day_a_player')],
                    },
                ),
                migrations.CreateModel(
                    name='GamePlayed',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('game', models.CharField(choices=games.models.common.game_choices, max_length=40)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'game'), name='one_game_a_player')],
                    },
                ),
            ],
        ),
    ]
