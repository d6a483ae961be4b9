"""The tables of reports as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
        ('players', '0001_first_release'),
        ('wallets', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='GameSettings',
                    fields=[
                        ('profile', models.CharField(max_length=64, primary_key=True, serialize=False)),
                        ('game', models.CharField(max_length=40)),
                        ('options', models.JSONField()),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='SummedDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('day', models.DateField(unique=True)),
                    ],
                    options={
                        'verbose_name': 'summed day',
                        'verbose_name_plural': 'summed days',
                        'permissions': [('read_reports', 'Can read what the house earned and owes')],
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='PoolDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('on', models.DateField()),
                        ('profile', models.CharField(max_length=64)),
                        ('game', models.CharField(max_length=40)),
                        ('fed', models.BigIntegerField()),
                        ('hit', models.BigIntegerField()),
                        ('hits', models.BigIntegerField()),
                        ('currency', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('jackpot', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.jackpot')),
                        ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='reports.summedday')),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('on', 'table', 'profile', 'jackpot'), name='sums_of_a_pool_once')],
                    },
                ),
                migrations.CreateModel(
                    name='PlayerDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('on', models.DateField()),
                        ('profile', models.CharField(max_length=64)),
                        ('game', models.CharField(max_length=40)),
                        ('hands', models.BigIntegerField()),
                        ('handle', models.BigIntegerField()),
                        ('net', models.BigIntegerField()),
                        ('rake', models.BigIntegerField()),
                        ('currency', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='reports.summedday')),
                    ],
                    options={
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', 'on'], name='sums_of_player')],
                        'constraints': [models.UniqueConstraint(fields=('on', 'table', 'profile', 'player'), name='sums_of_a_player_once')],
                    },
                ),
                migrations.CreateModel(
                    name='HeldDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('on', models.DateField()),
                        ('kind', models.CharField(max_length=10)),
                        ('amount', models.DecimalField(decimal_places=0, max_digits=30)),
                        ('currency', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='reports.summedday')),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('on', 'currency', 'kind'), name='held_once_a_day')],
                    },
                ),
                migrations.CreateModel(
                    name='TableDay',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('on', models.DateField()),
                        ('profile', models.CharField(max_length=64)),
                        ('game', models.CharField(max_length=40)),
                        ('bet', models.CharField(blank=True, max_length=20)),
                        ('hands', models.BigIntegerField()),
                        ('reversed', models.BigIntegerField()),
                        ('handle', models.BigIntegerField()),
                        ('won', models.BigIntegerField()),
                        ('rake', models.BigIntegerField()),
                        ('pools', models.BigIntegerField()),
                        ('kept_squares', models.CharField(max_length=80)),
                        ('products', models.CharField(max_length=80)),
                        ('handle_squares', models.CharField(max_length=80)),
                        ('currency', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='reports.summedday')),
                        ('table', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.table')),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('on', 'table', 'profile', 'bet'), name='sums_of_a_table_once')],
                    },
                ),
            ],
        ),
    ]
